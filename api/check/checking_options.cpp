#include "api/check/checking_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/check/stm_program.h"
#include "api/files.h"
#include "base/deadline_flag.h"
#include "detector/algorithms/registry.h"
#include "detector/detector.h"
#include "parser/parse.h"

namespace ambit::api {
namespace {

/// Adds a remark for each line `detect NAME` with an unknown NAME that resembles the name of a shipped detector. Any
/// other unknown name may belong to a user's detector.
void remark_unknown_detectors(std::shared_ptr<const Program>& program) {
  Diagnostics remarks;
  for (const DetectExpectation& expected : program->detections) {
    if (detector::find_detector(expected.detector) != nullptr) continue;
    std::vector<std::string_view> names;
    for (const detector::DetectorDescription& one : detector::detectors()) names.push_back(one.name);
    const std::string_view near = nearest_name(expected.detector, names);
    if (near.empty()) continue;
    remarks.push_back({program->source, expected.span, fmt::format("no detector is called '{}'", expected.detector),
                       fmt::format("did you mean '{}'? Only a detector of your own may have this name", near),
                       Severity::Note});
  }
  if (remarks.empty()) return;
  auto changed = std::make_shared<Program>(*program);
  changed->remarks.insert(changed->remarks.end(), remarks.begin(), remarks.end());
  program = std::move(changed);
}

}  // namespace

Result<std::vector<std::shared_ptr<const Program>>> read_tests(const std::string& file, const CheckingOptions& options,
                                                               const std::atomic<bool>& interrupted) {
  Result<SourceFilePtr> source = read_input(file, interrupted);
  if (!source.ok()) return source.errors();
  const DeadlineFlag stop(interrupted, time_limit(options.timeout_seconds));
  auto programs = read_programs(file, source.value(), program_options(options), options.reading, stop.flag());
  if (!programs.ok()) return programs;
  std::ranges::for_each(programs.value(), remark_unknown_detectors);
  if (!options.stm) return programs;
  for (std::shared_ptr<const Program>& program : programs.value()) {
    auto coded = with_stm(*program, {*options.stm, options.attempts});
    if (!coded.ok()) return coded.errors();
    program = std::move(coded).value();
  }
  return programs;
}

parser::ProgramOptions program_options(const CheckingOptions& options) {
  parser::ProgramOptions program;
  program.max_threads = options.max_threads;
  program.uninitialized = options.uninitialized;
  program.opaque_branches = options.opaque_branches;
  if (!options.launch.empty()) program.launch = options.launch;
  program.defines = options.defines;
  return program;
}

verdict::CheckOptions engine_options(const CheckingOptions& options) {
  verdict::CheckOptions engine;
  engine.engine = options.engine;
  const bool is_dumped = !options.dump_directory.empty();
  if (engine.engine == verdict::Engine::Auto && is_dumped) engine.engine = verdict::Engine::Smt;
  engine.unroll = options.unroll;
  engine.symmetry = options.symmetry;
  engine.deepen = options.deepen;
  engine.max_events = options.max_events;
  return engine;
}

void set_limits(Context& context, const CheckingOptions& options, const std::atomic<bool>& interrupted) {
  context.set_timeout(time_limit(options.timeout_seconds));
  context.set_memory_limit(options.memory_bytes);
  context.set_cancellation(&interrupted);
}

std::chrono::milliseconds time_limit(double seconds) {
  constexpr double kLongest = 1e6;  // longest limit in seconds; a larger value would overflow the clock
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::max(1.0, std::min(seconds, kLongest) * 1000)));
}

}  // namespace ambit::api
