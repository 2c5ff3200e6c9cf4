#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "base/source.h"
#include "core/program.h"
#include "core/trace.h"
#include "runner/cuda/stress/run_report.h"
#include "runner/sim/engine.h"
#include "runner/sim/trace_maker.h"

namespace ambit::cuda {

/// The result for a recording.
struct Reconstruction {
  enum class Kind : std::uint8_t {
    Trace,
    LeftOut,  ///< an assume() or the test's filter was not met
    Weak,     ///< no order of the accesses produces these values
    GivenUp,  ///< the search found no order, but did not try all orders
    Error     ///< a trace cannot represent the program's runs
  };
  Kind kind = Kind::Weak;
  std::optional<Trace> trace = std::nullopt;       ///< Kind::Trace
  std::optional<Diagnostic> error = std::nullopt;  ///< Kind::Error
};

/// Makes traces from recordings. A trace is one sequence of events. Therefore this class searches for an order of all
/// accesses and fences. The order must respect program order, and every read must return the value of the last
/// preceding write. The order follows the tickets as far as possible.
class Reconstructor {
 public:
  /// Creates a reconstructor. Errors: the errors of sim::Engine.
  static Result<std::unique_ptr<Reconstructor>> create(std::shared_ptr<const Program> program);

  Reconstruction trace_of(const Recording& recording);

 private:
  /// The position of a thread in its recording.
  struct Place {
    std::size_t next = 0;      ///< number of the thread's next entry
    std::size_t furthest = 0;  ///< number of completed entries; larger than `next` in a repeated iteration
    /// True if the thread has repeated an iteration and no other thread has written since. In this case, the search
    /// ignores the thread's ticket.
    bool is_in_vain = false;
    friend bool operator==(const Place&, const Place&) = default;
  };
  /// The place of each thread.
  using Position = std::vector<Place>;
  /// A state on the path to the current state.
  struct Step {
    sim::State state;
    Position position;
    /// Threads that can take a step in this state, in the order in which the search tries them.
    std::vector<std::uint32_t> threads;
    std::size_t tried = 0;
  };
  /// A visited state.
  struct Reached {
    sim::Fingerprint state;
    Position position;
    friend bool operator==(const Reached&, const Reached&) = default;
  };
  struct HashOfReached {
    std::size_t operator()(const Reached& reached) const { return reached.state.low; }
  };

  Reconstructor(std::shared_ptr<const Program> program, std::unique_ptr<sim::Engine> engine);
  Reconstruction::Kind search();
  bool accept(const sim::StepEvent& event, Place& place) const;
  static void end_waits(Position& position, std::uint32_t writer);
  bool is_whole(const Step& step) const;
  void find_threads(Step& step) const;

  std::shared_ptr<const Program> program_;
  std::unique_ptr<sim::Engine> engine_;
  sim::TraceMaker traces_;
  const Recording* recording_ = nullptr;
  /// For each thread, the positions of its entries in the order of tickets.
  std::vector<std::vector<std::size_t>> turns_;
  std::vector<Step> path_;
  std::vector<sim::StepEvent> events_;  ///< events between the states on the path
  std::unordered_set<Reached, HashOfReached> reached_;
};

}  // namespace ambit::cuda
