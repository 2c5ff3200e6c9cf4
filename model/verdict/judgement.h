#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/verdict/verdict.h"

namespace ambit::verdict {

/// Whether a verdict is what the test expects.
enum class Status : std::uint8_t {
  Ok,               ///< every expectation met
  Fail,             ///< some expectation not met
  NothingExpected,  ///< no expectation for this model, and the verdict is complete
  Unknown,          ///< the answer expected, or with no expectation any answer, is not known
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

/// The expectation speaks of this model: same name, and the same options once those not written have their defaults.
bool concerns(const Expectation& expectation, const rules::Rules& rules);

/// Two expectations about this model that no verdict can meet both: the error at the later one.
std::optional<Diagnostic> find_contradiction(const Program& program, const rules::Rules& rules);

/// The expectations of the verdict's program that speak of the verdict's model, set against it.
Judgement judge(const Verdict& verdict);

}  // namespace ambit::verdict
