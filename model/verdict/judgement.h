#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/verdict/verdict.h"

namespace ambit::verdict {

/// Whether a verdict matches the test's expectations.
enum class Status : std::uint8_t {
  Ok,               ///< every expectation met
  Fail,             ///< some expectation not met
  NothingExpected,  ///< no expectation for this model, and the verdict is complete
  Unknown,          ///< the expected answer, or without an expectation any answer, is unknown
  Error,            ///< there is no verdict: bad input or a bug
};
/// "OK", "FAIL", "--", "UNKNOWN", "ERROR".
std::string_view to_string(Status status);

/// The reason of a verdict that shows a race where norace was expected.
inline constexpr std::string_view kExpectedNoRace = "expected norace";

struct Judgement {
  Status status = Status::NothingExpected;
  std::vector<std::string> reasons;  ///< one phrase for each expectation not met or not decided
};

/// Returns whether the expectation is about this model: same name, and the same options after adding defaults.
bool concerns(const Expectation& expectation, const rules::Rules& rules);

/// Returns an error if no verdict can meet two expectations about this model; its place is the later one.
std::optional<Diagnostic> find_contradiction(const Program& program, const rules::Rules& rules);

/// Compares the verdict with the expectations of its program about its model.
Judgement judge(const Verdict& verdict);

}  // namespace ambit::verdict
