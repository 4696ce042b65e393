#include "stoker/train/plan.h"

#include <algorithm>
#include <filesystem>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"
#include "stoker/base/units.h"
#include "stoker/data/codecs/image.h"
#include "stoker/runtime/device.h"
#include "stoker/runtime/memory.h"

namespace stoker {

namespace {
/// A share of the free memory stays for the loader, the kernels' scratch and everybody
/// else.
constexpr double kUsableMemory = 0.7;

std::shared_ptr<data::AugmentProgram> compile(
    const config::Recipe& recipe, const std::vector<config::NamedConfig>& chain,
    const data::RecordSource& source) {
  const auto layout =
      recipe.train.channels_last ? data::Layout::kNhwc : data::Layout::kNchw;
  auto program = std::make_shared<data::AugmentProgram>(
      chain, static_cast<int>(recipe.data.channels), layout);
  if (program->height() > 0) return program;

  // No operation fixes the size: the first readable image gives it.
  data::RecordBuffer buffer;
  data::ImageDecoder decoder;
  std::string reason;
  for (int64_t i = 0; i < source.describe().num_records; ++i) {
    const auto record = source.read(i, buffer);
    if (!record) continue;
    const auto info = decoder.probe(record->bytes);
    if (!info) continue;
    program->set_size(info->height, info->width);
    return program;
  }
  throw Error(ErrorCode::kData, cat("[plan] ", source.describe().path,
                                    ": expected at least one readable image, got none"));
}

std::vector<config::NamedConfig> evaluation_ops(const config::Recipe& recipe) {
  return recipe.data.eval_augment ? *recipe.data.eval_augment
                                  : data::evaluation_chain(recipe.data.augment);
}

PlannedData open_data(const config::Recipe& recipe, const std::string& path,
                      const std::vector<std::string>& classes, bool training,
                      const PlanOptions& options) {
  PlannedData data;
  data.source = data::open_source(path, {.classes = classes,
                                         .cache_folder = options.cache_folder,
                                         .on_progress = options.on_listing});
  if (data.source->describe().num_records == 0) {
    throw Error(ErrorCode::kData, cat("[plan] ", path, ": expected records, got none"));
  }
  data.program = compile(recipe, training ? recipe.data.augment : evaluation_ops(recipe),
                         *data.source);
  return data;
}

/// An augmentation that no image fits into must not be found out in the first epoch. Some
/// samples may be bad.
void try_first_samples(const Plan& plan) {
  constexpr int64_t kTried = 16;
  data::LoaderOptions options;
  options.order = {plan.train.num_records(), plan.recipe.seed, /*shuffle=*/false};
  options.batch = 1;
  options.workers = 1;
  options.max_bad_samples = std::min(kTried, plan.train.num_records()) - 1;
  data::Loader(plan.train.source, plan.train.program, options).next();
}

void resolve_classes(Plan& plan) {
  const auto& found = plan.train.source->describe().classes;
  const auto in_data = static_cast<int64_t>(found.size());
  plan.classes = plan.recipe.model.classes.value_or(in_data);
  plan.recipe.model.classes = plan.classes;
  if (plan.classes < in_data) {
    throw Error(ErrorCode::kInvalid,
                cat("[plan] model.classes: expected at least ", in_data,
                    ", the classes in ", plan.recipe.data.train, ", got ", plan.classes));
  }
}

void resolve_threads(Plan& plan, const Machine& machine) {
  plan.threads = plan.recipe.train.threads.value_or(machine.cores);
  plan.recipe.train.threads = plan.threads;
  plan.max_workers = machine.cores;
  plan.notes.push_back(plan.recipe.data.workers
                           ? cat("threads: ", plan.threads, " compute, ",
                                 *plan.recipe.data.workers, " loader")
                           : cat("threads: ", plan.threads,
                                 " compute; loader auto, from 1 up to ", plan.max_workers,
                                 " while the step waits for data"));
}

void resolve_batch(Plan& plan, const Machine& machine) {
  const int64_t batch = std::min(plan.recipe.train.batch, plan.train.num_records());
  if (batch < plan.recipe.train.batch) {
    plan.notes.push_back(cat("batch: ", batch, " instead of ", plan.recipe.train.batch,
                             ", the data set has no more samples"));
    plan.recipe.train.batch = batch;
  }
  if (plan.recipe.train.micro_batch) {
    plan.micro_batch = std::min(*plan.recipe.train.micro_batch, batch);
  } else {
    const StepMemory memory =
        measure_step_memory(plan.model_spec(), plan.train.program->height(),
                            plan.train.program->width(), plan.recipe.train.channels_last);
    const auto usable =
        static_cast<int64_t>(kUsableMemory * static_cast<double>(machine.memory_bytes)) -
        2 * memory.fixed_bytes;
    const int64_t largest = usable / memory.bytes_per_sample;
    if (largest < 1) {
      throw Error(ErrorCode::kInvalid,
                  cat("[plan] train.micro_batch: one sample needs ",
                      format_bytes(2 * memory.fixed_bytes + memory.bytes_per_sample),
                      ", free are ", format_bytes(machine.memory_bytes)));
    }
    plan.micro_batch = fit_micro_batch(batch, largest);
    plan.notes.push_back(cat("micro-batch: ", plan.micro_batch, " (",
                             format_bytes(memory.bytes_per_sample),
                             " a sample measured, ", largest, " would fit in memory)"));
  }
  plan.recipe.train.micro_batch = plan.micro_batch;
  // Tensors of the same sizes: the evaluation takes the memory that training has.
  plan.recipe.train.eval_batch = plan.recipe.train.eval_batch.value_or(plan.micro_batch);
  plan.accumulation = (batch + plan.micro_batch - 1) / plan.micro_batch;
  plan.batch_equation = cat(batch, " = micro-batch ", plan.micro_batch,
                            " x accumulation ", plan.accumulation, " x ranks 1");
  if (plan.micro_batch * plan.accumulation != batch) {
    plan.batch_equation += cat(", the last micro-batch has ",
                               batch - plan.micro_batch * (plan.accumulation - 1));
  }
}
}  // namespace

ModelSpec Plan::model_spec() const {
  return {recipe.model.name, classes, recipe.data.channels, recipe.model.params,
          recipe.train.convolution == "auto"};
}

PlannedData open_for_evaluation(const config::Recipe& recipe, const std::string& path,
                                const std::vector<std::string>& classes,
                                const PlanOptions& options) {
  return open_data(recipe, path, classes, /*training=*/false, options);
}

Plan make_plan(const config::Recipe& recipe, const PlanOptions& options) {
  install_memory_counter();
  Plan plan;
  plan.recipe = recipe;
  plan.device = pick_device();
  const Machine machine = look_at_machine();
  plan.train = open_data(recipe, recipe.data.train, {}, /*training=*/true, options);
  resolve_classes(plan);
  try_first_samples(plan);
  if (!recipe.data.val.empty()) {
    plan.val = open_for_evaluation(recipe, recipe.data.val,
                                   plan.train.source->describe().classes, options);
    if (plan.val.program->height() != plan.train.program->height() ||
        plan.val.program->width() != plan.train.program->width()) {
      plan.notes.push_back("evaluation images have another size than training images");
    }
  }
  for (const auto* planned : {&plan.train, &plan.val}) {
    if (!planned->source) continue;
    for (const auto& note : planned->source->describe().notes) plan.notes.push_back(note);
  }
  resolve_threads(plan, machine);
  set_compute_threads(plan.threads);
  resolve_batch(plan, machine);
  plan.length.epochs = recipe.train.epochs;
  plan.length.steps_per_epoch = data::num_batches(
      plan.train.num_records(), plan.recipe.train.batch, recipe.data.drop_last);
  check_schedule(recipe.schedule, plan.length);
  return plan;
}

}  // namespace stoker
