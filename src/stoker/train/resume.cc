#include <vector>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"
#include "stoker/config/recipe.h"
#include "stoker/train/loop.h"

namespace stoker {

void check_resume(const Plan& plan, const TrainingState& state) {
  const config::Recipe saved =
      config::parse_recipe(state.plan_toml, "checkpoint/plan.toml");
  const config::Recipe& now = plan.recipe;
  std::vector<std::string> differing;
  const auto compare = [&](const char* field, const auto& was, const auto& is) {
    if (was != is) differing.push_back(cat(field, ": checkpoint ", was, ", recipe ", is));
  };
  compare("seed", saved.seed, now.seed);
  compare("model.name", saved.model.name, now.model.name);
  compare("model.classes", saved.model.classes.value_or(0),
          now.model.classes.value_or(0));
  compare("model's own keys", saved.model.params.toml(), now.model.params.toml());
  compare("data.channels", saved.data.channels, now.data.channels);
  compare("data.drop_last", saved.data.drop_last, now.data.drop_last);
  compare("train.batch", saved.train.batch, now.train.batch);
  compare("optimizer.name", saved.optimizer.name, now.optimizer.name);
  compare("classes", join(state.classes, " "),
          join(plan.train.source->describe().classes, " "));
  if (!differing.empty()) {
    throw Error(
        ErrorCode::kInvalid,
        cat("[resume] the checkpoint is of another training: ", join(differing, "; "),
            " (hint: train without --resume, or start from its weights with "
            "model.weights)"));
  }
  if (state.epoch >= plan.length.epochs) {
    throw Error(ErrorCode::kInvalid,
                cat("[resume] the checkpoint has all of its ", state.epoch,
                    " epochs (hint: --set train.epochs=", state.epoch + 1, " or more)"));
  }
}

}  // namespace stoker
