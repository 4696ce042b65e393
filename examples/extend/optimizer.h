#pragma once

#include "stoker/optim/optimizer.h"

namespace stoker {

/// Steps of one size by the gradient's sign (Bernstein et al., "signSGD", ICML 2018),
/// with decoupled decay.
std::unique_ptr<Optimizer> make_sign_sgd(const config::OptimizerConfig& config,
                                         std::vector<OptimizedParameter> parameters);

}  // namespace stoker
