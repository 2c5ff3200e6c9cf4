#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/context.h"

namespace ambit::repair {

/// An engine's verdict on a changed program.
struct EngineAnswer {
  std::string engine;
  std::string launch;  ///< the smaller launch that was checked; empty if the test itself was checked
  bool confirms = false;
  std::string why_not;  ///< the reason if the answer is unknown
};

/// Changes of a source that together reach the goal.
struct Proposal {
  std::vector<std::string> changes;  ///< sentences without a full stop, one for each change
  int cost = 0;
  std::string diff;  ///< input for `patch`
  std::string text;  ///< text of the changed source
  std::vector<EngineAnswer> answers;
  /// True if the changes make an access atomic or acquire a lock; otherwise they only add synchronisation.
  bool changes_data = false;
  /// If `changes_data`: true if the changes certainly add no outcome to the source's outcomes under sc.
  bool keeps_outcomes = false;
};

/// The result of `ambit fix` or `ambit relax`.
struct RepairReport {
  enum class Direction : std::uint8_t { Fix, Relax } direction = Direction::Fix;
  enum class State : std::uint8_t {
    NothingToDo,  ///< the program already meets the goal; for relax, no place of the program can be weaker
    Found,
    None,     ///< no changes of the allowed kinds meet the goal
    Unknown,  ///< a limit was reached before a proposal was found, or the program's behaviour is unknown
  } state = State::Unknown;
  std::string test;
  std::string file;
  std::string model;
  std::string goal;  ///< "no race", "P1:r0 == 1 never", "terminates under fair"; for relax, the behaviour to keep
  std::vector<Proposal> proposals;  ///< the cheapest proposal is first; relax has at most one
  bool is_cheapest = false;         ///< the first proposal is known to be the cheapest
  bool is_complete = false;         ///< all changes that could be a proposal were tried
  std::size_t places = 0;           ///< number of places that could be changed
  std::size_t checked = 0;          ///< number of programs that a model has checked
  std::size_t undecided = 0;        ///< number of checked programs without an answer
  std::string why_unknown;
  std::optional<UnknownReason> unknown_reason;  ///< the kind of `why_unknown`; absent if the reason has no remedy
  /// For relax: for each unchanged place that has a weaker form, the consequence of weakening only this place.
  std::vector<std::string> needed;
  /// For relax: a sentence for each barrier that stays, with the access or the outcome that needs the barrier.
  std::vector<std::string> barriers;
  /// For relax: properties of the program that were not compared. For fix: the smaller launch of the search.
  std::vector<std::string> notes;
};

}  // namespace ambit::repair
