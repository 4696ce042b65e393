#pragma once

#include <memory>
#include <string>
#include <vector>

#include "stoker/checkpoint/store.h"
#include "stoker/methods/method.h"
#include "stoker/models/model.h"
#include "stoker/optim/optimizer.h"
#include "stoker/train/plan.h"

namespace stoker {

/// What changes while a model is trained: weights, optimizer, methods, random state.
class Session {
 public:
  /// Builds the model on the plan's device with weights from the seed, from
  /// `model.weights`, or from the first training images where the model asks for them.
  explicit Session(const Plan& plan) : Session(plan, nullptr) {}
  /// With a model of the caller's own instead of the recipe's, as it is.
  Session(const Plan& plan, std::shared_ptr<Model> own_model);

  Model& model() { return *model_; }
  Optimizer& optimizer() { return *optimizer_; }
  const std::vector<OptimizedParameter>& parameters() const { return parameters_; }
  const std::vector<std::unique_ptr<Method>>& methods() const { return methods_; }

  /// Fills `state.model` and `state.training` with the live tensors. Call between
  /// `use_published_weights` and `use_training_weights`.
  void capture(TrainingState& state) const;
  /// Copies a saved state into the live tensors, or nothing when something does not fit.
  void restore(const TrainingState& state);

  void use_published_weights();
  void use_training_weights();

  int64_t parameter_bytes() const;
  int64_t gradient_bytes() const;
  int64_t optimizer_bytes() const;

 private:
  void make_from_recipe(const Plan& plan);
  NamedTensors training_tensors() const;

  std::shared_ptr<Model> model_;
  std::vector<OptimizedParameter> parameters_;
  std::unique_ptr<Optimizer> optimizer_;
  std::vector<std::unique_ptr<Method>> methods_;
};

/// Puts the weights of convolutions into channels_last memory, or leaves them.
void lay_out(Model& model, bool channels_last);

}  // namespace stoker
