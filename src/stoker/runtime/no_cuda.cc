#include "stoker/runtime/cuda.h"

namespace stoker::cuda {

bool available() { return false; }
std::string device_name() { return {}; }
void synchronize() {}

}  // namespace stoker::cuda
