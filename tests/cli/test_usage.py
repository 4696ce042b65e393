import json
import subprocess
import unittest

from harness import PROGRAM, SOURCE, ProgramTest


class Usage(ProgramTest):
    def test_help_has_examples_for_every_command(self):
        self.expect(self.run_program("--help"), 0, "train", "eval", "inspect", "list")
        for command in ("train", "eval", "inspect", "list"):
            self.expect(self.run_program(command, "--help"), 0, "Example", f"stoker {command}")

    def test_an_unknown_command_gets_the_nearest(self):
        self.expect(self.run_program("trian", "x.toml"), 2, "trian", "did you mean 'train'?")

    def test_nothing_at_all_is_a_wrong_request(self):
        self.expect(self.run_program(), 2, "stoker --help")

    def test_an_unknown_option_is_a_wrong_request(self):
        self.expect(self.run_program("list", "--jsn"), 2, "--jsn", "stoker list --help")

    def test_list_gives_names_and_json(self):
        self.expect(self.run_program("list"), 0, "models:", "resnet18", "cosine", "random_crop", "tar")
        names = json.loads(self.expect(self.run_program("list", "--json"), 0))
        self.assertIn("resnet18", names["models"])
        self.assertEqual(self.run_program("list", "models").stdout.split(), names["models"])
        self.expect(self.run_program("list", "modells"), 2, "modells")

    def test_inspect_reads_a_data_set(self):
        done = self.run_program("inspect", SOURCE / "examples/data/cifar10/test", "--json")
        found = json.loads(self.expect(done, 0))
        self.assertEqual((found["records"], found["readable"]), (500, 500))
        self.assertEqual([item["name"] for item in found["classes"]][:2], ["airplane", "automobile"])
        self.assertEqual(found["sizes"], {"32x32": 500})

    def test_inspect_reads_a_recipe(self):
        path = self.make_recipe()
        self.expect(self.run_program("inspect", path), 0, "a valid recipe", "weight_decay")

    def test_a_missing_path_gets_the_nearest_name(self):
        self.make_data()
        self.expect(self.run_program("inspect", "data/trian"), 2, "data/trian", "train")

    def test_it_speaks_the_same_in_any_locale(self):
        path = self.make_recipe(SOURCE.joinpath("recipes/quickstart.toml").read_text().replace("../", f"{SOURCE}/"))
        plain = subprocess.run([PROGRAM, "inspect", path], env={"LC_ALL": "C"}, capture_output=True, check=True)
        german = subprocess.run([PROGRAM, "inspect", path], env={"LC_ALL": "de_DE.UTF-8"}, capture_output=True, check=True)
        self.assertEqual(plain.stdout, german.stdout)


if __name__ == "__main__":
    unittest.main()
