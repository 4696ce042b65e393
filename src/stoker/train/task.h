#pragma once

#include <torch/types.h>

#include <cstdint>

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

/// Cross entropy over classes with label smoothing (Szegedy et al., 2016), as
/// torch.nn.functional.cross_entropy. In evaluation the loss is not smoothed, and with
/// `flip` the logits are the mean of an image's and its mirror image's.
class ImageClassification : public Task {
 public:
  ImageClassification(double label_smoothing, bool flip_in_evaluation)
      : label_smoothing_(label_smoothing), flip_(flip_in_evaluation) {}
  TaskOutput run(Model& model, const torch::Tensor& input,
                 const torch::Tensor& labels) const override;

 private:
  double label_smoothing_;
  bool flip_;
};

}  // namespace stoker
