#include "library/internals.h"

#include <ambit/error.h>

#include <algorithm>
#include <tuple>

namespace AMBIT_NAMESPACE {
namespace {

/// Returns whether an error refers to a place in a file. An error about an option names the option instead of a file.
bool is_file(const Diagnostic& error) {
  return error.file && (error.span.line != 0 || (error.file->path != "command line" && error.file->path[0] != '-'));
}

std::string text_of(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) text += problem.text;
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

Error::Error(std::vector<Problem> problems) : std::runtime_error(text_of(problems)), problems_(std::move(problems)) {}

Problem problem_of(const Diagnostic& error) {
  Diagnostic shown = error;
  if (!is_file(error)) shown.file = nullptr;
  return {.file = shown.file ? shown.file->path : "",
          .line = error.span.line,
          .column = error.span.column,
          .message = error.message,
          .hint = error.hint,
          .text = shown.render()};
}

void raise(const Diagnostics& errors) {
  std::vector<Problem> problems;
  for (const Diagnostic& error : errors) problems.push_back(problem_of(error));
  const auto place = [](const Problem& problem) { return std::tuple(problem.line, problem.column); };
  std::ranges::stable_sort(problems, {}, place);
  throw Error(std::move(problems));
}

std::vector<parser::RulesPtr> Internals::rules(const std::vector<Model>& models) {
  std::vector<parser::RulesPtr> rules;
  for (const Model& model : models) rules.push_back(model.content_->rules);
  return rules;
}

api::CheckingOptions checking_options(const Solving& solving) {
  api::CheckingOptions options;
  switch (solving.engine) {
    case Engine::Auto: options.engine = verdict::Engine::Auto; break;
    case Engine::Smt: options.engine = verdict::Engine::Smt; break;
    case Engine::Explicit: options.engine = verdict::Engine::Explicit; break;
  }
  options.unroll = solving.unroll;
  options.timeout_seconds = solving.limits.seconds;
  options.memory_bytes = solving.limits.memory;
  return options;
}

sim::Options simulator_options(const Simulating& simulating) {
  sim::Options options;
  options.memory = simulating.memory == Memory::Sc ? sim::MemoryKind::Sc : sim::MemoryKind::Gpu;
  switch (simulating.schedule) {
    case Schedule::Random: options.schedule = sim::ScheduleKind::Random; break;
    case Schedule::RoundRobin: options.schedule = sim::ScheduleKind::RoundRobin; break;
    case Schedule::Pct: options.schedule = sim::ScheduleKind::Pct; break;
    case Schedule::Exhaustive: options.schedule = sim::ScheduleKind::Exhaustive; break;
  }
  options.warps = simulating.warps == Warps::Lockstep ? sim::WarpKind::Lockstep : sim::WarpKind::Independent;
  options.seed = simulating.seed;
  options.runs = simulating.runs;
  options.max_runs = simulating.max_runs;
  options.max_steps = simulating.max_steps;
  return options;
}

}  // namespace AMBIT_NAMESPACE
