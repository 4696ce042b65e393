"""What somebody who tries to break it finds: nothing lost, and each refusal says why."""
import json
import os
import resource
import signal
import subprocess
import tarfile
import time
import unittest

from harness import PROGRAM, ProgramTest


class Attacks(ProgramTest):
    def setUp(self):
        super().setUp()
        self.make_data()
        self.recipe = self.make_recipe()

    def test_two_at_once_do_not_share_a_folder(self):
        for attempt in range(3):
            jobs = [subprocess.Popen([PROGRAM, "train", str(self.recipe), "--out", f"two{attempt}"],
                                     cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                    for _ in range(2)]
            outputs = [job.communicate(timeout=120)[0] for job in jobs]
            self.assertEqual(sorted(job.returncode for job in jobs), [0, 2], outputs)
            refused = outputs[0] if jobs[0].returncode == 2 else outputs[1]
            self.assertRegex(refused, "in use by process [0-9]+|in use by another process|holds a run already")
            starts = [line for line in self.metrics(f"two{attempt}") if line["kind"] == "start"]
            self.assertEqual(len(starts), 1)

    def test_a_resumed_run_is_held_too(self):
        self.expect(self.run_program("train", self.recipe, "--out", "run"), 0)
        long = (self.recipe, "--resume", "run", "--set", "train.epochs=1000")
        first = subprocess.Popen([PROGRAM, "train", *map(str, long)], cwd=self.folder, stdout=subprocess.DEVNULL)
        self.addCleanup(first.wait)
        self.addCleanup(first.kill)
        before = len(self.metrics("run"))
        while len(self.metrics("run")) == before:
            self.assertIsNone(first.poll())
            time.sleep(0.01)
        self.expect(self.run_program("train", *long), 2, f"in use by process {first.pid}", "hint")
        self.assertIsNone(first.poll())

    def test_a_report_that_cannot_be_written_costs_only_the_report(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, resource.RLIM_INFINITY))
        done = self.run_program("train", self.recipe, "--out", "run", preexec_fn=small_files)
        output = self.expect(done, 0, "report.html", "File too large", "the training goes on", "done in")
        self.assertEqual(output.count("the training goes on"), 1)
        self.expect(self.run_program("eval", "run"), 0)

    def test_a_dry_run_refuses_what_the_run_refuses(self):
        for override, text in (("model.name=\"fastnet\"", "did you mean 'fast_net'"),
                               ("optimizer.name=\"adam\"", "adam"), ("model.widhts=[8, 8, 8]", "widhts"),
                               ("model.widths=[8, 8, -8]", "widths"),
                               ("data.augment=[{random_crop = {size = 64}}]", "64x64")):
            arguments = ("train", self.recipe, "--set", override, "--set", "train.micro_batch=10")
            dry = self.run_program(*arguments, "--dry-run")
            real = self.run_program(*arguments, "--out", "refused")
            self.expect(dry, real.returncode, text)
            self.assertNotEqual(real.returncode, 0)
            self.assertFalse((self.folder / "refused").exists(), override)

    def test_a_training_without_finite_gradients_fails(self):
        done = self.run_program("train", self.recipe, "--set", "optimizer.lr=1e30", "--set", "train.epochs=3",
                                "--set", "schedule.warmup.from=1e30", "--out", "run")
        output = self.expect(done, 1, "is not finite", "in a row", "hint")
        self.assertNotIn("(best)", output)

    def test_names_of_files_that_are_not_utf8(self):
        (self.folder / "data/train/cat").joinpath(os.fsdecode(b"bad\xff.jpg")).write_bytes(b"")
        inspected = self.run_program("--json", "inspect", "data/train")
        self.assertEqual(inspected.returncode, 1, inspected.stderr)
        self.assertEqual(json.loads(inspected.stdout)["bad"][0]["reason"], "empty")
        trained = self.run_program("--json", "train", self.recipe, "--set", "data.max_bad_samples=1")
        self.assertEqual(trained.returncode, 0, trained.stderr)
        self.assertEqual(json.loads(trained.stdout)["bad_samples"], 1)

    def test_a_pipe_is_no_file(self):
        os.mkfifo(self.folder / "pipe")
        self.expect(self.run_program("train", "pipe", timeout=20), 2, "pipe", "expected a file")
        self.assertNotEqual(self.run_program("inspect", "pipe", timeout=20).returncode, 0)

    def test_links_to_nothing_are_counted(self):
        (self.folder / "data/train/cat/gone.jpg").symlink_to("nowhere.jpg")
        self.expect(self.run_program("inspect", "data/train"), 0, "1 links to nothing, pipes or devices left out")

    def test_absolute_names_in_an_archive(self):
        with tarfile.open(self.folder / "data.tar", "w") as archive:
            for file in sorted((self.folder / "data/train").rglob("*.jpg")):
                info = archive.gettarinfo(file)
                info.name = "/" + str(file.relative_to(self.folder / "data/train"))
                with open(file, "rb") as content:
                    archive.addfile(info, content)
        with tarfile.open(self.folder / "data.tar") as archive:
            self.assertTrue(archive.getnames()[0].startswith("/"))
        inspected = json.loads(self.run_program("--json", "inspect", "data.tar").stdout)
        self.assertEqual([each["name"] for each in inspected["classes"]], ["cat", "ship"])

    def test_eval_says_when_it_is_not_the_best(self):
        self.expect(self.run_program("train", self.recipe, "--out", "run"), 0)
        manifest = self.run_program("inspect", "run").stdout
        best = next(line.split(" = ")[1] for line in manifest.splitlines() if "best_step" in line)
        (self.folder / "run/checkpoints/best").unlink()
        output = self.expect(self.run_program("eval", "run"), 0)
        newest = max((self.folder / "run/checkpoints").glob("step-*"))
        self.assertEqual(int(newest.name.split("-")[1]) != int(best), f"of update {best}" in output)

    def test_an_automatic_restart_goes_back_from_a_damaged_checkpoint(self):
        self.expect(self.run_program("train", self.recipe, "--out", "run"), 0)
        older, newest = sorted((self.folder / "run/checkpoints").glob("step-*"))
        (newest / "manifest.json").write_text("{")
        arguments = ("train", self.recipe, "--out", "run", "--set", "train.epochs=3", "--resume")
        self.expect(self.run_program(*arguments, "auto"), 0, newest.name, f"going on from", older.name)

    def test_an_empty_value_is_not_the_default(self):
        for option in ("--resume", "--out"):
            self.expect(self.run_program("train", self.recipe, option, ""), 2, option)
        self.assertFalse((self.folder / "runs").exists())

    def test_a_reader_that_goes_away_does_not_end_the_training(self):
        job = subprocess.Popen([PROGRAM, "train", str(self.recipe), "--out", "run"], cwd=self.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL))
        job.stdout.readline()
        job.stdout.close()
        self.assertEqual(job.wait(timeout=120), 0)
        self.expect(self.run_program("eval", "run"), 0)

    def test_a_run_without_a_checkpoint(self):
        (self.folder / "run").mkdir()
        (self.folder / "run/plan.toml").write_text("")
        self.expect(self.run_program("inspect", "run"), 2, "complete checkpoint")


if __name__ == "__main__":
    unittest.main()
