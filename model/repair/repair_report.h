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
  std::string why_not;  ///< the reason, if the answer is unknown
};

/// A set of changes of the source that together reach the goal.
struct Proposal {
  std::vector<std::string> changes;  ///< sentences without a full stop, one for each change
  int cost = 0;
  std::string diff;  ///< input for `patch`
  std::string text;  ///< the text of the changed source
  std::vector<EngineAnswer> answers;
  /// True if the changes make an access atomic or acquire a lock. If false, the changes only add synchronisation.
  bool changes_data = false;
  /// Used if `changes_data`. True if the changed source certainly has no outcome under sc that the old source lacks.
  bool keeps_outcomes = false;
};

/// The result of `ambit fix` or `ambit relax`.
struct RepairReport {
  enum class Direction : std::uint8_t { Fix, Relax } direction = Direction::Fix;
  enum class State : std::uint8_t {
    NothingToDo,  ///< the program already meets the goal; for relax, no place of the program can be made weaker
    Found,
    None,     ///< no allowed changes meet the goal
    Unknown,  ///< a limit was reached before a proposal was found, or the program's behaviour is unknown
  } state = State::Unknown;
  std::string test;
  std::string file;
  std::string model;
  std::string goal;  ///< "no race", "P1:r0 == 1 never", "terminates under fair"; for relax, the behaviour to keep
  std::vector<Proposal> proposals;  ///< the cheapest proposal is first; relax has at most one proposal
  bool is_cheapest = false;         ///< the first proposal is certainly the cheapest
  bool is_complete = false;         ///< all possible proposals were tried
  std::size_t places = 0;           ///< number of places that could be changed
  std::size_t checked = 0;          ///< number of programs that a model has checked
  std::size_t undecided = 0;        ///< number of checked programs without an answer
  std::string why_unknown;
  std::optional<UnknownReason> unknown_reason;  ///< kind of the reason in `why_unknown`; absent without a remedy
  /// For relax: for each unchanged place with a weaker form, the consequence if only this place were weakened.
  std::vector<std::string> needed;
  /// For relax: a sentence for each barrier that stays, which names the access or the outcome that needs the barrier.
  std::vector<std::string> barriers;
  /// For relax: properties of the program that were not compared. For fix: the smaller launch of the search.
  std::vector<std::string> notes;
};

}  // namespace ambit::repair
