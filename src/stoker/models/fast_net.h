#pragma once

#include <memory>

#include "stoker/models/model.h"

namespace stoker {

/// A small CIFAR network for speedruns, in the manner of Jordan, "94% on CIFAR-10 in 3.29
/// seconds on a single GPU" (arXiv 2404.00498): a frozen whitening convolution made from
/// training patches, three groups of two convolutions with pooling, batch norm and GELU,
/// identity-like initial weights. `widths = [64, 256, 256]`, `scale = 0.1111` (of the
/// logits).
std::shared_ptr<Model> make_fast_net(const ModelSpec& spec);

}  // namespace stoker
