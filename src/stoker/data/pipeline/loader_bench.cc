#include <benchmark/benchmark.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "stoker/base/testing.h"
#include "stoker/data/formats/detail/test_archives.h"
#include "stoker/data/pipeline/detail/test_loading.h"

namespace stoker::data {
namespace {

/// The committed part of CIFAR-10 as an archive, byte for byte the same files.
std::shared_ptr<const RecordSource> as_tar(const RecordSource& folder) {
  static const stoker::testing::TemporaryFolder temporary;
  const std::string path = (temporary.path() / "cifar.tar").string();
  std::vector<std::pair<std::string, std::string>> members;
  for (int64_t i = 0; i < folder.describe().num_records; ++i) {
    const std::filesystem::path name = folder.name(i);
    std::ostringstream content;
    content << std::ifstream(name, std::ios::binary).rdbuf();
    members.emplace_back(name.lexically_relative(folder.describe().path), content.str());
  }
  testing::write_bytes(path, testing::tar_of(members));
  return open_source(path, {});
}

/// All samples of an epoch with the CIFAR training chain, batches of 128.
void load(benchmark::State& state, const std::shared_ptr<const RecordSource>& source) {
  const auto program = testing::program_of(testing::kCifarTraining);
  LoaderOptions options;
  options.order = {source->describe().num_records, 1, true};
  options.workers = state.range(0);
  int64_t samples = 0;
  for (auto _ : state) {
    Loader loader(source, program, options);
    ++options.first_epoch;
    while (auto batch = loader.next()) samples += batch->size();
  }
  state.SetItemsProcessed(samples);
}

const std::shared_ptr<const RecordSource>& folder_source() {
  static const std::shared_ptr<const RecordSource> source =
      open_source(testing::cifar_path("train"), {});
  return source;
}

void cifar_folder(benchmark::State& state) { load(state, folder_source()); }
void cifar_tar(benchmark::State& state) {
  static const auto source = as_tar(*folder_source());
  load(state, source);
}
BENCHMARK(cifar_folder)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(cifar_tar)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stoker::data
