#include "api/check/detect_inputs.h"

#include <memory>
#include <optional>
#include <utility>

#include "api/check/checking_options.h"
#include "api/files.h"
#include "base/deadline_flag.h"
#include "parser/parse.h"
#include "trace/open_trace.h"

namespace ambit::api {
namespace {

class Inputs {
 public:
  Inputs(const DetectRequest& request, const DetectCallbacks& callbacks, const std::atomic<bool>& interrupted)
      : request_(request), callbacks_(callbacks), interrupted_(interrupted) {}

  /// Loads the detectors that the inputs need.
  std::optional<Diagnostics> prepare(const std::vector<std::string>& files) {
    for (const std::string& file : files) {
      std::optional<std::vector<ChosenDetector>>& chosen = names_trace(file) ? for_traces_ : for_tests_;
      if (chosen) continue;
      auto made = names_trace(file) ? chosen_trace_detectors(request_.selection) : chosen_detectors(request_.selection);
      if (!made.ok()) return made.errors();
      chosen = std::move(made).value();
    }
    return std::nullopt;
  }

  /// Searches one input for races. Returns false if an interrupt came before the input could be read.
  bool look_at(const std::string& file) {
    was_cut_ = false;
    const bool is_trace = names_trace(file);
    const std::optional<double> seconds = is_trace ? request_.trace_seconds : std::optional(request_.test_seconds);
    const DeadlineFlag stop(interrupted_, seconds ? std::optional(time_limit(*seconds)) : std::nullopt);
    is_trace ? look_at_trace(file, stop) : look_at_tests(file, stop);
    return !was_cut_;
  }

 private:
  void look_at_trace(const std::string& file, const DeadlineFlag& stop) {
    auto result = detect_in_file(file, *for_traces_, stop.flag());
    if (!result.ok() && stop.reason() == UnknownReason::Timeout) {
      return fail(file, {path_error(file == "-" ? "<stdin>" : file, "the trace had no events within --timeout")});
    }
    SourceLines lines;
    finish(file, std::move(result), lines, stop);
  }

  void look_at_tests(const std::string& file, const DeadlineFlag& stop) {
    const auto source = read_input(file, stop.flag(), FileKinds::TestsAndTraces);
    if (!source.ok()) return fail(file, source.errors());
    const auto programs = read_programs(file, source.value(), request_.reading, request_.code, stop.flag());
    if (!programs.ok()) return fail(file, programs.errors());
    SourceLines lines;
    lines.add(source.value());
    for (const auto& program : programs.value()) {
      if (callbacks_.read) callbacks_.read(*program);
      finish(file,
             detect_in_runs(program, program->name, *for_tests_, request_.options, stop.flag(), request_.only_run),
             lines, stop);
    }
  }

  void finish(const std::string& file, Result<report::DetectionResult> result, SourceLines& lines,
              const DeadlineFlag& stop) {
    if (!result.ok()) return fail(file, result.errors());
    if (!result.value().incomplete.empty() && stop.reason() == UnknownReason::Timeout) {
      result.value().incomplete = request_.options.schedule == sim::ScheduleKind::Exhaustive && !names_trace(file)
                                      ? "stopped at --timeout; --schedule random --runs N runs some of the schedules"
                                      : "stopped at --timeout";
    }
    result.value().file = file == "-" ? "<stdin>" : file;
    const RaceVerdict verdict = verdict_of(result.value(), !request_.selection.has_all());
    callbacks_.detected({std::move(result).value(), verdict}, lines);
  }

  void fail(const std::string& file, const Diagnostics& errors) {
    // An interrupt ends the wait for a pipe with an error.
    was_cut_ = interrupted_.load(std::memory_order_relaxed);
    if (!was_cut_) callbacks_.failed(file, render(errors));
  }

  const DetectRequest& request_;
  const DetectCallbacks& callbacks_;
  const std::atomic<bool>& interrupted_;
  std::optional<std::vector<ChosenDetector>> for_traces_;
  std::optional<std::vector<ChosenDetector>> for_tests_;
  bool was_cut_ = false;
};

}  // namespace

bool names_trace(const std::string& path) { return trace::is_trace_name(path) || path == "-"; }

Result<std::size_t> detect_inputs(const DetectRequest& request, const DetectCallbacks& callbacks,
                                  const std::atomic<bool>& interrupted) {
  const auto files = collect_files(request.paths, FileKinds::TestsAndTraces);
  if (!files.ok()) return files.errors();
  Inputs inputs(request, callbacks, interrupted);
  if (auto errors = inputs.prepare(files.value())) return *std::move(errors);
  for (std::size_t i = 0; i < files.value().size(); ++i) {
    if (interrupted.load(std::memory_order_relaxed)) return files.value().size() - i;
    if (callbacks.started) callbacks.started(i, files.value().size(), files.value()[i]);
    if (!inputs.look_at(files.value()[i])) return files.value().size() - i;
  }
  return std::size_t{0};
}

}  // namespace ambit::api
