"""Runs the program in a folder of its own, on a few real images."""
import contextlib
import json
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

    def json_of(self, *arguments, status=0, **options):
        """What is on standard output has to be JSON and nothing else."""
        done = self.run_program(*arguments, "--json", **options)
        self.expect(done, status)
        return json.loads(done.stdout)

    def metrics(self, run):
        """The lines of a run's metrics; each has to be a JSON object."""
        text = (self.folder / run / "metrics.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    @contextlib.contextmanager
    def small_disk(self, options):
        """A file system of its own, where this user may mount one."""
        disk = self.folder / "disk"
        disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", disk]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
            self.skipTest("no mounts here")
        try:
            yield disk
        finally:
            subprocess.run(["umount", disk], check=True)
