#include "stoker/runtime/cuda.h"

#include <c10/cuda/CUDAFunctions.h>
#include <cuda_runtime_api.h>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"

namespace stoker::cuda {

bool available() { return c10::cuda::device_count() > 0; }

std::string device_name() {
  cudaDeviceProp properties{};
  const cudaError_t status = cudaGetDeviceProperties(&properties, 0);
  if (status != cudaSuccess) {
    throw Error(ErrorCode::kIo, cat("[runtime] GPU 0: cannot be asked for its name: ",
                                    cudaGetErrorString(status)));
  }
  return properties.name;
}

void synchronize() { c10::cuda::device_synchronize(); }

}  // namespace stoker::cuda
