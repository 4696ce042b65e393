#pragma once

#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "stoker/config/recipe.h"
#include "stoker/data/augment/program.h"
#include "stoker/data/formats/record_source.h"
#include "stoker/data/pipeline/loader.h"
#include "stoker/models/model.h"
#include "stoker/optim/schedule/schedule.h"

namespace stoker {

/// A data set ready to be read.
struct PlannedData {
  std::shared_ptr<const data::RecordSource> source;
  std::shared_ptr<const data::AugmentProgram> program;
  int64_t num_records() const { return source->describe().num_records; }
};

/// The recipe with every default and every `auto` resolved, and the data opened.
struct Plan {
  config::Recipe recipe;
  PlannedData train;
  PlannedData val;  ///< Empty when the recipe names none.
  torch::Device device = torch::kCPU;
  int64_t classes = 0;
  int64_t micro_batch = 0;
  int64_t accumulation = 1;
  int64_t threads = 1;      ///< Of compute.
  int64_t max_workers = 1;  ///< Of the loader, when its number is auto.
  TrainingLength length;
  std::string batch_equation;      ///< "256 = micro-batch 64 x accumulation 4 x ranks 1"
  std::vector<std::string> notes;  ///< What was chosen or left out, and why.
  ModelSpec model_spec() const;
};

struct PlanOptions {
  std::string cache_folder;  ///< For listings; empty: none.
  std::function<void(int64_t)> on_listing;
};

/// Opens the data, checks that everything fits together and resolves what is `auto` by
/// looking at the machine and measuring. Throws Error(kInvalid) before any training work.
Plan make_plan(const config::Recipe& recipe, const PlanOptions& options);

/// Opens one data set as the recipe reads it in evaluation; labels follow `classes` when
/// given.
PlannedData open_for_evaluation(const config::Recipe& recipe, const std::string& path,
                                const std::vector<std::string>& classes,
                                const PlanOptions& options);

/// Splits a global batch over micro-batches: the fewest equal parts that are at most
/// `largest`.
int64_t fit_micro_batch(int64_t batch, int64_t largest);

/// Peak bytes of activations and temporaries for each sample of a micro-batch, and the
/// fixed bytes of parameters and gradients, measured with a copy of the model.
struct StepMemory {
  int64_t fixed_bytes = 0;
  int64_t bytes_per_sample = 0;
};
StepMemory measure_step_memory(const ModelSpec& spec, int64_t height, int64_t width,
                               bool channels_last);

}  // namespace stoker
