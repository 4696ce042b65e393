// Training steps on request: reads a number of steps from each line of standard input,
// takes them and prints the seconds that they took. step_bench RECIPE
#include <torch/torch.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

#include "stoker/base/clock.h"
#include "stoker/train/session.h"
#include "stoker/train/step.h"

namespace {
using namespace stoker;  // NOLINT(google-build-using-namespace)

/// Numbers from -0.5 to 0.5 that look random and are the same everywhere.
torch::Tensor scattered(torch::IntArrayRef shape, int64_t start) {
  const auto count = c10::multiply_integers(shape);
  const auto wave = torch::sin(torch::arange(count, torch::kFloat64) + start) * 1e4;
  return (wave - torch::floor(wave) - 0.5).to(torch::kFloat32).reshape(shape);
}

/// One loss that both sides must agree on; peers/torch_step.py has the same.
double loss_of_formula(const ModelSpec& spec) {
  const torch::NoGradGuard no_grad;
  const auto model = make_model(spec);
  model->named_parameters()["fc.bias"].zero_();
  for (torch::Tensor& parameter : model->parameters()) {
    if (parameter.dim() > 1)
      parameter.copy_(0.2 * scattered(parameter.sizes(), parameter.size(0)));
  }
  lay_out(*model, true);
  model->train();
  const auto input =
      scattered({16, 3, 32, 32}, 0).contiguous(torch::MemoryFormat::ChannelsLast);
  const auto labels = torch::arange(16).remainder(10);
  return torch::nn::functional::cross_entropy(model->forward(input), labels)
      .item<double>();
}

int run(const char* path) {
  const config::Recipe recipe = config::load_recipe(path);
  const Plan plan = make_plan(recipe, {});
  Session session(plan);
  const ImageClassification task(recipe.train);
  TrainStep step(plan, session, task);
  data::LoaderOptions options;
  options.order = {plan.train.num_records(), recipe.seed, /*shuffle=*/true};
  options.batch = plan.micro_batch;
  options.global_batch = plan.recipe.train.batch;
  options.drop_last = true;
  options.num_epochs = 1000;
  data::Loader loader(plan.train.source, plan.train.program, options);
  UpdateFeed feed(loader);
  std::printf("{\"parameters\": %ld, \"threads\": %d, \"loss\": %.9g}\n",
              static_cast<long>(count_parameters(session.model())),
              torch::get_num_threads(), loss_of_formula(plan.model_spec()));
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    const Stopwatch watch;
    for (int i = std::stoi(line); i > 0; --i) {
      feed.begin_update();
      step.run(feed, plan.recipe.train.batch, 0.01);
    }
    std::printf("%.6f\n", watch.seconds());
    std::fflush(stdout);
  }
  return 0;
}
}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: step_bench RECIPE\n", stderr);
    return 2;
  }
  try {
    return run(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "step_bench: %s\n", error.what());
    return 1;
  }
}
