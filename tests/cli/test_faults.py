import json
import os
import resource
import subprocess
import unittest

from harness import PROGRAM, RECIPE, ProgramTest


class Faults(ProgramTest):
    def setUp(self):
        super().setUp()
        self.make_data()
        self.recipe = self.make_recipe()

    def spoil_data(self):
        folder = self.folder / "data/train/cat"
        (folder / "zero.jpg").write_bytes(b"")
        (folder / "text.jpg").write_text("This is not an image at all.")
        whole = sorted(folder.glob("0*.jpg"))[0].read_bytes()
        (folder / "half.jpg").write_bytes(whole[:len(whole) // 2])

    def test_bad_images_stop_the_run_and_are_named(self):
        self.spoil_data()
        output = self.expect(self.run_program("train", self.recipe), 1, "max_bad_samples")
        self.assertTrue(any(name in output for name in ("zero.jpg", "text.jpg", "half.jpg")), output)

    def test_bad_images_within_the_budget_are_listed(self):
        self.spoil_data()
        done = self.run_program("train", self.recipe, "--set", "data.max_bad_samples=3", "--out", "run", "-v")
        self.expect(done, 0, "zero.jpg", "empty", "text.jpg", "not an image", "half.jpg", "truncated")
        result = [json.loads(line) for line in (self.folder / "run/metrics.jsonl").read_text().splitlines()][-1]
        self.assertEqual(result["kind"], "finish")

    def test_inspect_lists_bad_images_and_fails(self):
        self.spoil_data()
        self.expect(self.run_program("inspect", "data/train"), 1, "zero.jpg", "text.jpg", "half.jpg", "40 of 43")

    def test_a_flipped_byte_in_a_checkpoint_is_refused_by_name(self):
        self.expect(self.run_program("train", self.recipe, "--out", "run"), 0)
        first, last = sorted((self.folder / "run/checkpoints").glob("step-*"))
        data = bytearray((last / "model.safetensors").read_bytes())
        data[-5] ^= 1
        (last / "model.safetensors").write_bytes(data)
        self.expect(self.run_program("eval", last), 1, "model.safetensors", first.name)

    def test_no_checkpoint_to_evaluate(self):
        self.expect(self.run_program("eval", "nowhere"), 2, "nowhere")
        (self.folder / "empty").mkdir()
        self.expect(self.run_program("eval", "empty"), 2, "empty")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_read_only_folder(self):
        locked = self.folder / "locked"
        locked.mkdir(mode=0o500)
        self.expect(self.run_program("train", self.recipe, "--out", locked / "run"), 1, "locked")

    def test_a_limit_on_file_sizes_ends_the_save_not_the_program(self):
        limit = 20_000
        done = subprocess.run(
            [PROGRAM, "train", str(self.recipe), "--out", "run", "--set", "report.html=false"], cwd=self.folder,
            capture_output=True, text=True, timeout=120,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("stoker: [", done.stderr)
        self.assertFalse(any((self.folder / "run/checkpoints").glob("step-*/DONE")))

    @unittest.skipUnless(os.geteuid() == 0, "mounting needs root")
    def test_a_full_disk_says_what_it_needs(self):
        small = self.folder / "small"
        small.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small], capture_output=True).returncode:
            self.skipTest("no mounts here")
        try:
            done = self.run_program("train", self.recipe, "--out", small / "run", "--set", "model.widths=[64,128,128]")
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertRegex(done.stderr, "need|No space")
        finally:
            subprocess.run(["umount", small], check=True)

    def test_resuming_another_training_names_the_fields(self):
        self.expect(self.run_program("train", self.recipe, "--out", "run"), 0)
        done = self.run_program("train", self.recipe, "--resume", "run", "--set", "seed=5", "--set", "train.epochs=3")
        self.expect(done, 2, "seed: checkpoint 1, recipe 5")

    def test_other_classes_in_val_are_refused(self):
        (self.folder / "data/val/cat").rename(self.folder / "data/val/cats")
        self.expect(self.run_program("train", self.recipe), 2, "cats", "cat")


if __name__ == "__main__":
    unittest.main()
