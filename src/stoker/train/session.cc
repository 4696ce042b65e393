#include "stoker/train/session.h"

#include <torch/torch.h>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"
#include "stoker/train/feed.h"

namespace stoker {

namespace {
constexpr const char* kRandomState = "random/cpu";

int64_t bytes_of(const torch::Tensor& tensor) {
  return tensor.defined() ? static_cast<int64_t>(tensor.nbytes()) : 0;
}

/// The first training images, unaugmented, in one tensor.
torch::Tensor initial_images(const Plan& plan, int64_t count) {
  const PlannedData data = open_for_evaluation(plan.recipe, plan.recipe.data.train,
                                               plan.train.source->describe().classes, {});
  data::LoaderOptions options;
  options.order = {data.num_records(), plan.recipe.seed, /*shuffle=*/true};
  options.batch = std::min(count, data.num_records());
  options.max_bad_samples = plan.recipe.data.max_bad_samples;
  data::Loader loader(data.source, data.program, options);
  auto batch = loader.next();
  return batch ? to_device(*batch, torch::kCPU, plan.recipe.train.channels_last)
                     .input.clone()
               : torch::Tensor();
}

void load_weights(Model& model, const std::string& path) {
  copy_named_tensors(read_safetensors(path).tensors, named_tensors(model), path);
}
}  // namespace

void lay_out(Model& model, bool channels_last) {
  if (!channels_last) return;
  const torch::NoGradGuard no_grad;
  for (torch::Tensor& parameter : model.parameters()) {
    if (parameter.dim() == 4) {
      parameter.set_data(parameter.contiguous(torch::MemoryFormat::ChannelsLast));
    }
  }
}

void Session::make_from_recipe(const Plan& plan) {
  model_ = make_model(plan.model_spec());
  if (!plan.recipe.model.weights.empty()) {
    load_weights(*model_, plan.recipe.model.weights);
  } else if (model_->num_initial_samples() > 0) {
    const auto images = initial_images(plan, model_->num_initial_samples());
    if (images.defined()) model_->initialise(images);
  }
}

Session::Session(const Plan& plan, std::shared_ptr<Model> own_model)
    : model_(std::move(own_model)) {
  torch::manual_seed(plan.recipe.seed);
  if (!model_) make_from_recipe(plan);
  model_->to(plan.device);
  lay_out(*model_, plan.recipe.train.channels_last);
  model_->train();

  std::vector<std::pair<std::string, torch::Tensor>> named;
  for (const auto& item : model_->named_parameters())
    named.emplace_back(item.key(), item.value());
  parameters_ = optimized_parameters(named, plan.recipe.optimizer);
  optimizer_ = make_optimizer(plan.recipe.optimizer, parameters_);
  for (const auto& method : plan.recipe.methods) {
    methods_.push_back(make_method(method, named_tensors(*model_)));
  }
}

NamedTensors Session::training_tensors() const {
  NamedTensors tensors;
  for (const auto& [name, tensor] : optimizer_->state()) {
    tensors.emplace_back(cat("optimizer/", name), tensor);
  }
  for (const auto& method : methods_) {
    for (const auto& item : method->state()) tensors.push_back(item);
  }
  return tensors;
}

void Session::capture(TrainingState& state) const {
  state.model = named_tensors(*model_);
  state.training = training_tensors();
  state.training.emplace_back(kRandomState,
                              at::detail::getDefaultCPUGenerator().get_state());
}

void Session::restore(const TrainingState& state) {
  NamedTensors training = training_tensors();
  torch::Tensor random = at::detail::getDefaultCPUGenerator().get_state();
  training.emplace_back(kRandomState, random);
  use_published_weights();
  copy_named_tensors(state.model, named_tensors(*model_), "checkpoint, model");
  copy_named_tensors(state.training, training, "checkpoint, training state");
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  generator.set_state(random);
  use_training_weights();
}

void Session::use_published_weights() {
  for (const auto& method : methods_) method->use_published_weights();
}
void Session::use_training_weights() {
  for (auto method = methods_.rbegin(); method != methods_.rend(); ++method) {
    (*method)->use_training_weights();
  }
}

int64_t Session::parameter_bytes() const {
  int64_t bytes = 0;
  for (const auto& [name, tensor] : named_tensors(*model_)) bytes += bytes_of(tensor);
  return bytes;
}
int64_t Session::gradient_bytes() const {
  int64_t bytes = 0;
  for (const auto& parameter : parameters_) bytes += bytes_of(parameter.tensor.grad());
  return bytes;
}
int64_t Session::optimizer_bytes() const {
  int64_t bytes = 0;
  for (const auto& [name, tensor] : training_tensors()) bytes += bytes_of(tensor);
  return bytes;
}

}  // namespace stoker
