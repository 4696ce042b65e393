#pragma once

#include "stoker/methods/method.h"

namespace stoker {

/// Zhang et al., "Lookahead optimizer: k steps forward, 1 step back" (NeurIPS 2019):
/// every `every` updates the slow weights move towards the weights, and the weights
/// return to them. The share kept of the slow weights grows as decay^every * (step /
/// total)^3 (Jordan, arXiv 2404.00498), and the last update leaves the slow weights.
/// `decay = 0.95`, `every = 5`.
std::unique_ptr<Method> make_lookahead(const config::Node& params,
                                       const ModelTensors& model);

/// The share of the slow weights that is kept at update `step` of `total`.
double lookahead_keep(double decay, int64_t every, int64_t step, int64_t total);

}  // namespace stoker
