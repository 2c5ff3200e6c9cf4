#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "model/verdict/verdict.h"

namespace ambit::report {

/// The verdict of `ambit judge` on a test or a kernel launch under one model.
enum class JudgedVerdict : std::uint8_t {
  Race,
  NoRace,
  Divergence,   ///< some threads do not reach a barrier that waits for them
  OutOfBounds,  ///< including accesses to freed, host or read-only memory
  Undefined,    ///< the kernel breaks a rule of PTX
  AssertionFailed,
  Deadlock,
  NoFault,  ///< no fault can happen, but the model does not define races
  Unknown,
  Unreadable,  ///< the input has errors
};
/// Returns "race", "no race", "divergence", "out of bounds", "undefined", "assertion failed", "deadlock", "no fault",
/// "unknown" or "unreadable".
std::string_view to_string(JudgedVerdict verdict);
/// Returns whether the verdict names a fault of the kernel.
bool is_fault(JudgedVerdict verdict);

/// The tool that produced a verdict.
enum class JudgingTool : std::uint8_t {
  Check,     ///< the models checked the source or the litmus test
  Compiled,  ///< the models checked PTX
  Exec,      ///< the virtual GPU ran the kernel under race detectors
};
/// Returns "check", "compiled" or "exec".
std::string_view to_string(JudgingTool tool);

/// A place in the input.
struct JudgedPlace {
  std::string file;
  std::uint32_t line = 0;    ///< 0 if unknown
  std::uint32_t column = 0;  ///< 0 if unknown
  std::string text;          ///< the source line without surrounding white space; may be empty
  std::string thread;        ///< "b0t1", "block 0, thread 1"; may be empty
  std::string operation;     ///< "W x", "st.global.u32"; may be empty
};

/// Which executions a verdict covers.
struct Coverage {
  enum class Kind : std::uint8_t {
    Exact,    ///< all executions of the launch
    Bounded,  ///< the executions with at most `count` iterations of each loop
    Sampled,  ///< `count` runs on the virtual GPU
  } kind = Kind::Exact;
  std::uint64_t count = 0;
};

/// A confirmed change to the source.
struct JudgedPatch {
  std::string diff;  ///< input for `patch -p0`
  std::vector<std::string> changes;
  int cost = 0;
  bool is_cheapest = false;
  std::vector<std::string> confirmed_by;  ///< names of engines
  /// Whether it is certain that the changes add no outcome under `sc`; absent if the changes only add synchronisation.
  std::optional<bool> keeps_outcomes;
};

/// The answer of a tool that did not decide the verdict.
struct JudgeAttempt {
  JudgingTool tool = JudgingTool::Check;
  std::string launch;  ///< the launch that the tool tried; empty if it tried the launch of the input
  std::string result;  ///< one sentence
};

/// A command that reproduces a fault.
struct JudgedReplay {
  std::vector<std::string> command;
  std::shared_ptr<const events::EventGraph> graph = nullptr;   ///< null without a witness
  std::shared_ptr<const events::Execution> witness = nullptr;  ///< an execution with the race, or null
};

/// The judgement on a test or a kernel launch under one model. An unreadable input has one judgement without a
/// model.
struct Judged {
  std::string file;
  std::string test;   ///< the name of the test; empty if the file was not read
  std::string model;  ///< the model's name; empty if the file was not read
  JudgedVerdict verdict = JudgedVerdict::Unknown;
  std::vector<JudgedVerdict> also;  ///< further faults of the same launch
  std::string reason;               ///< one sentence
  std::vector<JudgedPlace> places;  ///< the two accesses of the first race, or the place of another fault or error
  std::size_t races = 0;            ///< number of races (a race has two statements and a location)
  std::string location;             ///< the racy location; may be empty
  std::optional<JudgedPatch> patch;
  std::string why_no_patch;  ///< why there is no patch; empty if there is a patch or nothing to change
  std::optional<JudgedReplay> replay;
  std::optional<Coverage> coverage;  ///< for Unknown: the examined executions, which have no fault
  std::optional<JudgingTool> tool;   ///< the tool that decided the verdict; absent if no tool had an answer
  std::vector<JudgeAttempt> attempts;
  // ---- assumptions ----
  JudgingTool reading = JudgingTool::Check;  ///< how Ambit read the input: Check (source) or Compiled (PTX)
  std::string launch;                        ///< the launch to which the verdict applies; may be empty
  bool is_smaller_launch = false;            ///< whether the launch is smaller than the launch of the input
  Diagnostics remarks;
  std::vector<std::string> assumptions;  ///< sentences
  /// The model's verdict on the launch of the input, including the answer about the test's own condition; null if no
  /// model answered.
  std::shared_ptr<const verdict::Verdict> checked = nullptr;
};

/// The answer of `ambit judge`.
struct JudgeReport {
  std::vector<Judged> judged;
  double timeout_seconds = 0;
  bool has_timed_out = false;  ///< whether the time limit was reached before all questions had an answer
  bool was_interrupted = false;
};

}  // namespace ambit::report
