#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/race_report.h"
#include "core/trace.h"
#include "detector/inference/action.h"
#include "detector/inference/sync_inference.h"

namespace ambit_kernel {
struct TestSize;
}

namespace ambit::detector {

/// The next event of a trace and its actions.
struct Observation {
  const TraceEvent& event;
  std::uint64_t number;  ///< number of the event, from 0
  std::span<const Action> actions;
  const SyncInference& inference;
  /// Returns the barriers that complete before the event takes effect.
  std::span<const BarrierTracker::Completion> completions() const { return inference.completions(); }
};

/// A race detector, which processes the events of one trace in order.
class Detector {
 public:
  virtual ~Detector() = default;
  /// Returns how much of the inference the detector needs. A replay runs the largest part that any of its detectors
  /// needs.
  virtual SyncInference::Depth depth() const { return SyncInference::Depth::All; }
  /// Returns the inference rules that the detector needs.
  virtual SyncInference::Rules rules() const { return SyncInference::Rules::Papers; }
  /// Returns whether the detector uses actions. If no detector uses actions, a replay infers nothing: observations have
  /// no actions, and their inference is empty.
  virtual bool looks_at_actions() const { return true; }
  virtual void on(const Observation& observation) = 0;
  /// Called after the last event. `rest` holds the actions that the inference could decide only at the trace's end.
  virtual void finish(std::span<const Action> /*rest*/, const SyncInference& /*inference*/) {}
  /// Returns the races in the order of discovery, one for each pair of sites. The result is complete after finish().
  virtual std::vector<RaceReport> races() const = 0;
  /// Returns whether the detector supports the ordering rules of asynchronous operations. A detector without support
  /// gives up at the first such operation, and a replay sends it no further events.
  virtual bool orders_operations() const { return false; }
  void give_up_at_operations() { has_given_up_ = true; }
  /// Returns further findings (such as bank conflicts), one per line, and the reason if the detector gave up.
  std::vector<std::string> remarks() const {
    std::vector<std::string> lines = own_remarks();
    if (has_given_up_) lines.emplace_back("gave up: it does not support asynchronous operations");
    return lines;
  }
  /// Returns whether the detector gave up before the end; a remark gives the reason. If the detector gave up, it may
  /// have missed races.
  bool is_open() const { return has_given_up_ || is_unfinished(); }
  /// Returns whether the detector gave up at an asynchronous operation.
  bool has_given_up() const { return has_given_up_; }
  /// Returns the error if the detector itself failed: its program crashed or violated the protocol. For a failed
  /// detector, is_open() is true.
  virtual std::optional<std::string> failure() const { return std::nullopt; }

 protected:
  virtual std::vector<std::string> own_remarks() const { return {}; }
  /// See is_open().
  virtual bool is_unfinished() const { return false; }

 private:
  bool has_given_up_ = false;
};

/// An option of a detector, in the form that users see.
struct DetectorOption {
  std::string name;
  std::vector<std::string> values;  ///< the first is the default
  std::string meaning;
};
/// The values of the options that the user gave, by name.
using GivenOptions = std::map<std::string, std::string>;

/// The claim that a detector makes about its reported races.
enum class Claims : std::uint8_t {
  Nothing,         ///< a report can be a false positive
  FirstRace,       ///< a reordering of the run contains its first race
  WitnessedRaces,  ///< a reordering of the run contains its first race; likewise for each race with a witness
};

/// The form of a detector inside a kernel (docs/detectors/in-gpu.md).
struct InGpuForm {
  std::string_view file;  ///< in kernels/detectors/
  std::string_view type;  ///< the name of the class in `file`
  /// Returns the device memory, in bytes, that `runs` runs of a test need.
  std::uint64_t (*bytes)(const ambit_kernel::TestSize& size, std::uint64_t runs);
  bool runs_the_test = false;  ///< the class itself runs the test, in its own kernel
};

/// A function that makes a detector for the trace with these tables. check_options() has accepted the options.
using MakeDetector = std::function<std::unique_ptr<Detector>(const TraceTables&, const GivenOptions&)>;

/// The input of a detector.
enum class LooksAt : std::uint8_t {
  Traces,
  Programs,  ///< a detector that runs the program itself (api/check/detection.h)
};

/// The static properties of one detector.
struct DetectorDescription {
  std::string name;
  std::string source;   ///< the publication
  std::string summary;  ///< one line of text
  std::vector<DetectorOption> options = {};
  LooksAt looks_at = LooksAt::Traces;
  Claims claims = Claims::Nothing;
  bool orders_operations = false;  ///< the result of Detector::orders_operations() with the default options
  std::optional<InGpuForm> in_gpu = {};
  MakeDetector make = {};  ///< set only for LooksAt::Traces
};

/// The result of replay() except for the races.
struct ReplayResult {
  std::uint64_t events = 0;
  /// Critical sections that are open at the end of the trace, such as "b0t0 holds l"; empty if no detector uses
  /// actions.
  std::vector<std::string> open_sections;
};

/// Sends the events of a trace to detectors. The detectors must have been made for the trace's tables. Transactions
/// become critical sections (transaction_sections.h). Returns the reader's errors.
Result<ReplayResult> replay(TraceReader& reader, std::span<const std::unique_ptr<Detector>> detectors);

}  // namespace ambit::detector
