#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/context.h"

namespace ambit::solver {

/// The constraints on reorderings of one run (definitions 5.1). Events are numbers in the order of the run.
struct ReorderingProblem {
  static constexpr std::uint32_t kNone = 0xffffffffU;

  struct Event {
    std::uint32_t previous = kNone;    ///< the preceding event of the thread
    std::uint32_t gate = kNone;        ///< index into gates
    std::vector<std::uint32_t> needs;  ///< further events that must precede this event (a fork, a joined thread's end)
  };
  /// A read that must return the same value as in the run.
  struct Read {
    std::uint32_t event = 0;
    std::uint32_t location = 0;          ///< index into writes
    std::vector<std::uint32_t> sources;  ///< the possible writes; kNone for the initial value
  };
  /// A critical section. A section without a release never ends.
  struct Section {
    std::uint32_t acquire = 0;
    std::uint32_t release = kNone;
  };
  /// The indices of two sections of different threads that must not overlap. `first` is the earlier section in the run.
  struct Exclusion {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
  };

  std::vector<Event> events;
  /// The gates. A gate is a set of events, such as the arrivals at a barrier. Each event whose `gate` is this gate must
  /// come after all events of the gate.
  std::vector<std::vector<std::uint32_t>> gates;
  std::vector<std::vector<std::uint32_t>> writes;  ///< the writes of each location
  std::vector<Read> reads;
  std::vector<Section> sections;
  std::vector<Exclusion> exclusions;
};

struct ReorderingOptions {
  /// True if sections that exclude each other must keep the order of the run: sync-preserving races (Mathur,
  /// Pavlogiannis, Viswanathan, POPL 2021).
  bool keeps_section_order = false;
};

/// The answer to whether two events can be the next events at the same time.
struct ReorderingAnswer {
  enum class Verdict : std::uint8_t { Possible, Impossible, Unknown } verdict = Verdict::Unknown;
  /// If Possible: the events that run before the two events become the next events, in one possible order.
  std::vector<std::uint32_t> order;
  std::optional<UnknownReason> unknown;  ///< the reason, if the answer is Unknown
};

/// Decides with Z3 whether some reordering of a run makes two events the next events at the same time. Each event has a
/// truth value (whether it is in the reordering) and a time. The constraints compare only differences of times
/// (definitions 5.2). Assumptions let one solver state answer the questions for all pairs.
class ReorderingSolver {
 public:
  /// `problem` and `context` must outlive the solver. The context supplies the limits and receives the statistics
  /// ("smt.queries", "smt.milliseconds"). If the context has a dump directory, each query is written to a file in it.
  /// The file's name contains the pair of events.
  ReorderingSolver(const ReorderingProblem& problem, const ReorderingOptions& options, Context& context);
  ~ReorderingSolver();
  ReorderingSolver(const ReorderingSolver&) = delete;
  ReorderingSolver& operator=(const ReorderingSolver&) = delete;

  /// Answers the question for two events of different threads. After a limit of the context is reached, all answers are
  /// Unknown.
  ReorderingAnswer query(std::uint32_t a, std::uint32_t b);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ambit::solver
