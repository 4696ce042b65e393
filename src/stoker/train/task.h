#pragma once

#include <torch/types.h>

#include <cstdint>

#include "stoker/config/recipe.h"
#include "stoker/models/model.h"

namespace stoker {

/// What one forward pass of a batch gives.
struct TaskOutput {
  torch::Tensor loss_sum;  ///< Sum over the samples, scalar, with a gradient in training.
  torch::Tensor correct;   ///< Samples whose largest logit is their label, int64 scalar.
};

/// What is learnt: turns a model's output and the labels into a loss and counts.
class Task {
 public:
  virtual ~Task() = default;
  /// `input` [N, C, H, W], `labels` [N] int64.
  virtual TaskOutput run(Model& model, const torch::Tensor& input,
                         const torch::Tensor& labels) const = 0;
};

/// Several views of an image in evaluation: the logits are their weighted mean.
struct EvaluationViews {
  bool flip = false;  ///< Each view and its mirror image.
  int64_t shift =
      0;  ///< Above 0: also two views shifted by so many pixels, half the weight.
};

/// Cross entropy over classes with label smoothing (Szegedy et al., 2016), as
/// torch.nn.functional.cross_entropy. In evaluation the loss is not smoothed.
class ImageClassification : public Task {
 public:
  ImageClassification(double label_smoothing, EvaluationViews views)
      : label_smoothing_(label_smoothing), views_(views) {}
  explicit ImageClassification(const config::TrainConfig& train)
      : ImageClassification(train.label_smoothing, {train.eval_flip, train.eval_shift}) {}
  TaskOutput run(Model& model, const torch::Tensor& input,
                 const torch::Tensor& labels) const override;

 private:
  double label_smoothing_;
  EvaluationViews views_;
};

}  // namespace stoker
