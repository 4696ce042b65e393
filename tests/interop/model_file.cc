// Our side of a round trip with Python:
//   write FOLDER                  a checkpoint of ResNet-18 with the weights of the
//   formula logits WEIGHTS INPUT OUTPUT   logits of ResNet-18 with the weights of a
//   safetensors file;
//                                 INPUT holds `input`, OUTPUT will hold `logits`
#include <torch/torch.h>

#include <cstdio>
#include <string>
#include <vector>

#include "formula_weights.h"
#include "stoker/base/error.h"
#include "stoker/checkpoint/store.h"
#include "stoker/models/model.h"

namespace {

std::shared_ptr<stoker::Model> resnet18() {
  using stoker::config::Node;
  return stoker::make_model({"resnet18", 1000, 3, Node(Node::Table{}, {"interop", 0})});
}

void write(const std::string& folder) {
  const auto model = resnet18();
  stoker::TrainingState state;
  state.step = 1;
  state.model = named_tensors(*model);
  stoker::parity::fill_by_formula(state.model);
  const auto saved = stoker::CheckpointStore(folder, 1, false).save(state, false);
  std::printf("%s\n", saved.path.c_str());
}

void logits(const std::string& weights, const std::string& input,
            const std::string& output) {
  const auto model = resnet18();
  stoker::copy_named_tensors(stoker::read_safetensors(weights).tensors,
                             named_tensors(*model), weights);
  model->eval();
  const torch::NoGradGuard no_grad;
  const torch::Tensor images = stoker::read_safetensors(input).tensors.at(0).second;
  stoker::write_safetensors(output, {{"logits", model->forward(images)}});
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    if (words.size() == 2 && words[0] == "write") {
      write(words[1]);
    } else if (words.size() == 4 && words[0] == "logits") {
      logits(words[1], words[2], words[3]);
    } else {
      return 2;
    }
  } catch (const stoker::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
