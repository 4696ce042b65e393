#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>

namespace stoker {

/// What this process may use.
struct Machine {
  int64_t cores = 1;  ///< By affinity and control-group quota, not what is built in.
  int64_t memory_bytes = 0;  ///< Free for this process now, control-group limit included.
  std::string cpu;           ///< "Intel Xeon ... (avx512, bf16)".
};

Machine look_at_machine();

/// The accelerator when there is one and this build knows it, else the CPU.
torch::Device pick_device();
/// "CPU, Intel Xeon, 2 threads" or the GPU's name.
std::string describe_device(const torch::Device& device);
/// Waits until the device has done all that it was given; nothing to wait for on a CPU.
void synchronize(const torch::Device& device);
/// Threads that LibTorch's kernels use; also keeps its inter-operation pool at one.
void set_compute_threads(int64_t threads);

/// Resident bytes of this process now, and their peak since it started.
int64_t resident_bytes();
int64_t peak_resident_bytes();

}  // namespace stoker
