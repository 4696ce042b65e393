import os
import resource
import subprocess
import unittest

from harness import PROGRAM, RECIPE, ProgramTest

BAD = {"zero.jpg": "empty", "text.jpg": "not an image (starts with", "half.jpg": "truncated at byte"}


class BadImages(ProgramTest):
    def setUp(self):
        super().setUp()
        self.make_data()
        self.recipe = self.make_recipe()
        folder = self.folder / "data/train/cat"
        whole = min(folder.glob("0*.jpg")).read_bytes()
        (folder / "zero.jpg").write_bytes(b"")
        (folder / "text.jpg").write_text("This is not an image at all.")
        (folder / "half.jpg").write_bytes(whole[:len(whole) // 2])

    def expect_all(self, found):
        """Path and reason of each bad image."""
        self.assertEqual({os.path.basename(name) for name in found}, set(BAD))
        for name, reason in found.items():
            self.assertTrue(os.path.exists(name), name)
            self.assertTrue(reason.startswith(BAD[os.path.basename(name)]), reason)

    @staticmethod
    def parse(lines):
        return dict(line.strip().split(": ", 1) for line in lines)

    def test_they_stop_the_run_and_are_named_on_stderr(self):
        done = self.run_program("train", self.recipe)
        self.expect(done, 1)
        first, *lines = done.stderr.splitlines()
        self.assertRegex(first, r"^stoker: .*expected at most 0 bad samples \(data.max_bad_samples\), got 3:$")
        self.expect_all(self.parse(lines))

    def test_one_more_than_the_budget_is_too_many(self):
        self.expect(self.run_program("train", self.recipe, "--set", "data.max_bad_samples=2"), 1, "at most 2")

    def test_within_the_budget_they_are_listed_in_the_end(self):
        done = self.run_program("train", self.recipe, "--set", "data.max_bad_samples=3", "--out", "run")
        self.expect(done, 0)
        lines = done.stdout.split("samples left out: 3\n")[1].splitlines()[:3]
        self.expect_all(self.parse(lines))
        end = self.metrics("run")[-1]
        self.expect_all({bad["name"]: bad["reason"] for bad in end["bad_samples"]})
        result = self.json_of("train", self.recipe, "--set", "data.max_bad_samples=3")
        self.expect_all({bad["name"]: bad["reason"] for bad in result["bad"]})

    def test_inspect_lists_them_and_fails(self):
        output = self.expect(self.run_program("inspect", "data/train"), 1, "readable: 40 of 43")
        bad = [line.split("bad: ")[1] for line in output.splitlines() if "bad: " in line]
        self.assertEqual({os.path.basename(line.split(": ")[0]) for line in bad}, set(BAD))
        found = self.json_of("inspect", "data/train", status=1)
        self.expect_all({self.folder / bad["name"]: bad["reason"] for bad in found["bad"]})

    def test_a_bad_image_in_val_counts_too(self):
        for name in BAD:
            (self.folder / "data/train/cat" / name).unlink()
        (self.folder / "data/val/cat/zero.jpg").write_bytes(b"")
        self.expect(self.run_program("train", self.recipe), 1, "data/val/cat/zero.jpg: empty")


class Faults(ProgramTest):
    def setUp(self):
        super().setUp()
        self.make_data()
        self.recipe = self.make_recipe()

    def test_a_flipped_byte_in_a_checkpoint_is_refused_by_name(self):
        self.expect(self.run_program("train", self.recipe, "--out", "run"), 0)
        first, last = sorted((self.folder / "run/checkpoints").glob("step-*"))
        data = bytearray((last / "model.safetensors").read_bytes())
        data[-5] ^= 1
        (last / "model.safetensors").write_bytes(data)
        tensors = [each["name"] for each in self.json_of("inspect", first)["model"]]
        for arguments in (("eval", last), ("inspect", last),
                          ("train", self.recipe, "--resume", last, "--set", "train.epochs=3")):
            output = self.expect(self.run_program(*arguments), 1, f"{last.name}/model.safetensors", first.name)
            self.assertTrue(any(name in output for name in tensors), output)
        self.expect(self.run_program("eval", first), 0)

    def test_no_checkpoint_to_evaluate(self):
        self.expect(self.run_program("eval", "nowhere"), 2, "nowhere")
        self.expect(self.run_program("eval", "small.toml"), 2, f"its folder is {self.folder})")
        (self.folder / "empty").mkdir()
        self.expect(self.run_program("eval", "empty"), 2, "empty")

    def test_a_read_only_disk(self):
        with self.small_disk("ro") as disk:
            done = self.run_program("train", self.recipe, "--out", disk / "run")
            self.expect(done, 1, f"{disk}/run", "Read-only", "--out")
            self.expect(self.run_program("train", self.recipe, cwd=disk), 1, "runs/small-001", "Read-only")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_without_the_right_to_write(self):
        locked = self.folder / "locked"
        locked.mkdir(mode=0o500)
        self.expect(self.run_program("train", self.recipe, "--out", locked / "run"), 1, "locked", "Permission")

    def test_a_full_disk_says_what_it_needs_and_spares_what_is_there(self):
        with self.small_disk("size=1m") as disk:
            done = self.run_program("train", self.recipe, "--out", disk / "run", "--set", "model.widths=[64,128,128]")
            self.expect(done, 1)
            self.assertRegex(done.stderr, r"step 4 was not saved: it needs [\d.]+ MiB, there is [\d.]+ KiB")
            self.assertFalse(any((disk / "run/checkpoints").iterdir()))

    def test_a_limit_on_file_sizes_ends_the_save_not_the_program(self):
        limit = 20_000
        done = subprocess.run(
            [PROGRAM, "train", str(self.recipe), "--out", "run", "--set", "report.html=false"], cwd=self.folder,
            capture_output=True, text=True, timeout=120,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.expect(done, 1, "step 4 was not saved", "File too large")
        self.assertFalse(any((self.folder / "run/checkpoints").iterdir()))

    def test_other_classes_in_val_are_refused(self):
        (self.folder / "data/val/cat").rename(self.folder / "data/val/cats")
        self.expect(self.run_program("train", self.recipe), 2, "cats", "cat")

    def test_arithmetic_that_leaves_the_numbers_stops_the_run(self):
        recipe = self.make_recipe(RECIPE.replace("lr = 0.05", "lr = 1e30"), "wild.toml")
        self.expect(self.run_program("train", recipe, "--set", "train.epochs=20"), 1, "not finite", "gradient of '")


if __name__ == "__main__":
    unittest.main()
