// Trains a model of one's own on a folder of images: train_own_model TRAIN VAL OUT
#include <torch/torch.h>

#include <cstdio>
#include <filesystem>

#include "stoker/train/loop.h"

struct SmallNet : stoker::Model {
  SmallNet() {
    conv = register_module(
        "conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 16, 3).stride(2)));
    head = register_module("head", torch::nn::Linear(16, 10));
  }
  torch::Tensor forward(const torch::Tensor& input) override {
    return head(conv(input).relu().mean({2, 3}));
  }
  torch::nn::Conv2d conv{nullptr};
  torch::nn::Linear head{nullptr};
};

struct PrintEpochs : stoker::Listener {
  void on(const stoker::Event& event) override {
    if (const auto* epoch = std::get_if<stoker::EpochDone>(&event)) {
      std::printf("epoch %ld: loss %.3f\n", static_cast<long>(epoch->epoch), epoch->loss);
    }
  }
};

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  stoker::config::Recipe recipe;
  recipe.data.train = argv[1];
  recipe.data.val = argv[2];
  recipe.model.name = "small_net";
  recipe.train.epochs = 2;
  recipe.train.micro_batch = recipe.train.batch = 64;
  const stoker::Plan plan = stoker::make_plan(recipe, {});

  stoker::Events events;
  events.add(std::make_shared<PrintEpochs>());
  stoker::RunOptions options;
  options.folder = argv[3];
  options.model = std::make_shared<SmallNet>();
  std::filesystem::create_directories(options.folder);
  const stoker::RunFinished end = stoker::train(plan, events, options);
  std::printf("accuracy %.3f\n", end.best->accuracy);
  return end.completed ? 0 : 1;
}
