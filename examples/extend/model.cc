#include "model.h"

#include <torch/torch.h>

#include "stoker/config/reader.h"

namespace stoker {

namespace {
/// Average the pixels, then one linear layer: the smallest model that learns colours.
class ColourNet : public Model {
 public:
  ColourNet(int64_t channels, int64_t hidden, int64_t classes) {
    hidden_ = register_module("hidden", torch::nn::Linear(channels, hidden));
    head_ = register_module("head", torch::nn::Linear(hidden, classes));
  }
  torch::Tensor forward(const torch::Tensor& input) override {
    return head_(hidden_(input.mean({2, 3})).relu());
  }

 private:
  torch::nn::Linear hidden_{nullptr}, head_{nullptr};
};
}  // namespace

std::shared_ptr<Model> make_colour_net(const ModelSpec& spec) {
  int64_t hidden = 16;
  config::Reader reader(spec.params, "model");
  reader.read("hidden", hidden, {1, 65536});
  reader.finish();
  return std::make_shared<ColourNet>(spec.channels, hidden, spec.classes);
}

}  // namespace stoker
