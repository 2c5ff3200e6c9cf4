#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/verdict/verdict.h"

namespace ambit::verdict {

/// A race as reports show it: a flagged pair of instructions. The two halves of a read-modify-write, and all iterations
/// of a loop, count as one instruction. Pairs of several flags at the same two places count as one race.
struct Race {
  std::string flag;                           ///< "data-race"
  const events::FlaggedPair* pair = nullptr;  ///< the representative, in Verdict::answers
  std::optional<LocationId> location;         ///< the location of both accesses; absent if some event is not an access
};

/// Returns the races of a verdict, in increasing order of the places of their first and second instruction. Each
/// combination of a flag, two instructions and a location occurs once.
std::vector<Race> races(const Verdict& verdict);
/// Like races(), for flags that are not races (names that do not end in "race").
std::vector<Race> other_flags(const Verdict& verdict);

/// Returns the names of all locations with races, in the order of the program, without duplicates.
std::vector<std::string> race_locations(const Verdict& verdict);

/// Returns "race on x, y", "race on a, b, c and 30 more", "race", "race ?" or "norace" for a model with race flags.
std::string race_text(const Verdict& verdict);

/// Returns whether the model has a flag that reports a race.
bool speaks_of_races(const rules::Rules& rules);

/// The meaning of a model's executions for a program with a race.
enum class RacyPrograms : std::uint8_t {
  Defined,    ///< the model allows exactly these executions: PTX models, and models without races
  Undefined,  ///< the program may do anything, so the executions have no meaning (definitions 1.1)
  NotKnown,   ///< unknown, because Ambit does not ship the model
};
RacyPrograms racy_programs(const rules::Rules& rules);

}  // namespace ambit::verdict
