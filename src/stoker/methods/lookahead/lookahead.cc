#include "stoker/methods/lookahead/lookahead.h"

#include <cmath>

#include "stoker/config/reader.h"
#include "stoker/methods/detail/average.h"

namespace stoker {

double lookahead_keep(double decay, int64_t every, int64_t step, int64_t total) {
  if (step == total) return 1;
  const double done = static_cast<double>(step) / static_cast<double>(total);
  return std::pow(decay, static_cast<double>(every)) * std::pow(done, 3);
}

namespace {
class Lookahead : public Method {
 public:
  Lookahead(double decay, int64_t every, const ModelTensors& model)
      : decay_(decay), every_(every), slow_(model) {}
  void after_update(int64_t step, int64_t total_steps) override {
    const bool last = step == total_steps;
    if (step % every_ != 0 && !last) return;
    slow_.move(lookahead_keep(decay_, every_, step, total_steps));
    slow_.copy_to_model();
  }
  ModelTensors state() const override { return slow_.named("lookahead/"); }

 private:
  double decay_;
  int64_t every_;
  detail::WeightAverage slow_;
};
}  // namespace

std::unique_ptr<Method> make_lookahead(const config::Node& params,
                                       const ModelTensors& model) {
  double decay = 0.95;
  int64_t every = 5;
  config::Reader reader(params, "method.lookahead");
  reader.read("decay", decay, {0, 1});
  reader.read("every", every, {1, 1e9});
  reader.finish();
  return std::make_unique<Lookahead>(decay, every, model);
}

}  // namespace stoker
