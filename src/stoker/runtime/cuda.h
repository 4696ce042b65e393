#pragma once

#include <string>

namespace stoker::cuda {

/// Chosen at build time: cuda.cc with the preset `cuda`, else no_cuda.cc.
bool available();
std::string device_name();
void synchronize();

}  // namespace stoker::cuda
