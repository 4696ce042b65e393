import unittest

from harness import RECIPE, ProgramTest


class WrongRecipes(ProgramTest):
    """Refused before any work, with file, line, key, what is allowed and the nearest name."""

    def refuse(self, text, *expected, arguments=()):
        self.make_data(per_class=3)
        path = self.make_recipe(text)
        output = self.expect(self.run_program("train", path, *arguments), 2, *expected)
        left = {path.name for path in self.folder.iterdir()}
        self.assertEqual(left, {"data", path.name}, "work was begun")
        return output

    def test_unknown_key(self):
        self.refuse(RECIPE.replace("epochs = 2", "epoch = 2"), "small.toml:10", "train.epoch", "did you mean 'epochs'?")

    def test_wrong_type(self):
        self.refuse(RECIPE.replace("epochs = 2", 'epochs = "two"'), "small.toml:10", "train.epochs", "integer", '"two"')

    def test_out_of_range(self):
        self.refuse(RECIPE.replace("lr = 0.05", "lr = -1"), "small.toml:14", "optimizer.lr", "-1")

    def test_syntax(self):
        self.refuse(RECIPE + "\n[data\n", "small.toml:")

    def test_unknown_model_and_its_keys(self):
        self.refuse(RECIPE.replace("fast_net", "fastnet"), "fastnet", "did you mean 'fast_net'?")

    def test_unknown_augmentation(self):
        self.refuse(RECIPE.replace("hflip", "hflp"), "small.toml:5", "hflp", "hflip")

    def test_wrong_parameter_of_an_augmentation(self):
        self.refuse(RECIPE.replace("p = 0.5", "p = 1.5"), "small.toml:5", "1.5")

    def test_keeping_no_checkpoint(self):
        self.refuse(RECIPE + "[checkpoint]\nkeep_last = 0\n", "small.toml:16", "checkpoint.keep_last")

    def test_warm_up_longer_than_the_training(self):
        self.refuse(RECIPE + "[schedule]\nwarmup = { epochs = 3 }\n", "schedule.warmup")

    def test_wrong_override(self):
        self.refuse(RECIPE, "--set train.epoch=3", "did you mean 'epochs'?", arguments=("--set", "train.epoch=3"))
        self.expect(self.run_program("train", "small.toml", "--set", "nonsense"), 2, "--set nonsense", "value")

    def test_missing_recipe(self):
        self.expect(self.run_program("train", "none.toml"), 2, "none.toml")

    def test_missing_data(self):
        self.refuse(RECIPE.replace("data/train", "data/trian"), "data/trian", "did you mean 'train'?",
                    arguments=("--out", "deep/er/run"))

    def test_dry_run_prints_the_plan_and_leaves_nothing(self):
        self.make_data(per_class=3)
        done = self.run_program("train", self.make_recipe(), "--dry-run", "--set", "train.epochs=7")
        self.expect(done, 0, "epochs = 7", "micro_batch = 6")
        self.assertFalse((self.folder / "runs").exists())

    def test_a_refused_json_request_prints_nothing_that_could_be_read_as_an_answer(self):
        self.make_data(per_class=3)
        done = self.run_program("train", self.make_recipe(), "--set", "train.epoch=1", "--json")
        self.expect(done, 2, "train.epoch")
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
