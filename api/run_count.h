#pragma once

#include <cstdint>
#include <string>

#include "api/program_request.h"

namespace ambit::api {

/// How often a program runs where the user has not said it: until its runs have cost about a second, with a further
/// seed each time. Cost is measured in instructions, so that the same program and seed give the same report.
class RunCount {
 public:
  explicit RunCount(const ProgramRequest& request);

  /// Whether the program runs again, after `outcome.report.runs` runs. If not, and the choice was its own, sets
  /// ProgramOutcome::why_no_more_runs.
  bool wants_another(ProgramOutcome& outcome);
  /// The runs behind the first are this class's choice: what they print and read is not the user's concern.
  bool is_chosen() const { return !fixed_; }

 private:
  const char* why_stop(const ProgramOutcome& outcome) const;

  const ProgramRequest& request_;
  bool fixed_;
  long begin_seconds_;  ///< of this processor, that child processes had taken before the first run
};

}  // namespace ambit::api
