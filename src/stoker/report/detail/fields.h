#pragma once

#include <type_traits>

#include "stoker/events/events.h"

namespace stoker::detail {

template <typename T, typename Known>
constexpr bool kIs = std::is_same_v<std::remove_const_t<T>, Known>;

/// Shows every field of an event, or of a part of one, to `visit(name, field)`: the one
/// place that says how metrics.jsonl names them, for writing (`T` const) and for reading.
template <typename T, typename Visitor>
void visit_fields(T& value, Visitor&& visit) {
  if constexpr (kIs<T, TimeSplit>) {
    visit("data_wait", value.data_wait);
    visit("copy", value.copy);
    visit("forward", value.forward);
    visit("backward", value.backward);
    visit("optimizer", value.optimizer);
    visit("evaluation", value.evaluation);
    visit("checkpoint", value.checkpoint);
    visit("other", value.other);
  } else if constexpr (kIs<T, MemorySplit>) {
    visit("parameters", value.parameters);
    visit("gradients", value.gradients);
    visit("optimizer", value.optimizer);
    visit("activations", value.activations);
    visit("loader", value.loader);
    visit("peak_rss", value.peak_rss);
  } else if constexpr (kIs<T, RunStarted>) {
    visit("name", value.name);
    visit("folder", value.folder);
    visit("device", value.device);
    visit("model", value.model);
    visit("parameters", value.parameters);
    visit("classes", value.classes);
    visit("train_samples", value.train_samples);
    visit("val_samples", value.val_samples);
    visit("epochs", value.epochs);
    visit("steps_per_epoch", value.steps_per_epoch);
    visit("batch_equation", value.batch_equation);
    visit("target_accuracy", value.target_accuracy);
    visit("notes", value.notes);
    visit("environment", value.environment);
    visit("plan_toml", value.plan_toml);
  } else if constexpr (kIs<T, StepDone>) {
    visit("epoch", value.epoch);
    visit("step_in_epoch", value.step_in_epoch);
    visit("samples", value.samples);
    visit("loss", value.loss);
    visit("learning_rate", value.learning_rate);
    visit("gradient_norm", value.gradient_norm);
    visit("time", value.time);
  } else if constexpr (kIs<T, EvaluationDone>) {
    visit("epoch", value.epoch);
    visit("samples", value.samples);
    visit("correct", value.correct);
    visit("loss", value.loss);
    visit("accuracy", value.accuracy);
    visit("seconds", value.seconds);
    visit("best", value.best);
  } else if constexpr (kIs<T, EpochDone>) {
    visit("epoch", value.epoch);
    visit("samples", value.samples);
    visit("loss", value.loss);
    visit("accuracy", value.accuracy);
    visit("learning_rate", value.learning_rate);
    visit("samples_per_second", value.samples_per_second);
    visit("busy", value.busy);
    visit("seconds", value.seconds);
    visit("rss", value.rss);
    visit("evaluation", value.evaluation);
    visit("time", value.time);
  } else if constexpr (kIs<T, CheckpointSaved>) {
    visit("path", value.path);
    visit("bytes", value.bytes);
    visit("seconds", value.seconds);
    visit("best", value.best);
    visit("interrupted", value.interrupted);
  } else if constexpr (kIs<T, Warned>) {
    visit("message", value.message);
  } else if constexpr (kIs<T, BadSample>) {
    visit("name", value.name);
    visit("reason", value.reason);
  } else {
    static_assert(kIs<T, RunFinished>);
    visit("completed", value.completed);
    visit("reason", value.reason);
    visit("resume_command", value.resume_command);
    visit("wall_seconds", value.wall_seconds);
    visit("time", value.time);
    visit("memory", value.memory);
    visit("samples_per_second", value.samples_per_second);
    visit("busy", value.busy);
    visit("last", value.last);
    visit("best", value.best);
    visit("bad_samples", value.bad_samples);
    visit("target_accuracy", value.target_accuracy);
    visit("outputs", value.outputs);
  }
}

}  // namespace stoker::detail
