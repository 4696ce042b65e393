#pragma once

#include "stoker/methods/method.h"

namespace stoker {

/// Keeps every weight within [-limit, limit]. `limit = 1`.
std::unique_ptr<Method> make_clip_weights(const config::Node& params,
                                          const ModelTensors& model);

}  // namespace stoker
