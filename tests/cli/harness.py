"""Runs the program in a folder of its own, on a few real images."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["STOKER_PROGRAM"]
SOURCE = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = SOURCE / "examples/data/cifar10"

RECIPE = """
[data]
train = "data/train"
val = "data/val"
augment = [ { hflip = { p = 0.5 } }, { normalize = "cifar10" } ]
[model]
name = "fast_net"
widths = [8, 8, 8]
[train]
epochs = 2
batch = 10
threads = 1
[optimizer]
lr = 0.05
"""


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stoker cli ü "))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def make_data(self, per_class=20, classes=("cat", "ship")):
        for split, part in (("train", "train"), ("val", "test")):
            for name in classes:
                target = self.folder / "data" / split / name
                target.mkdir(parents=True)
                for image in sorted((SAMPLE / part / name).iterdir())[:per_class]:
                    shutil.copy(image, target)

    def make_recipe(self, text=RECIPE, name="small.toml"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def run_program(self, *arguments, timeout=120, **options):
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=options.pop("cwd", self.folder),
                              capture_output=True, text=True, timeout=timeout, **options)

    def expect(self, done, status, *texts):
        output = done.stdout + done.stderr
        self.assertEqual(done.returncode, status, output)
        for text in texts:
            self.assertIn(text, output)
        return output
