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
  Divergence,   ///< a barrier that some of its threads do not reach
  OutOfBounds,  ///< also accesses to freed memory, host memory and read-only memory
  Undefined,    ///< the kernel breaks a rule of PTX
  AssertionFailed,
  Deadlock,
  NoFault,  ///< the model does not define races, and no other fault can happen
  Unknown,
  Unreadable,  ///< the input has errors
};
/// Returns "race", "no race", "divergence", "out of bounds", "undefined", "assertion failed", "deadlock", "no fault",
/// "unknown" or "unreadable".
std::string_view to_string(JudgedVerdict verdict);
/// Returns whether the verdict names a fault of the kernel.
bool is_fault(JudgedVerdict verdict);

/// The tool that found a verdict.
enum class JudgingTool : std::uint8_t {
  Check,     ///< the models, on the source or the litmus test
  Compiled,  ///< the models, on PTX
  Exec,      ///< the virtual GPU under race detectors
};
/// Returns "check", "compiled" or "exec".
std::string_view to_string(JudgingTool tool);

/// A place in the input.
struct JudgedPlace {
  std::string file;
  std::uint32_t line = 0;    ///< 0 if unknown
  std::uint32_t column = 0;  ///< 0 if unknown
  std::string text;          ///< the source line without white space at its ends; may be empty
  std::string thread;        ///< "b0t1", "block 0, thread 1"; may be empty
  std::string operation;     ///< "W x", "st.global.u32"; may be empty
};

/// The part of all executions that a verdict covers.
struct Coverage {
  enum class Kind : std::uint8_t {
    Exact,    ///< all executions of the launch
    Bounded,  ///< the executions with at most `count` iterations of each loop
    Sampled,  ///< `count` runs on the virtual GPU
  } kind = Kind::Exact;
  std::uint64_t count = 0;
};

/// A confirmed change of the source.
struct JudgedPatch {
  std::string diff;  ///< input for `patch -p0`
  std::vector<std::string> changes;
  int cost = 0;
  bool is_cheapest = false;
  std::vector<std::string> confirmed_by;  ///< names of engines
  /// Whether the changes certainly add no outcome under `sc`; absent if the changes only add synchronisation.
  std::optional<bool> keeps_outcomes;
};

/// The answer of a tool that did not decide the verdict.
struct JudgeAttempt {
  JudgingTool tool = JudgingTool::Check;
  std::string launch;  ///< the launch that the tool tried; empty for the launch of the input
  std::string result;  ///< one sentence
};

/// A command that shows a fault again.
struct JudgedReplay {
  std::vector<std::string> command;
  std::shared_ptr<const events::EventGraph> graph = nullptr;   ///< null without a witness
  std::shared_ptr<const events::Execution> witness = nullptr;  ///< the execution of a race under a model, or null
};

/// The judgement on a test or a kernel launch under one model. If the input cannot be read, there is one judgement
/// without a model.
struct Judged {
  std::string file;
  std::string test;   ///< the name of the test; empty if the file was not read
  std::string model;  ///< empty if the file was not read
  JudgedVerdict verdict = JudgedVerdict::Unknown;
  std::vector<JudgedVerdict> also;  ///< further faults of the same launch
  std::string reason;               ///< one sentence
  std::vector<JudgedPlace> places;  ///< both accesses of the first race; one place of another fault or of an error
  std::size_t races = 0;            ///< number of races, each with two statements and a location
  std::string location;             ///< the racy location; may be empty
  std::optional<JudgedPatch> patch;
  std::string why_no_patch;  ///< empty if there is a patch, or nothing to change
  std::optional<JudgedReplay> replay;
  std::optional<Coverage> coverage;  ///< for Unknown: the executions without a fault that were examined
  std::optional<JudgingTool> tool;   ///< absent if no tool had an answer
  std::vector<JudgeAttempt> attempts;
  // ---- assumptions ----
  JudgingTool reading = JudgingTool::Check;  ///< Check for the source, Compiled for PTX
  std::string launch;                        ///< the launch to which the verdict applies; may be empty
  bool is_smaller_launch = false;            ///< the launch is smaller than the launch of the input
  Diagnostics remarks;
  std::vector<std::string> assumptions;  ///< sentences
  /// The verdict of the model on the launch of the input, with the answer about the test's own condition; null if no
  /// model answered.
  std::shared_ptr<const verdict::Verdict> checked = nullptr;
};

/// The answer of `ambit judge`.
struct JudgeReport {
  std::vector<Judged> judged;
  double timeout_seconds = 0;
  bool has_timed_out = false;  ///< the time limit was reached before all questions had an answer
  bool was_interrupted = false;
};

}  // namespace ambit::report
