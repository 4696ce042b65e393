"""Stopped, killed, started twice: a training goes on, or says why not."""
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import time
import unittest

from harness import PROGRAM, RECIPE, ProgramTest

# Long trainings without much beside the updates.
PLAIN = ("--set", "checkpoint.every_epochs=1000", "--set", "train.eval_every=1000",
         "--set", "report.html=false", "--set", "report.tensorboard=false")
EPOCHS = 100
STEPS = 4 * EPOCHS


class Interruptions(ProgramTest):
    def setUp(self):
        super().setUp()
        self.make_data()
        self.recipe = self.make_recipe()

    def start(self, *arguments):
        job = subprocess.Popen([PROGRAM, "train", *map(str, arguments)], cwd=self.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(job.stdout.close)
        self.addCleanup(job.wait)
        self.addCleanup(job.kill)
        return job

    def wait_for_epochs(self, job, run, epochs):
        metrics = self.folder / run / "metrics.jsonl"
        while job.poll() is None:
            if metrics.exists() and metrics.read_text().count('"kind":"epoch"') >= epochs:
                return
            time.sleep(0.01)
        self.fail(f"it ended early: {job.stdout.read()}")

    def steps(self, run):
        return [line["step"] for line in self.metrics(run) if line["kind"] == "step"]

    def weights(self, run):
        return (self.folder / run / f"checkpoints/step-{STEPS:08}/model.safetensors").read_bytes()

    def test_after_a_signal_the_printed_command_ends_with_the_same_weights(self):
        length = (*PLAIN, "--set", f"train.epochs={EPOCHS}")
        self.expect(self.run_program("train", self.recipe, *length, "--out", "whole"), 0)
        for number, status in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
            run = f"it's stopped by {number}"
            job = self.start(self.recipe, *length, "--out", run)
            self.wait_for_epochs(job, run, 2)
            job.send_signal(number)
            output, _ = job.communicate(timeout=60)
            self.assertEqual(job.returncode, status, output)
            self.assertLess(max(self.steps(run)), STEPS)
            command = re.search(r"^go on with: (stoker train .*)$", output, re.M).group(1)
            path = f"{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}"
            done = subprocess.run(command, shell=True, cwd=self.folder, env={**os.environ, "PATH": path},
                                  capture_output=True, text=True, timeout=120)
            self.expect(done, 0, "resumed", "wall time")
            self.assertEqual(self.steps(run), list(range(1, STEPS + 1)))
            self.assertEqual(self.weights(run), self.weights("whole"))

    def test_json_says_how_to_go_on_after_a_signal(self):
        job = self.start(self.recipe, "--json", "--set", f"train.epochs={EPOCHS}", *PLAIN, "--out", "run")
        self.wait_for_epochs(job, "run", 1)
        job.terminate()
        output, _ = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 143, output)
        result = json.loads(output)
        self.assertFalse(result["completed"])
        self.assertRegex(result["resume_command"], "^stoker train .*--resume")

    def test_a_signal_before_the_first_update_leaves_no_half_run(self):
        for pause in (0, 0.03, 0.06, 0.1, 0.15):
            job = self.start(self.recipe, "--set", "train.epochs=100000", *PLAIN, "--out", "run")
            time.sleep(pause)
            job.terminate()
            output, _ = job.communicate(timeout=60)
            self.assertIn(job.returncode, (143, -signal.SIGTERM), output)
            if (self.folder / "run").exists():
                self.expect(self.run_program("inspect", "run"), 0, "every hash is right")
                shutil.rmtree(self.folder / "run")

    def test_after_a_kill_at_any_moment_resume_auto_goes_on(self):
        seed = random.randrange(10**6)
        moments = random.Random(seed)
        recipe = self.make_recipe(RECIPE + "[checkpoint]\nevery_steps = 1\n", "often.toml")
        for where in (("--out", "run"), ()):
            for kill in range(5):
                job = self.start(recipe, "--set", "train.epochs=100000", "--resume", "auto", *where)
                time.sleep(moments.uniform(0.05, 0.7))
                job.kill()
                output, _ = job.communicate()
                self.assertEqual(job.returncode, -signal.SIGKILL, f"seed {seed}, kill {kill}: {output}")
            # On a slow machine a kill may come before the first checkpoint, or before any folder.
            saved = sorted(self.folder.glob("run/checkpoints/*/DONE" if where else "runs/*/checkpoints/*/DONE"))
            epochs = 1
            if saved:
                epochs += self.json_of("inspect", saved[-1].parents[2])["epoch"]
            done = self.json_of("train", recipe, "--set", f"train.epochs={epochs}", "--resume", "auto", *where)
            self.assertTrue(done["completed"])
            self.assertEqual(self.json_of("inspect", done["folder"])["step"], 4 * epochs, f"seed {seed}")

    def test_resume_auto_goes_on_after_a_kill_before_the_first_checkpoint(self):
        job = self.start(self.recipe, "--set", "train.epochs=100000", *PLAIN, "--out", "run", "--resume", "auto")
        self.wait_for_epochs(job, "run", 1)
        job.kill()
        job.wait()
        self.assertFalse(any(self.folder.glob("run/checkpoints/*/DONE")))
        self.expect(self.run_program("train", self.recipe, "--out", "run"), 2, "holds a run already")
        self.expect(self.run_program("train", self.recipe, "--out", "run", "--resume", "auto"), 0)
        self.assertEqual(self.steps("run"), list(range(1, 9)))

    def test_resume_auto_takes_the_newest_run_past_a_gap_in_the_numbers(self):
        for _ in range(2):
            self.expect(self.run_program("train", self.recipe), 0)
        shutil.rmtree(self.folder / "runs/small-001")
        done = self.run_program("train", self.recipe, "--resume", "auto", "--set", "train.epochs=3")
        self.expect(done, 0, "small-002", "resumed")
        self.assertEqual(self.steps("runs/small-002"), list(range(1, 13)))

    def test_resuming_another_training_names_the_fields_and_changes_nothing(self):
        self.expect(self.run_program("train", self.recipe, "--out", "run"), 0)
        before = (self.folder / "run/plan.toml").read_text(), self.metrics("run")
        done = self.run_program("train", self.recipe, "--resume", "run", "--set", "seed=5", "--set", "train.epochs=3")
        self.expect(done, 2, "seed: checkpoint 1, recipe 5")
        self.assertEqual(before, ((self.folder / "run/plan.toml").read_text(), self.metrics("run")))

    def test_two_at_once_get_two_folders(self):
        jobs = [self.start(self.recipe) for _ in range(2)]
        for job in jobs:
            output, _ = job.communicate(timeout=120)
            self.assertEqual(job.returncode, 0, output)
        self.assertEqual(sorted(path.name for path in (self.folder / "runs").iterdir()), ["small-001", "small-002"])
        for run in ("small-001", "small-002"):
            self.assertEqual(self.steps(f"runs/{run}"), list(range(1, 9)))

    def test_a_folder_with_a_run_is_not_overwritten(self):
        self.expect(self.run_program("train", self.recipe, "--out", "run"), 0)
        before = self.metrics("run")
        self.expect(self.run_program("train", self.recipe, "--out", "run"), 2, "holds a run already", "--resume auto")
        self.assertEqual(self.metrics("run"), before)


if __name__ == "__main__":
    unittest.main()
