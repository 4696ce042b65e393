#include "stoker/methods/ema/ema.h"

#include "stoker/config/reader.h"
#include "stoker/methods/detail/average.h"

namespace stoker {

namespace {
class Ema : public Method {
 public:
  Ema(double decay, const ModelTensors& model) : decay_(decay), average_(model) {}
  void after_update(int64_t /*step*/, int64_t /*total_steps*/) override {
    average_.move(decay_);
  }
  void use_published_weights() override { average_.swap_with_model(); }
  void use_training_weights() override { average_.swap_with_model(); }
  ModelTensors state() const override { return average_.named("ema/"); }

 private:
  double decay_;
  detail::WeightAverage average_;
};
}  // namespace

std::unique_ptr<Method> make_ema(const config::Node& params, const ModelTensors& model) {
  double decay = 0.999;
  config::Reader reader(params, "method.ema");
  reader.read("decay", decay, {0, 0.9999999});
  reader.finish();
  return std::make_unique<Ema>(decay, model);
}

}  // namespace stoker
