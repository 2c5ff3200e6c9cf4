#include "api/check/race_timeline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "api/check/detection.h"
#include "api/files.h"
#include "api/stoppable_reader.h"
#include "base/plural.h"
#include "trace/open_trace.h"

namespace ambit::api {
namespace {

/// Returns the races of all detectors, without duplicates.
std::vector<RaceReport> races_in(const report::DetectionResult& found) {
  std::vector<RaceReport> races;
  for (const report::DetectorFindings& findings : found.detectors) {
    for (const RaceReport& race : findings.races) {
      const auto is_same = [&](const RaceReport& other) { return is_same_race(race, other); };
      if (std::ranges::none_of(races, is_same)) races.push_back(race);
    }
  }
  return races;
}

/// Returns "races by a, b". If no detector found a race, returns the detectors without a race and the detectors without
/// an answer.
std::string found_text(const report::DetectionResult& found) {
  std::vector<std::string> all;
  std::vector<std::string> silent;
  std::vector<std::string> unknown;
  bool has_race = false;
  for (const report::DetectorFindings& findings : found.detectors) {
    all.push_back(findings.detector);
    has_race = has_race || !findings.races.empty();
    if (findings.is_unknown()) {
      unknown.push_back(fmt::format("; not known by {}: {}", findings.detector, fmt::join(findings.remarks, "; ")));
    } else {
      silent.push_back(findings.detector);
    }
  }
  if (has_race) return fmt::format("races by {}", fmt::join(all, ", "));
  const std::string none = silent.empty() ? "" : fmt::format("; no race by {}", fmt::join(silent, ", "));
  return (none + fmt::format("{}", fmt::join(unknown, ""))).substr(2);
}

}  // namespace

Result<report::Timeline> race_timeline(const std::string& file, const TraceQuestion& question,
                                       const std::atomic<bool>& stopped) {
  const auto chosen = chosen_trace_detectors(question.detectors);
  if (!chosen.ok()) return chosen.errors();
  for (const ChosenDetector& one : chosen.value()) {
    if (one.looks_at_programs()) {
      return path_error("--detector", fmt::format("detector '{}' judges programs, not traces", one.title()));
    }
  }
  const auto reader = trace::open_trace(file);
  if (!reader.ok()) return reader.errors();
  StoppableReader stoppable(*reader.value(), stopped);
  const auto found = detect_in_trace(stoppable, file, chosen.value());
  if (!found.ok()) return found.errors();
  const auto again = trace::open_trace(file);
  if (!again.ok()) return again.errors();
  const std::uint64_t events = found.value().events;
  StoppableReader stoppable_again(*again.value(), stopped);
  auto timeline = report::read_timeline(stoppable_again, events, races_in(found.value()), question.timeline);
  if (stopped.load(std::memory_order_relaxed)) return path_error(file, "stopped before the end of the trace");
  if (!timeline.ok()) return timeline.errors();
  timeline.value().title = fmt::format("{}: {}\n{}", std::filesystem::path(file).filename().string(),
                                       plural(events, "event"), found_text(found.value()));
  return timeline;
}

}  // namespace ambit::api
