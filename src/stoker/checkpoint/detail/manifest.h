#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "stoker/checkpoint/detail/tensor_file.h"
#include "stoker/checkpoint/store.h"

namespace stoker::detail {

inline constexpr char kManifestFile[] = "manifest.json";
inline constexpr char kModelFile[] = "model.safetensors";
inline constexpr char kTrainingFile[] = "training.safetensors";
inline constexpr char kDoneFile[] = "DONE";

/// What a checkpoint folder holds beside the tensors, and what its files must be.
struct Manifest {
  TrainingState state;  ///< Without tensors.
  std::map<std::string, TensorFileRecord> files;
};

std::string format_manifest(const Manifest& manifest);
/// Throws Error(kData) that names `place`, the field, expected and got.
Manifest parse_manifest(std::string_view text, const std::string& place);

}  // namespace stoker::detail
