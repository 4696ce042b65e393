// Writes what the listeners make of the made-up training of report/testing.h: 300 steps,
// cut off in the third epoch, then resumed from the end of the second.
#include <filesystem>
#include <memory>

#include "stoker/report/html.h"
#include "stoker/report/metrics.h"
#include "stoker/report/tensorboard.h"
#include "stoker/report/testing.h"

namespace {
stoker::Events listeners(const std::filesystem::path& folder) {
  stoker::Events events;
  events.add(std::make_shared<stoker::MetricsWriter>(folder));
  events.add(std::make_shared<stoker::TensorBoardWriter>(folder / "tensorboard"));
  events.add(std::make_shared<stoker::HtmlReport>(folder));
  return events;
}
}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1];
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  using Run = stoker::testing::MadeUpRun;
  {
    const stoker::Events events = listeners(folder);
    Run(events, folder).run(0, 300);
  }
  const stoker::Events events = listeners(folder);
  Run run(events, folder);
  run.run(240, Run::kSteps);
  run.finish(true, Run::kSteps - 240);
  return 0;
}
