#pragma once

#include "stoker/checkpoint/safetensors.h"

namespace stoker::parity {

/// Fills each tensor by the formula of tests/golden/formula.py, a hash of its name and of
/// the place of each element: the same weights here and in Python without a file.
void fill_by_formula(const NamedTensors& tensors);

}  // namespace stoker::parity
