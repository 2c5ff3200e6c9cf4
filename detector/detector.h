#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/race_report.h"
#include "core/trace.h"
#include "detector/action.h"
#include "detector/sync_inference.h"

namespace ambit::detector {

/// The next event of a trace, with what it means.
struct Observation {
  const TraceEvent& event;
  std::uint64_t number;  ///< from 0
  std::span<const Action> actions;
  const SyncInference& inference;
  /// Barriers that complete before the event takes effect.
  std::span<const BarrierTracker::Completion> completions() const { return inference.completions(); }
};

/// A race detector: looks at the events of one trace in order.
class Detector {
 public:
  virtual ~Detector() = default;
  /// How much of what is inferred it looks at: all detectors of a replay are shown what the deepest needs.
  virtual SyncInference::Depth depth() const { return SyncInference::Depth::All; }
  virtual void on(const Observation& observation) = 0;
  /// After the last event; `rest` are the actions that only the end of the trace decided.
  virtual void finish(std::span<const Action> rest, const SyncInference& inference) = 0;
  /// What was found, in order of discovery, each pair of sites once. Complete after finish().
  virtual std::vector<RaceReport> races() const = 0;
  /// What else there is to say, a line each (bank conflicts).
  virtual std::vector<std::string> remarks() const { return {}; }
  /// It gave up before it had looked at everything, as a remark says: no report then does not mean that there is no
  /// race.
  virtual bool is_open() const { return false; }
};

struct DetectorOption {
  std::string name;
  std::vector<std::string> values;  ///< the first is the default
  std::string meaning;
};

struct DetectorDescription {
  std::string name;
  std::string source;   ///< publication
  std::string summary;  ///< one line
  std::vector<DetectorOption> options;
  bool needs_program = false;  ///< runs on a program, not on a trace (ldetector, in runner/sim)
};

/// All detectors, in the order of `--detector all`.
const std::vector<DetectorDescription>& detectors();

/// What is wrong with a detector's name or its options, also of one that needs a program; nothing: they are good.
std::optional<Diagnostic> check_options(const std::string& name, const std::map<std::string, std::string>& options);

/// A detector by name, with options: "gwcp", {{"overlap", "either"}}. Errors: those of check_options; that it needs a
/// program.
Result<std::unique_ptr<Detector>> make_detector(const std::string& name,
                                                const std::map<std::string, std::string>& options,
                                                const TraceTables& tables);

/// What replay() has to say beside the races.
struct ReplayResult {
  std::uint64_t events = 0;
  std::vector<std::string> open_sections;  ///< "b0t0 holds l": the trace ends inside these critical sections
};

/// Shows a trace to detectors that were made for its tables. Errors: the reader's.
Result<ReplayResult> replay(TraceReader& reader, std::span<const std::unique_ptr<Detector>> detectors);

}  // namespace ambit::detector
