#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "apps/cli/detector_options.h"
#include "core/program.h"
#include "core/source.h"
#include "report/text/race_text.h"
#include "runner/sim/simulate.h"
#include "runner/sim/simulator_options.h"

namespace ambit::cli {

/// Replays a trace to detectors. Errors: the trace's.
Result<report::DetectionResult> detect_in_trace(const std::string& path, const std::vector<ChosenDetector>& chosen);

/// Runs a program on the simulator and replays every run to detectors; those that run programs themselves do. Reports
/// of the same pair of sites in several runs are one. Runs that a filter drops are left out. Errors: what cannot be
/// simulated.
Result<report::DetectionResult> detect_in_runs(const std::shared_ptr<const Program>& program, const std::string& name,
                                               const std::vector<ChosenDetector>& chosen, const sim::Options& options,
                                               const std::atomic<bool>& interrupted);

/// Why the absence of a race in the runs of a simulation says nothing; empty: it does say something.
std::string why_incomplete(const sim::Options& options, const sim::Simulation& simulation);

/// Lines of sources by site ("file:line" or "file:line:column"); each file is read once.
class SourceLines {
 public:
  /// The text under a name is taken from here instead of a file.
  void add(const SourceFilePtr& source) { files_[source->path] = source; }
  std::string line(std::string_view site);

 private:
  std::map<std::string, SourceFilePtr, std::less<>> files_;
};

}  // namespace ambit::cli
