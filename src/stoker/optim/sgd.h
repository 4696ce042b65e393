#pragma once

#include <memory>
#include <vector>

#include "stoker/optim/optimizer.h"

namespace stoker {

/// SGD with momentum, Nesterov and L2 decay as torch.optim.SGD (dampening 0), fused over
/// all parameters of a kind.
std::unique_ptr<Optimizer> make_sgd(const config::OptimizerConfig& config,
                                    std::vector<OptimizedParameter> parameters);

}  // namespace stoker
