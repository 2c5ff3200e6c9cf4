#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ambit::repair {

/// What one engine says of a changed program.
struct EngineAnswer {
  std::string engine;
  bool confirms = false;
  std::string why_not;  ///< it does not know: the reason
};

/// Changes of a source made together.
struct Proposal {
  std::vector<std::string> changes;  ///< one sentence each, without full stop
  int cost = 0;
  std::string diff;  ///< for `patch`
  std::string text;  ///< the changed source
  std::vector<EngineAnswer> answers;
  bool changes_data = false;    ///< makes an access atomic or takes a lock; else it only synchronises
  bool keeps_outcomes = false;  ///< if `changes_data`: known to add no outcome to those of the source under sc
};

/// What became of `ambit fix` and `ambit relax`.
struct RepairReport {
  enum class Direction : std::uint8_t { Fix, Relax } direction = Direction::Fix;
  enum class State : std::uint8_t {
    NothingToDo,  ///< the program is as wanted already; nothing in it can be weaker
    Found,
    None,     ///< no changes of the allowed kinds do it
    Unknown,  ///< the limits were reached before one was found, or what the program does is not known
  } state = State::Unknown;
  std::string test;
  std::string file;
  std::string model;
  std::string goal;                 ///< "no race", "P1:r0 == 1 never", "terminates under fair"; of relax what is kept
  std::vector<Proposal> proposals;  ///< cheapest first; of relax at most one
  bool is_cheapest = false;         ///< the first proposal is known to be the cheapest
  bool is_complete = false;         ///< all changes were tried that could have been a proposal
  std::size_t places = 0;           ///< that could be changed
  std::size_t checked = 0;          ///< programs that a model was asked about
  std::size_t undecided = 0;        ///< of those, programs without an answer
  std::string why_unknown;
  /// Of relax: each kept place that has a weaker form, with what goes wrong if it alone were weaker.
  std::vector<std::string> needed;
};

}  // namespace ambit::repair
