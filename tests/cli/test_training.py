import os
import pathlib
import pty
import subprocess
import unittest

from harness import PROGRAM, ProgramTest


class Training(ProgramTest):
    def setUp(self):
        super().setUp()
        self.make_data()
        self.recipe = self.make_recipe()

    def test_it_says_where_the_time_went_and_where_things_are(self):
        done = self.run_program("train", self.recipe)
        output = self.expect(done, 0, "where the time went", "waiting for data", "forward", "backward", "wall time",
                             "accuracy", "peak RSS")
        run = self.folder / "runs/small-001"
        for name in ("metrics.jsonl", "tensorboard", "report.html", "checkpoints/step-00000008"):
            self.assertIn(f"  {run / name}\n", output)
            self.assertTrue((run / name).exists(), name)
        self.assertIn("epochs = 2", (run / "plan.toml").read_text())
        self.assertEqual(done.stderr, "")

    def test_metrics_hold_every_event_in_order(self):
        self.expect(self.run_program("train", self.recipe, "--out", "run"), 0)
        lines = self.metrics("run")
        kinds = [line["kind"] for line in lines]
        self.assertEqual((kinds[0], kinds[-1]), ("start", "finish"))
        self.assertEqual([line["step"] for line in lines if line["kind"] == "step"], list(range(1, 9)))
        self.assertEqual([kinds.count(kind) for kind in ("epoch", "evaluation", "checkpoint")], [2, 2, 2])
        self.assertEqual((lines[0]["train_samples"], lines[0]["val_samples"]), (40, 40))
        self.assertAlmostEqual(sum(lines[-1]["time"].values()), lines[-1]["wall_seconds"], delta=0.05)

    def test_json_is_one_object_in_any_locale(self):
        result = self.json_of("train", self.recipe, env={**os.environ, "LC_ALL": "de_DE.UTF-8"})
        self.assertTrue(result["completed"])
        self.assertEqual((result["step"], result["bad"]), (8, []))
        for what in ("metrics", "report", "checkpoint", "best checkpoint"):
            self.assertTrue(pathlib.Path(result["outputs"][what]).exists(), what)

    def test_eval_gives_what_training_printed(self):
        output = self.expect(self.run_program("train", self.recipe, "--out", "run"), 0)
        end = self.metrics("run")[-1]
        newest = max((self.folder / "run/checkpoints").glob("step-*"))
        for path, was, text in (("run", end["best"], "best {:.1f} %"), (newest, end["last"], "test accuracy {:.1f} %")):
            now = self.json_of("eval", path)
            self.assertEqual((now["correct"], now["samples"]), (was["correct"], 40))
            self.assertAlmostEqual(now["loss"], was["loss"], places=6)
            self.assertIn(text.format(100 * now["correct"] / 40), output)
            self.expect(self.run_program("eval", path), 0, f"{100 * now['correct'] / 40:.2f} %  ({now['correct']} of 40)")

    def test_eval_takes_other_data(self):
        self.expect(self.run_program("train", self.recipe, "--out", "run"), 0)
        self.assertEqual(self.json_of("eval", "run", "--data", "data/train")["data"], "data/train")
        self.expect(self.run_program("eval", "run", "--data", "data/trian"), 2, "did you mean 'train'?")

    def test_inspect_reads_a_run_and_its_weights(self):
        self.expect(self.run_program("train", self.recipe, "--out", "run"), 0)
        self.expect(self.run_program("inspect", "run"), 0, "every hash is right", "update 8: 2 epochs", "whiten.weight")
        found = self.json_of("inspect", "run")
        self.assertEqual((found["step"], found["epoch"], found["classes"]), (8, 2, ["cat", "ship"]))
        file = self.json_of("inspect", pathlib.Path(found["path"]) / "model.safetensors")
        self.assertEqual(sorted(each["name"] for each in file["tensors"]),
                         sorted(each["name"] for each in found["model"]))

    def test_set_changes_what_is_trained(self):
        done = self.run_program("train", self.recipe, "--out", "run", "--set", "train.epochs=1", "--set",
                                "train.batch=20", "--set", "model.widths=[4, 8, 8]", "-q")
        self.expect(done, 0)
        self.assertEqual(self.metrics("run")[-1]["step"], 2)
        plan = self.expect(self.run_program("inspect", "run/plan.toml"), 0, "batch = 20")
        self.assertRegex(plan, r"widths = \[ *4, 8, 8 *\]")

    def read_terminal(self, **environment):
        """All that the program writes to a terminal."""
        main, side = pty.openpty()
        job = subprocess.Popen([PROGRAM, "train", self.recipe, "--set", "train.epochs=20"], cwd=self.folder,
                               stdout=side, stderr=side, env={**os.environ, **environment})
        os.close(side)
        output = b""
        while True:
            try:
                part = os.read(main, 4096)
            except OSError:  # The other side is closed.
                part = b""
            if not part:
                break
            output += part
        os.close(main)
        self.assertEqual(job.wait(), 0, output)
        return output.replace(b"\r\n", b"\n").decode()

    def test_a_terminal_gets_a_progress_line_in_colours(self):
        environment = {"NO_COLOR": ""}  # An empty one counts as none (no-color.org).
        output = self.read_terminal(**environment)
        self.assertRegex(output, r"\repoch [^\n]*img/s")
        self.assertIn("\x1b[1m", output)

    def test_no_color_is_respected(self):
        output = self.read_terminal(NO_COLOR="1")
        self.assertIn("\r", output)
        self.assertNotIn("\x1b", output)

    def test_without_a_terminal_there_are_plain_lines(self):
        output = self.expect(self.run_program("train", self.recipe), 0)
        self.assertNotIn("\r", output)
        self.assertNotIn("\x1b", output)
        self.assertEqual(output.count("\nepoch "), 2)

    def test_any_working_directory_will_do(self):
        done = self.run_program("train", self.recipe, "--out", self.folder / "run", cwd="/")
        self.expect(done, 0, "wall time")

    def test_quiet_says_only_the_result(self):
        output = self.expect(self.run_program("train", self.recipe, "-q"), 0, "test accuracy")
        self.assertNotIn("epoch 1/2", output)


if __name__ == "__main__":
    unittest.main()
