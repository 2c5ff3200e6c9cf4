#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ambit::repair {

/// An engine's verdict on a changed program.
struct EngineAnswer {
  std::string engine;
  bool confirms = false;
  std::string why_not;  ///< the reason if the answer is unknown
};

/// Changes of a source that belong together.
struct Proposal {
  std::vector<std::string> changes;  ///< one sentence each, without full stop
  int cost = 0;
  std::string diff;  ///< for `patch`
  std::string text;  ///< the changed source
  std::vector<EngineAnswer> answers;
  bool changes_data = false;    ///< makes an access atomic or takes a lock; otherwise only adds synchronisation
  bool keeps_outcomes = false;  ///< if `changes_data`: known to add no outcome to those of the source under sc
};

/// The result of `ambit fix` or `ambit relax`.
struct RepairReport {
  enum class Direction : std::uint8_t { Fix, Relax } direction = Direction::Fix;
  enum class State : std::uint8_t {
    NothingToDo,  ///< the program already meets the goal; nothing in it can be weaker
    Found,
    None,     ///< no changes of the allowed kinds meet the goal
    Unknown,  ///< a limit was reached before a proposal was found, or the program's behaviour is unknown
  } state = State::Unknown;
  std::string test;
  std::string file;
  std::string model;
  std::string goal;                 ///< "no race", "P1:r0 == 1 never", "terminates under fair"; for relax, the
                                    ///< behaviour to keep
  std::vector<Proposal> proposals;  ///< cheapest first; at most one for relax
  bool is_cheapest = false;         ///< the first proposal is known to be the cheapest
  bool is_complete = false;         ///< all changes that could be a proposal were tried
  std::size_t places = 0;           ///< places that could be changed
  std::size_t checked = 0;          ///< programs that a model has checked
  std::size_t undecided = 0;        ///< checked programs without an answer
  std::string why_unknown;
  /// relax: each kept place that has a weaker form, with the consequence of weakening it alone.
  std::vector<std::string> needed;
};

}  // namespace ambit::repair
