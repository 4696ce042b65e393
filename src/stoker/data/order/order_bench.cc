#include <benchmark/benchmark.h>

#include "stoker/data/order/order.h"

namespace stoker::data {
namespace {

void record_at(benchmark::State& state) {
  const Order order{state.range(0), 1, true};
  int64_t position = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(order.record_at(3, position));
    position = position + 1 < order.num_records ? position + 1 : 0;
  }
}
BENCHMARK(record_at)->Arg(22)->Arg(50'000)->Arg(1'281'167)->Arg(1'000'000'000);

}  // namespace
}  // namespace stoker::data
