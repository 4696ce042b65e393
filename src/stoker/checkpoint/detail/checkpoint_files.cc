#include "stoker/checkpoint/detail/checkpoint_files.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <ctime>

#include "stoker/base/checksum.h"
#include "stoker/base/error.h"
#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/checkpoint/detail/manifest.h"
#include "stoker/checkpoint/detail/tensor_file.h"

namespace stoker::detail {
namespace fs = std::filesystem;

namespace {
constexpr std::string_view kStepPrefix = "step-";

void write_flushed(const fs::path& path, const std::string& content) {
  OutputFile file(path);
  file.write(content);
  file.flush_and_close();
}

/// DONE proves the manifest, as the manifest proves the rest.
std::string done_mark(std::string_view manifest) {
  return cat(xxh128(manifest.data(), manifest.size()), "\n");
}

bool is_leftover(const std::string& name) {
  if (name.starts_with(cat(kBestFile, ".tmp"))) return true;
  for (const std::string_view mark : {".tmp-", ".old-"}) {
    const size_t at = name.find(mark);
    if (at != std::string::npos && step_of(name.substr(0, at))) return true;
  }
  return false;
}

fs::path beside(const fs::path& checkpoint, std::string_view mark) {
  fs::path path = checkpoint;
  path += cat(mark, ::getpid());
  return path;
}

const TensorFileRecord& record_of(const Manifest& manifest, const char* file,
                                  const fs::path& checkpoint) {
  const auto found = manifest.files.find(file);
  if (found != manifest.files.end()) return found->second;
  throw Error(ErrorCode::kData,
              cat("[checkpoint] ", (checkpoint / kManifestFile).string(),
                  ": expected an entry for ", file, ", got none"));
}

NamedTensors read_tensors(const fs::path& path, const TensorFileRecord& record) {
  std::error_code problem;
  const uint64_t bytes = fs::file_size(path, problem);
  if (problem || bytes != record.bytes) {
    throw Error(ErrorCode::kData,
                cat("[checkpoint] ", path.string(), ": expected ", record.bytes,
                    " bytes, got ", problem ? problem.message() : std::to_string(bytes)));
  }
  const OpenTensorFile file(path);
  file.check(record);
  return file.read().tensors;
}
}  // namespace

std::string step_folder_name(int64_t step) {
  std::string digits = std::to_string(step);
  if (digits.size() < 8) digits.insert(0, 8 - digits.size(), '0');
  return cat(kStepPrefix, digits);
}

std::optional<int64_t> step_of(const std::string& folder_name) {
  if (!folder_name.starts_with(kStepPrefix)) return std::nullopt;
  const char* begin = folder_name.data() + kStepPrefix.size();
  const char* end = folder_name.data() + folder_name.size();
  int64_t step = 0;
  const auto [at, problem] = std::from_chars(begin, end, step);
  if (problem != std::errc() || at != end || begin == end || step < 0)
    return std::nullopt;
  return step;
}

bool is_complete(const fs::path& checkpoint) {
  std::error_code ignored;
  return fs::is_regular_file(checkpoint / kDoneFile, ignored);
}

std::vector<fs::path> step_folders(const fs::path& folder) {
  std::vector<std::pair<int64_t, fs::path>> found;
  std::error_code problem;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    const std::optional<int64_t> step = step_of(at->path().filename().string());
    std::error_code ignored;
    if (step && at->is_directory(ignored)) found.emplace_back(*step, at->path());
  }
  if (problem && problem != std::errc::no_such_file_or_directory) {
    throw Error(ErrorCode::kIo, cat("[checkpoint] ", folder.string(),
                                    ": cannot list the folder: ", problem.message()));
  }
  std::sort(found.begin(), found.end());
  std::vector<fs::path> paths;
  for (auto& [step, path] : found) paths.push_back(std::move(path));
  return paths;
}

int64_t write_checkpoint(const fs::path& target, const TrainingState& state) {
  Manifest manifest;
  manifest.state = {.step = state.step,
                    .epoch = state.epoch,
                    .step_in_epoch = state.step_in_epoch,
                    .model = {},
                    .training = {},
                    .values = state.values,
                    .plan_toml = state.plan_toml,
                    .classes = state.classes};
  // Readers from the transformers library want to know whose tensors these are.
  const std::map<std::string, std::string> pytorch = {{"format", "pt"}};
  manifest.files[kModelFile] =
      write_tensor_file(target / kModelFile, state.model, pytorch, TiedTensors::kOnce);
  manifest.files[kTrainingFile] =
      write_tensor_file(target / kTrainingFile, state.training, {}, TiedTensors::kOnce);
  const std::string text = format_manifest(manifest);
  write_flushed(target / kManifestFile, text);
  for (const auto& [name, record] : manifest.files) {
    OpenTensorFile(target / name).check(record);
  }
  write_flushed(target / kDoneFile, done_mark(text));
  flush_folder(target);

  auto bytes = static_cast<int64_t>(text.size() + done_mark(text).size());
  for (const auto& [name, record] : manifest.files) {
    bytes += static_cast<int64_t>(record.bytes);
  }
  return bytes;
}

TrainingState read_checkpoint(const fs::path& checkpoint) {
  const fs::path manifest_path = checkpoint / kManifestFile;
  const std::string text = read_file(manifest_path);
  const std::string done = read_file(checkpoint / kDoneFile);
  if (done != done_mark(text)) {
    throw Error(ErrorCode::kData,
                cat("[checkpoint] ", manifest_path.string(), ": expected hash ",
                    shown(trim(done)), " as in DONE, got ", trim(done_mark(text))));
  }
  const Manifest manifest = parse_manifest(text, manifest_path.string());
  TrainingState state = manifest.state;
  state.model =
      read_tensors(checkpoint / kModelFile, record_of(manifest, kModelFile, checkpoint));
  state.training = read_tensors(checkpoint / kTrainingFile,
                                record_of(manifest, kTrainingFile, checkpoint));
  return state;
}

int64_t needed_bytes(const TrainingState& state) {
  constexpr uint64_t kBlock = 4096;
  constexpr uint64_t kManifestPerTensor = 256;
  uint64_t bytes = 8 * kBlock + state.plan_toml.size();
  for (const std::string& name : state.classes) bytes += name.size() + 8;
  for (const auto* tensors : {&state.model, &state.training}) {
    bytes += tensor_file_bytes(*tensors, {});
    for (const auto& [name, tensor] : *tensors) bytes += name.size() + kManifestPerTensor;
  }
  return static_cast<int64_t>((bytes + kBlock - 1) / kBlock * kBlock);
}

void put_in_place(const fs::path& finished, const fs::path& target) {
  if (!fs::exists(target)) {
    rename_durably(finished, target);
    return;
  }
  if (::renameat2(AT_FDCWD, finished.c_str(), AT_FDCWD, target.c_str(),
                  RENAME_EXCHANGE) == 0) {
    flush_folder(target.parent_path());
    fs::remove_all(finished);
    return;
  }
  // Not every network file system can exchange two names at once.
  const fs::path old = beside(target, ".old-");
  rename_durably(target, old);
  rename_durably(finished, target);
  fs::remove_all(old);
}

void remove_checkpoint(const fs::path& checkpoint) {
  const fs::path old = beside(checkpoint, ".old-");
  rename_durably(checkpoint, old);
  fs::remove_all(old);
}

void clean_up(const fs::path& folder) {
  std::vector<fs::path> leftovers;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (is_leftover(entry.path().filename().string())) leftovers.push_back(entry.path());
  }
  for (const fs::path& checkpoint : step_folders(folder)) {
    if (!is_complete(checkpoint)) leftovers.push_back(checkpoint);
  }
  for (const fs::path& leftover : leftovers) fs::remove_all(leftover);
}

FileSizeSignalBlock::FileSizeSignalBlock() {
  sigset_t wanted;
  sigset_t before;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &wanted, &before);
  was_blocked_ = sigismember(&before, SIGXFSZ) == 1;
}

FileSizeSignalBlock::~FileSizeSignalBlock() {
  if (was_blocked_) return;
  sigset_t mine;
  sigemptyset(&mine);
  sigaddset(&mine, SIGXFSZ);
  const timespec at_once{};
  while (sigtimedwait(&mine, nullptr, &at_once) == SIGXFSZ) {
  }
  pthread_sigmask(SIG_UNBLOCK, &mine, nullptr);
}

}  // namespace stoker::detail
