#include "stoker/data/augment/program.h"

#include <algorithm>

#include "stoker/base/strings.h"
#include "stoker/config/reader.h"
#include "stoker/data/augment/detail/canvas.h"
#include "stoker/data/augment/detail/operation.h"
#include "stoker/data/augment/detail/parameters.h"

namespace stoker::data {
namespace {

using detail::Operation;
using detail::OperationEntry;
using detail::Size;

const OperationEntry& entry_of(const config::NamedConfig& named) {
  for (const OperationEntry& entry : detail::all_operations()) {
    if (named.name == entry.name) return entry;
  }
  throw Error(ErrorCode::kInvalid,
              cat("[recipe] ", named.params.where().text(), ": unknown augmentation '",
                  named.name, "'", suggestion(named.name, list_augmentations())));
}

/// Parameters as a table: `resize = 256` is `resize = { size = 256 }`.
config::Node table_of(const config::Node& params, const char* main_parameter) {
  if (params.is_table()) return params;
  config::Node::Table table;
  if (!std::holds_alternative<std::monostate>(params.value())) {
    table.emplace_back(main_parameter, params);
  }
  return {std::move(table), params.where()};
}

std::unique_ptr<Operation> make_operation(const config::NamedConfig& named,
                                          int channels) {
  const OperationEntry& entry = entry_of(named);
  const config::Node table = table_of(named.params, entry.main_parameter);
  config::Reader reader(table, named.name);
  auto operation = entry.make(reader, channels);
  reader.finish();
  return operation;
}

detail::Normalization unit_range() {
  constexpr double kZero = 0;
  constexpr double kOne = 1;
  return detail::Normalization::of({&kZero, 1}, {&kOne, 1});
}

}  // namespace

AugmentScratch::AugmentScratch() : buffers_(std::make_unique<detail::Buffers>()) {}
AugmentScratch::~AugmentScratch() = default;
AugmentScratch::AugmentScratch(AugmentScratch&&) noexcept = default;
AugmentScratch& AugmentScratch::operator=(AugmentScratch&&) noexcept = default;

struct AugmentProgram::Steps {
  std::vector<std::unique_ptr<Operation>> operations;
  detail::Normalization normalization = unit_range();
  int channels = 3;
  Layout layout = Layout::kNchw;
  Size size;

  Size size_from(Size source) const {
    for (const auto& operation : operations) source = operation->size_after(source);
    return source;
  }

  void add(const config::NamedConfig& named) {
    if (!operations.empty() && operations.back()->normalization() != nullptr) {
      throw Error(ErrorCode::kInvalid,
                  cat("[recipe] ", named.params.where().text(),
                      ": expected normalize as the last augmentation, got '", named.name,
                      "' after it (move normalize to the end)"));
    }
    operations.push_back(make_operation(named, channels));
    if (const auto* given = operations.back()->normalization()) normalization = *given;
  }
};

AugmentProgram::AugmentProgram(const std::vector<config::NamedConfig>& chain,
                               int channels, Layout layout)
    : steps_(std::make_unique<Steps>()) {
  if (channels != 1 && channels != 3) {
    throw Error(ErrorCode::kInvalid,
                cat("[augment] expected 1 or 3 channels, got ", channels));
  }
  steps_->channels = channels;
  steps_->layout = layout;
  for (const config::NamedConfig& named : chain) steps_->add(named);
  steps_->size = steps_->size_from({});
}

AugmentProgram::~AugmentProgram() = default;
AugmentProgram::AugmentProgram(AugmentProgram&&) noexcept = default;
AugmentProgram& AugmentProgram::operator=(AugmentProgram&&) noexcept = default;

int AugmentProgram::height() const { return steps_->size.height; }
int AugmentProgram::width() const { return steps_->size.width; }
int AugmentProgram::channels() const { return steps_->channels; }

void AugmentProgram::set_size(int height, int width) {
  steps_->size = steps_->size_from({height, width});
}

std::vector<std::string> AugmentProgram::describe() const {
  std::vector<std::string> lines;
  for (const auto& operation : steps_->operations) lines.push_back(operation->describe());
  return lines;
}

Status AugmentProgram::run(std::span<const std::byte> encoded, const SampleKey& key,
                           float* slot, AugmentScratch& scratch) const {
  const Steps& steps = *steps_;
  detail::Canvas canvas(encoded, steps.channels, scratch.buffers());
  Status status = canvas.open();
  for (size_t i = 0; status.ok() && i < steps.operations.size(); ++i) {
    status = steps.operations[i]->apply(canvas, key, static_cast<uint32_t>(i));
  }
  if (!status) return status;
  if (canvas.width() != steps.size.width || canvas.height() != steps.size.height) {
    return Failure{cat("expected ", detail::text(steps.size),
                       " pixels after the augmentations, got ",
                       detail::text({canvas.height(), canvas.width()}),
                       " (add a resize or a crop that fixes the size)")};
  }
  return canvas.write(steps.normalization, steps.layout, slot);
}

std::vector<config::NamedConfig> evaluation_chain(
    const std::vector<config::NamedConfig>& training_chain) {
  std::vector<config::NamedConfig> chain;
  for (const config::NamedConfig& named : training_chain) {
    std::ranges::move(entry_of(named).for_evaluation(named), std::back_inserter(chain));
  }
  return chain;
}

}  // namespace stoker::data
