// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ambit/check.h>
#include <ambit/export.h>
#include <ambit/simulate.h>
#include <ambit/test.h>

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace AMBIT_NAMESPACE {

/// A race detector from the literature.
struct Detector {
  std::string name;
  std::string summary;
  std::string publication;
  std::vector<ModelOption> options;
};
/// All detectors.
AMBIT_API std::vector<Detector> detectors();

/// One side of a race that a detector reports.
struct DetectedAccess {
  std::string thread;  ///< empty if the detector does not record the thread
  std::string site;    ///< "mp.litmus:8"; empty if the detector does not record the site
  bool is_write = false;
  bool is_atomic = false;
};

/// Two accesses that a detector reports as unordered.
struct DetectedRace {
  std::string location;
  std::string kind;      ///< "missing fence", "no common lock" ...
  std::string level;     ///< "warp", "block", "device"
  DetectedAccess first;  ///< the earlier access in the trace
  DetectedAccess second;
  std::uint64_t runs = 0;  ///< number of runs of the test in which the detector reported the race
  std::string sentence;
};

/// The findings of one detector.
struct Findings {
  std::string detector;  ///< the detector's name, with the options that differ from the default: "gwcp(overlap=either)"
  Raciness race = Raciness::Unknown;
  std::vector<DetectedRace> races;
  std::uint64_t racy_runs = 0;  ///< number of runs of the test with a race
  std::vector<std::string> remarks;
  std::string not_judged;  ///< why the detector has no answer; empty if it has an answer
};

/// The findings of all chosen detectors for a trace, or for the runs of a test.
struct DetectionResult {
  std::string source;                 ///< name of the test or of the trace file
  Raciness race = Raciness::Unknown;  ///< the combined verdict of all detectors
  std::vector<Findings> findings;
  std::uint64_t events = 0;  ///< number of events, for a trace
  std::uint64_t runs = 0;    ///< number of runs, for a test
  std::string runs_are;      ///< how the test was run: "all schedules that differ, sc memory"
  std::string incomplete;    ///< why the detectors may have missed a race; otherwise empty
  std::string text;          ///< the output of `ambit detect`
  std::string json;          ///< the output of `ambit detect --json` (docs/reference/json.md)
};

struct DetectOptions {
  std::string detectors = "all";          ///< "barracuda,gwcp"
  std::vector<std::string> options = {};  ///< "gwcp.overlap=either"
  /// Options for the runs of a test. By default, Ambit runs all schedules with a sequentially consistent memory.
  Simulating simulating = {.memory = Memory::Sc, .schedule = Schedule::Exhaustive};
  std::stop_token stop = {};
};

/// Runs a test on the simulator and replays every run to detectors. Throws Error.
AMBIT_API DetectionResult detect(const Test& test, const DetectOptions& options = {});
/// Replays a trace in a file (.trace, .btrace, .std) to detectors. Throws Error.
AMBIT_API DetectionResult detect_trace(const std::string& file, const DetectOptions& options = {});

}  // namespace AMBIT_NAMESPACE
