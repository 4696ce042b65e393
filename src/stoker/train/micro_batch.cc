#include <torch/torch.h>

#include <algorithm>

#include "stoker/runtime/memory.h"
#include "stoker/train/plan.h"
#include "stoker/train/session.h"

namespace stoker {

int64_t fit_micro_batch(int64_t batch, int64_t largest) {
  const int64_t parts = (batch + largest - 1) / std::max<int64_t>(1, largest);
  return (batch + parts - 1) / std::max<int64_t>(1, parts);
}

namespace {
/// Peak bytes of one forward and backward of `samples` samples, and the bytes that stay.
std::pair<int64_t, int64_t> peak_of_step(Model& model, const std::vector<int64_t>& shape,
                                         bool channels_last) {
  reset_memory_peak();
  {
    auto input = torch::zeros(shape);
    if (channels_last) input = input.contiguous(torch::MemoryFormat::ChannelsLast);
    model.forward(input).sum().backward();
  }
  const MemoryCount count = memory_count();
  return {count.peak_bytes, count.live_bytes};
}
}  // namespace

StepMemory measure_step_memory(const ModelSpec& spec, int64_t height, int64_t width,
                               bool channels_last) {
  install_memory_counter();
  constexpr int64_t kFew = 2;
  constexpr int64_t kMore = 6;
  const MemoryCount before = memory_count();
  const auto model = make_model(spec);
  lay_out(*model, channels_last);
  model->train();
  peak_of_step(*model, {kFew, spec.channels, height, width}, channels_last);
  const auto few =
      peak_of_step(*model, {kFew, spec.channels, height, width}, channels_last);
  const auto more =
      peak_of_step(*model, {kMore, spec.channels, height, width}, channels_last);
  StepMemory memory;
  memory.bytes_per_sample =
      std::max<int64_t>(1, (more.first - few.first) / (kMore - kFew));
  memory.fixed_bytes = more.second - before.live_bytes;
  return memory;
}

}  // namespace stoker
