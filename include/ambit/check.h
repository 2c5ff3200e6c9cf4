// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ambit/export.h>
#include <ambit/limits.h>
#include <ambit/model.h>
#include <ambit/test.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace AMBIT_NAMESPACE {

/// Whether the proposition of a test's condition holds in none, some or all of the executions that a model allows.
enum class Answer : std::uint8_t {
  Never,
  Sometimes,
  Always,
  NoExecution,  ///< the model forbids every execution of the test
  Unknown,
  NotAsked,  ///< the test has no condition, or the caller did not ask about outcomes
};
/// "Never", "Sometimes", "Always", "NoExecution", "Unknown", "NotAsked".
AMBIT_API std::string_view to_string(Answer answer);

/// A model's answer about races.
enum class Raciness : std::uint8_t {
  NoRace,
  Race,
  Unknown,
  NotAsked,  ///< the model does not define races, or the caller did not ask about races
};
/// "NoRace", "Race", "Unknown", "NotAsked".
AMBIT_API std::string_view to_string(Raciness race);

/// A model's answer about termination. Stuck means that a loop or a barrier can wait forever.
enum class Ending : std::uint8_t { Terminates, Stuck, Unknown, NotAsked };
/// "Terminates", "Stuck", "Unknown", "NotAsked".
AMBIT_API std::string_view to_string(Ending ending);

/// A verdict compared with the test's expectations.
enum class Status : std::uint8_t {
  Ok,               ///< every expectation is met
  Fail,             ///< some expectation is not met
  NothingExpected,  ///< the test has no expectation for this model, and the verdict is complete
  Unknown,          ///< some answer is unknown
};
/// "Ok", "Fail", "NothingExpected", "Unknown".
AMBIT_API std::string_view to_string(Status status);

/// One side of a race.
struct Access {
  std::string thread;     ///< "P0"
  std::string operation;  ///< "W x"
  unsigned line = 0;      ///< 1-based line in the test's text; 0 if unknown
  std::string source;     ///< text of the line, without white space at its ends
};

/// Two accesses that race in some execution that the model allows.
struct Race {
  std::string flag;      ///< the model's name for the race: "data-race"
  std::string location;  ///< "x"; empty if one of the two events is not an access
  Access first;
  Access second;
  std::string witness;  ///< an execution with the race, as text
};

/// An error that can occur in an execution: a failed assertion, an access out of bounds, or a divergent barrier.
struct Incident {
  std::string kind;  ///< "assertion failed", "out of bounds", "barrier divergence"
  std::string message;
  unsigned line = 0;        ///< 1-based line in the test's text
  bool is_certain = false;  ///< false if Ambit cannot decide whether the incident can happen
};

/// A model's verdict on a test.
struct Verdict {
  std::string model;      ///< "ptx"; if a scheduler applies, "ptx under fair"
  std::string scheduler;  ///< the scheduler, if the question is about termination; otherwise empty
  Status status = Status::Unknown;
  std::vector<std::string> reasons;  ///< the expectations that are violated or undecided
  Answer answer = Answer::NotAsked;
  /// True if the condition holds, including its quantifier (exists, ~exists or forall). Absent if the answer is unknown
  /// or the test has no condition.
  std::optional<bool> condition_holds;
  Raciness race = Raciness::NotAsked;
  std::vector<Race> races;
  std::vector<Incident> incidents;
  Ending ending = Ending::NotAsked;
  std::string unknown;  ///< why an answer is unknown, and what to do about it; empty if no answer is unknown
  /// An execution in which the proposition holds, or in which threads wait forever. May be empty.
  std::string witness;
  std::string text;  ///< the complete output of `ambit check FILE`
};

/// The verdicts of several models, in the order of the models.
struct CheckResult {
  std::vector<Verdict> verdicts;
  Status status = Status::NothingExpected;  ///< the worst status; worst to best: Fail, Unknown, Ok, NothingExpected
  std::string json;                         ///< the output of `ambit check --json` (docs/reference/json.md)

  auto begin() const { return verdicts.begin(); }
  auto end() const { return verdicts.end(); }
  std::size_t size() const { return verdicts.size(); }
  const Verdict& operator[](std::size_t index) const { return verdicts[index]; }
};

struct CheckOptions {
  Solving solving = {};
  bool only_termination = false;  ///< check only whether the test terminates
  /// Schedulers for only_termination: "fair", "hsa", "obe", "lobe", "lockstep". An empty list means the schedulers that
  /// the test names, or fair if it names none.
  std::vector<std::string> schedulers = {};
};

/// Checks a test under models. An empty `models` means the models that the test's expectations name, or the default
/// models if they name none. Throws Error.
AMBIT_API CheckResult check(const Test& test, const std::vector<Model>& models = {}, const CheckOptions& options = {});

}  // namespace AMBIT_NAMESPACE
