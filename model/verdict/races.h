#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/verdict/verdict.h"

namespace ambit::verdict {

/// A flagged pair of instructions as a user sees it: the halves of a read-modify-write, the iterations of a loop and
/// the pairs of several flags that name the same two places in the program are one race.
struct Race {
  std::string flag;                           ///< "data-race"
  const events::FlaggedPair* pair = nullptr;  ///< the representative, in Verdict::answers
  std::optional<LocationId> location;  ///< the location of both accesses; absent if one of the events is not an access
};

/// The races of a verdict, by rising place of their first and second instruction; one a (flag, two instructions,
/// location).
std::vector<Race> races(const Verdict& verdict);
/// The same for flags that are not races (names that do not end in "race").
std::vector<Race> other_flags(const Verdict& verdict);

/// Names of the locations raced on, in the program's order, each once.
std::vector<std::string> race_locations(const Verdict& verdict);

/// "race on x, y", "race on a, b, c and 30 more", "race", "race ?" or "norace", of a model that speaks of races.
std::string race_text(const Verdict& verdict);

/// True when the model has a flag that is a race.
bool speaks_of_races(const rules::Rules& rules);

/// What a model's executions are to a program that races under it.
enum class RacyPrograms : std::uint8_t {
  Defined,    ///< the program has no others: the PTX family, and models that call nothing a race
  Undefined,  ///< nothing: the program may do anything (definitions 1.1)
  NotKnown,   ///< a model that is not shipped does not say
};
RacyPrograms racy_programs(const rules::Rules& rules);

}  // namespace ambit::verdict
