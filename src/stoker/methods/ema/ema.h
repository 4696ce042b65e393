#pragma once

#include "stoker/methods/method.h"

namespace stoker {

/// Exponential moving average of parameters and buffers, once an update; evaluation and
/// the published weights are the average. `decay = 0.999`.
std::unique_ptr<Method> make_ema(const config::Node& params, const ModelTensors& model);

}  // namespace stoker
