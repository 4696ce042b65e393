import subprocess
import unittest

from harness import PROGRAM, SOURCE, ProgramTest

COMMANDS = ("train", "eval", "inspect", "list")


class Usage(ProgramTest):
    def test_help_has_examples_for_every_command(self):
        self.expect(self.run_program("--help"), 0, *COMMANDS)
        for command in COMMANDS:
            self.expect(self.run_program(command, "--help"), 0, "Example", f"stoker {command}")

    def test_an_unknown_command_gets_the_nearest(self):
        done = self.run_program("trian", "x.toml")
        self.expect(done, 2, "trian", "did you mean 'train'?")
        self.assertEqual(done.stdout, "")
        self.expect(self.run_program("frobnicate"), 2, *COMMANDS)

    def test_nothing_at_all_is_a_wrong_request(self):
        self.expect(self.run_program(), 2, "stoker --help")
        for command in ("train", "eval", "inspect"):
            self.expect(self.run_program(command), 2, f"stoker {command} --help")

    def test_an_unknown_option_is_a_wrong_request(self):
        self.expect(self.run_program("list", "--jsn"), 2, "--jsn", "stoker list --help")

    def test_list_gives_names_and_json(self):
        self.expect(self.run_program("list"), 0, "models:", "resnet18", "cosine", "random_crop", "tar")
        names = self.json_of("list")
        self.assertIn("resnet18", names["models"])
        self.assertEqual(self.run_program("list", "models").stdout.split(), names["models"])
        self.assertEqual(self.json_of("list", "schedules"), {"schedules": names["schedules"]})
        self.expect(self.run_program("list", "modells"), 2, "modells", *names)

    def test_inspect_reads_a_data_set(self):
        found = self.json_of("inspect", SOURCE / "examples/data/cifar10/test")
        self.assertEqual((found["records"], found["readable"]), (500, 500))
        self.assertEqual([item["name"] for item in found["classes"]][:2], ["airplane", "automobile"])
        self.assertEqual(found["sizes"], {"32x32": 500})

    def test_inspect_reads_a_recipe(self):
        path = self.make_recipe()
        text = self.expect(self.run_program("inspect", path), 0, "a valid recipe", "weight_decay")
        self.assertIn(self.json_of("inspect", path)["toml"], text)

    def test_a_missing_path_gets_the_nearest_name(self):
        self.make_data()
        self.expect(self.run_program("inspect", "data/trian"), 2, "data/trian", "did you mean 'train'?")

    def test_it_speaks_the_same_in_any_locale(self):
        path = self.make_recipe()
        answers = [self.run_program("inspect", path, env={"LC_ALL": name}) for name in ("C", "de_DE.UTF-8", "nonsense")]
        self.expect(answers[0], 0, "lr = 0.05")
        self.assertEqual({answer.stdout for answer in answers}, {answers[0].stdout})

    def test_an_answer_that_could_not_be_written_is_a_failure(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([PROGRAM, "list"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("standard output", done.stderr)


if __name__ == "__main__":
    unittest.main()
