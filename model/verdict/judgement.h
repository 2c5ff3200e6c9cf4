#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/verdict/verdict.h"

namespace ambit::verdict {

/// The result of comparing a verdict with the test's expectations.
enum class Status : std::uint8_t {
  Ok,               ///< all expectations are met
  Fail,             ///< some expectation is not met
  NothingExpected,  ///< the test has no expectation for this model, and the verdict is complete
  Unknown,          ///< the answer to an expectation is unknown; or some answer is unknown and nothing is expected
  Error,            ///< there is no verdict: bad input or a bug
};
/// "OK", "FAIL", "--", "UNKNOWN", "ERROR".
std::string_view to_string(Status status);

/// The reason of a failure if the verdict has a race but the test expects norace.
inline constexpr std::string_view kExpectedNoRace = "expected norace";

struct Judgement {
  Status status = Status::NothingExpected;
  std::vector<std::string> reasons;  ///< one phrase for each expectation that is not met or has no answer
};

/// Returns whether the expectation applies to this model: the names agree, and the options agree (including defaults).
/// An expectation may name the file of a model, such as "models/mine.cat" for the model "mine".
bool concerns(const Expectation& expectation, const rules::Rules& rules);

/// Returns an error if two expectations for this model contradict each other, so that no verdict can meet both. The
/// error points to the later expectation.
std::optional<Diagnostic> find_contradiction(const Program& program, const rules::Rules& rules);

/// Compares the verdict with those expectations of the program that name the verdict's model.
Judgement judge(const Verdict& verdict);

/// Adds the expectation that no fault can happen: no failed assertion, access out of bounds, barrier divergence or other
/// undefined behaviour. An expectation of the test about divergence or undefined behaviour takes precedence.
void expect_no_fault(const Verdict& verdict, Judgement& judgement);

}  // namespace ambit::verdict
