#include "stoker/runtime/device.h"

#include <sched.h>
#include <sys/resource.h>
#include <torch/torch.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>

#include "stoker/base/error.h"
#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/runtime/cuda.h"

namespace stoker {

namespace {
std::optional<int64_t> leading_number(std::string_view text) {
  text = trim(text);
  int64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  return value;
}

/// The value behind `key:` in a /proc file of such lines.
std::optional<std::string> proc_field(const char* file, std::string_view key) {
  if (!std::filesystem::exists(file)) return std::nullopt;
  for (const std::string& line : split(read_file(file), '\n')) {
    if (line.rfind(key, 0) != 0) continue;
    const size_t colon = line.find(':');
    if (colon != std::string::npos) return std::string(trim(line.substr(colon + 1)));
  }
  return std::nullopt;
}

std::optional<std::string> control_group_file(const char* name) {
  const std::string path = cat("/sys/fs/cgroup/", name);
  if (!std::filesystem::exists(path)) return std::nullopt;
  return read_file(path);
}

int64_t usable_cores() {
  cpu_set_t set;
  int64_t cores = ::sysconf(_SC_NPROCESSORS_ONLN);
  if (::sched_getaffinity(0, sizeof set, &set) == 0) cores = CPU_COUNT(&set);
  if (const auto quota = control_group_file("cpu.max")) {
    const auto parts = split(trim(*quota), ' ');
    const auto allowed = leading_number(parts[0]);
    const auto period = parts.size() > 1 ? leading_number(parts[1]) : std::nullopt;
    if (allowed && period && *period > 0) {
      const double share = static_cast<double>(*allowed) / static_cast<double>(*period);
      cores = std::min(cores, static_cast<int64_t>(std::ceil(share)));
    }
  }
  return std::max<int64_t>(1, cores);
}

int64_t usable_memory() {
  const auto field = proc_field("/proc/meminfo", "MemAvailable");
  int64_t bytes = (field ? leading_number(*field).value_or(0) : 0) * 1024;
  const auto limit = control_group_file("memory.max");
  const auto used = control_group_file("memory.current");
  if (limit && used) {
    const auto max = leading_number(*limit);
    const auto now = leading_number(*used);
    if (max && now) bytes = std::min(bytes, std::max<int64_t>(0, *max - *now));
  }
  return bytes;
}

std::string cpu_name() {
  std::string name = proc_field("/proc/cpuinfo", "model name").value_or("unknown CPU");
  const std::string flags =
      cat(" ", proc_field("/proc/cpuinfo", "flags").value_or(""), " ");
  std::vector<std::string> units;
  for (const char* flag : {"avx2", "avx512f", "avx512_bf16", "amx_bf16"}) {
    if (flags.find(cat(" ", flag, " ")) != std::string::npos) units.emplace_back(flag);
  }
  return units.empty() ? name : cat(name, " (", join(units, ", "), ")");
}
}  // namespace

Machine look_at_machine() { return {usable_cores(), usable_memory(), cpu_name()}; }

torch::Device pick_device() {
  return cuda::available() ? torch::Device(torch::kCUDA, 0) : torch::Device(torch::kCPU);
}

std::string describe_device(const torch::Device& device) {
  if (device.is_cuda()) return cat("GPU, ", cuda::device_name());
  const int threads = torch::get_num_threads();
  return cat("CPU, ", cpu_name(), ", ", threads, threads == 1 ? " thread" : " threads");
}

void synchronize(const torch::Device& device) {
  if (device.is_cuda()) cuda::synchronize();
}

void set_compute_threads(int64_t threads) {
  torch::set_num_threads(static_cast<int>(threads));
}

int64_t resident_bytes() {
  const auto field = proc_field("/proc/self/status", "VmRSS");
  return (field ? leading_number(*field).value_or(0) : 0) * 1024;
}

int64_t peak_resident_bytes() {
  struct rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  return int64_t{usage.ru_maxrss} * 1024;
}

}  // namespace stoker
