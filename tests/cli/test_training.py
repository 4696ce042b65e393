import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import time
import unittest

from harness import PROGRAM, RECIPE, ProgramTest


class Training(ProgramTest):
    def setUp(self):
        super().setUp()
        self.make_data()
        self.recipe = self.make_recipe()

    def start(self, *arguments):
        return subprocess.Popen([PROGRAM, "train", *map(str, arguments)], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def wait_for_steps(self, run, steps=3):
        metrics = self.folder / run / "metrics.jsonl"
        for _ in range(1000):
            if any(self.folder.glob(f"{run}/checkpoints/step-*/DONE")) or \
                    (metrics.exists() and metrics.read_text().count('"step"') >= steps):
                return
            time.sleep(0.05)
        self.fail("the training did not start")

    def test_it_says_where_the_time_went_and_where_things_are(self):
        done = self.run_program("train", self.recipe)
        output = self.expect(done, 0, "where the time went", "waiting for data", "forward", "backward", "wall time",
                             "accuracy", "peak RSS", "report.html", "metrics.jsonl")
        for name in ("plan.toml", "metrics.jsonl", "report.html", "checkpoints", "tensorboard"):
            self.assertTrue((self.folder / "runs/small-001" / name).exists(), name)
        self.assertNotIn("\r", output)
        self.assertNotIn("\x1b", output)
        lines = (self.folder / "runs/small-001/metrics.jsonl").read_text().splitlines()
        kinds = [json.loads(line)["kind"] for line in lines]
        self.assertEqual(kinds.count("step"), 8)
        self.assertEqual((kinds[0], kinds[-1]), ("start", "finish"))

    def test_json_is_one_object(self):
        result = json.loads(self.expect(self.run_program("train", self.recipe, "--json"), 0))
        self.assertTrue(result["completed"])
        self.assertEqual(result["step"], 8)
        self.assertTrue(pathlib.Path(result["outputs"]["report"]).exists())

    def test_eval_gives_what_training_printed(self):
        result = json.loads(self.run_program("train", self.recipe, "--json", "--out", "run").stdout)
        best = json.loads(self.expect(self.run_program("eval", "run", "--json"), 0))
        self.assertEqual(best["correct"], result["best"]["correct"])
        newest = sorted((self.folder / "run/checkpoints").glob("step-*"))[-1]
        last = json.loads(self.expect(self.run_program("eval", newest, "--json"), 0))
        self.assertEqual((last["correct"], last["samples"]), (result["last"]["correct"], 40))
        self.expect(self.run_program("inspect", "run"), 0, "a complete checkpoint", "whiten.weight")
        self.expect(self.run_program("inspect", newest / "model.safetensors"), 0, "head.weight")

    def test_a_stop_saves_and_the_printed_command_goes_on(self):
        for number, status in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
            run = f"run {number}"
            job = self.start(self.recipe, "--set", "train.epochs=400", "--out", run)
            self.wait_for_steps(run)
            job.send_signal(number)
            output, _ = job.communicate(timeout=60)
            self.assertEqual(job.returncode, status, output)
            command = re.search(r"stoker train .*--resume .*", output).group(0)
            command = command.replace("epochs=400", "epochs=402")
            done = subprocess.run(command.replace("stoker", f"'{PROGRAM}'", 1) + " --set train.epochs=60", shell=True,
                                  cwd=self.folder, capture_output=True, text=True, timeout=240)
            steps = [json.loads(line)["step"] for line in (self.folder / run / "metrics.jsonl").read_text().splitlines()
                     if json.loads(line)["kind"] == "step"]
            if done.returncode == 2:  # It was stopped after the 60th epoch already.
                self.assertIn("epochs", done.stderr)
                continue
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(steps, list(range(1, 241)))

    def test_kills_at_any_moment_leave_something_to_go_on_from(self):
        recipe = self.make_recipe(RECIPE + "[checkpoint]\nevery_steps = 1\n", "often.toml")
        for pause in range(8):
            job = self.start(recipe, "--set", "train.epochs=1000", "--resume", "auto", "--out", "run")
            time.sleep(0.7 + 0.13 * pause)
            job.kill()
            job.communicate()
        done = self.run_program("train", recipe, "--set", "train.epochs=1", "--resume", "auto", "--out", "run")
        self.assertIn(done.returncode, (0, 2), done.stdout + done.stderr)
        self.expect(self.run_program("inspect", "run"), 0, "every hash is right")

    def test_two_at_once_get_two_folders(self):
        jobs = [self.start(self.recipe) for _ in range(2)]
        for job in jobs:
            output, _ = job.communicate(timeout=120)
            self.assertEqual(job.returncode, 0, output)
        self.assertEqual(sorted(path.name for path in (self.folder / "runs").iterdir()), ["small-001", "small-002"])

    def test_a_folder_with_a_run_is_not_overwritten(self):
        self.expect(self.run_program("train", self.recipe, "--out", "run"), 0)
        self.expect(self.run_program("train", self.recipe, "--out", "run"), 2, "holds a run already", "--resume auto")

    def test_a_terminal_gets_a_progress_line(self):
        master, slave = pty.openpty()
        job = subprocess.Popen([PROGRAM, "train", self.recipe], cwd=self.folder, stdout=slave, stderr=slave)
        os.close(slave)
        output = b""
        while True:
            try:
                output += os.read(master, 4096)
            except OSError:
                break
        self.assertEqual(job.wait(), 0)
        self.assertIn(b"\r", output)
        self.assertIn(b"img/s", output)

    def test_any_working_directory_will_do(self):
        done = self.run_program("train", self.recipe, "--out", self.folder / "run", cwd="/")
        self.expect(done, 0, "wall time")


if __name__ == "__main__":
    unittest.main()
