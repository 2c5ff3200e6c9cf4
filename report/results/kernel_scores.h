#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/results/judged.h"

namespace ambit::report {

/// The verdict of `ambit judge --suite` on a candidate.
enum class KernelVerdict : std::uint8_t {
  Correct,  ///< the results are equal in all runs, and no fault was found
  WrongResult,
  Race,
  Fault,  ///< the candidate has a fault other than a race
  DoesNotCompile,
  CannotLaunch,  ///< no kernel of the file has the parameters of the launch
  TimedOut,
  Unknown,
};
/// Returns "correct", "wrong result", "race", "fault", "does not compile", "cannot launch", "timed out" or "unknown".
std::string_view to_string(KernelVerdict verdict);
/// Returns whether the verdict means that the candidate is wrong.
bool is_wrong(KernelVerdict verdict);

/// An element that differs from the reference's element.
struct KernelDifference {
  std::string array;
  std::uint64_t index = 0;
  std::string expected;
  std::string actual;
  std::uint64_t input = 0;  ///< 1-based number of the random input
};

/// The comparison of a candidate's results with the reference's results.
struct KernelResults {
  enum class State : std::uint8_t { NotCompared, Equal, Different } state = State::NotCompared;
  std::uint64_t runs = 0;                 ///< number of complete runs; each run has a different input
  std::uint64_t differences = 0;          ///< number of elements that differ, over all runs
  double largest_absolute_error = 0;      ///< over all finite results, including results within the tolerance
  double largest_relative_error = 0;      ///< like largest_absolute_error, over elements where the reference is not 0
  std::optional<KernelDifference> first;  ///< the first difference
};
/// Returns "not compared", "equal" or "different".
std::string_view to_string(KernelResults::State state);

/// A race or another fault of a candidate.
struct KernelFault {
  JudgedVerdict kind = JudgedVerdict::Race;
  std::string reason;               ///< one sentence
  std::vector<JudgedPlace> places;  ///< for a race, both accesses
  std::string location;             ///< the racy location; may be empty
  JudgingTool tool = JudgingTool::Exec;
  std::string model;  ///< empty for Exec
};

/// The score of a candidate or of the reference. The reference has no comparison of results.
struct KernelScore {
  std::string file;  ///< name of the file in the task's folder
  KernelVerdict verdict = KernelVerdict::Unknown;
  std::string reason;            ///< one sentence
  std::optional<bool> compiles;  ///< whether the file compiles; absent if no compiler ran
  std::string launch;            ///< the launch; empty if it was not read
  KernelResults results;
  std::vector<KernelFault> faults;   ///< the faults, at most one of each kind
  std::optional<Coverage> coverage;  ///< the executions that were searched for faults
  std::vector<std::string> remarks;

  /// Returns the fault of a kind; null if there is no fault of this kind.
  const KernelFault* fault(JudgedVerdict kind) const;
  /// Returns whether the candidate has a race although its results equal the reference's results.
  bool hides_race() const;
};

/// The scores of a task.
struct ScoredTask {
  std::string name;  ///< path of the task's folder in the suite
  KernelScore reference;
  std::vector<KernelScore> candidates;
};

/// The answer of `ambit judge --suite`.
struct KernelScores {
  std::string suite;  ///< path of the suite's folder, as the user gave it
  std::vector<ScoredTask> tasks;
  std::optional<double> timeout_seconds;  ///< time limit for the whole command
  bool has_timed_out = false;             ///< whether the time was over before all candidates had a verdict
  bool was_interrupted = false;
  bool has_failed = false;  ///< whether Ambit's own code failed for some candidate

  std::map<KernelVerdict, std::size_t> counts() const;  ///< numbers of candidates
  std::size_t hidden_races() const;                     ///< number of candidates with KernelScore::hides_race()
  /// Returns whether some reference has no results. Without these results, its candidates have no verdict.
  bool has_useless_reference() const;
};

}  // namespace ambit::report
