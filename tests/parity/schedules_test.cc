// Learning rates against torch.optim.lr_scheduler.
#include <gtest/gtest.h>

#include "golden.h"
#include "stoker/optim/schedule/schedule.h"

namespace stoker::parity {
namespace {

config::ScheduleConfig schedule_of(const nlohmann::json& keys) {
  config::ScheduleConfig config;
  config.name = keys["name"];
  config.to = keys.value("to", config.to);
  config.milestones = keys.value("milestones", config.milestones);
  config.step_epochs = keys.value("step_epochs", config.step_epochs);
  config.gamma = keys.value("gamma", config.gamma);
  config.unit = keys.value("unit", config.unit);
  const auto warmup = keys.value("warmup", nlohmann::json::object());
  config.warmup.epochs = warmup.value("epochs", 0.0);
  config.warmup.steps = warmup.value("steps", int64_t{0});
  if (warmup.contains("from")) config.warmup.from = warmup["from"].get<double>();
  return config;
}

TEST(Schedules, EqualThoseOfPyTorch) {
  const auto cases = golden_json("schedules.json");
  ASSERT_EQ(cases.size(), 14U);
  for (const auto& each : cases) {
    const auto config = schedule_of(each["config"]);
    const TrainingLength length{each["steps_per_epoch"], each["epochs"]};
    check_schedule(config, length);
    const double lr = each["lr"];
    const auto rates = each["rates"].get<std::vector<double>>();
    const int64_t steps_per_rate = config.unit == "epoch" ? length.steps_per_epoch : 1;
    for (int64_t step = 0; step < length.total_steps(); ++step) {
      const double expected = rates.at(static_cast<size_t>(step / steps_per_rate));
      ASSERT_NEAR(learning_rate(config, lr, step, length), expected, 1e-7 * expected)
          << each["config"] << " update " << step;
    }
  }
}

}  // namespace
}  // namespace stoker::parity
