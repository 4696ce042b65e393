#include "method.h"

#include <torch/torch.h>

#include "stoker/config/reader.h"

namespace stoker {

namespace {
class ClipWeights : public Method {
 public:
  ClipWeights(double limit, const ModelTensors& model) : limit_(limit), model_(model) {}
  void after_update(int64_t /*step*/, int64_t /*total_steps*/) override {
    const torch::NoGradGuard no_grad;
    for (auto& [name, tensor] : model_) {
      if (tensor.requires_grad()) tensor.clamp_(-limit_, limit_);
    }
  }

 private:
  double limit_;
  ModelTensors model_;
};
}  // namespace

std::unique_ptr<Method> make_clip_weights(const config::Node& params,
                                          const ModelTensors& model) {
  double limit = 1;
  config::Reader reader(params, "method.clip_weights");
  reader.read("limit", limit, {1e-9, 1e9});
  reader.finish();
  return std::make_unique<ClipWeights>(limit, model);
}

}  // namespace stoker
