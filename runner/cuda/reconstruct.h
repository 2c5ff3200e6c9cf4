#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/program.h"
#include "core/source.h"
#include "core/trace.h"
#include "runner/cuda/runner.h"
#include "runner/sim/engine.h"
#include "runner/sim/trace_maker.h"

namespace ambit::cuda {

/// What a recording becomes.
struct Reconstruction {
  /// Nothing where there is no such order: a weak behaviour, which no sequence shows, or too long a search.
  std::optional<Trace> trace;
  bool is_left_out = false;  ///< the test's filter does not hold at the end of the trace
  /// Instead of a trace: the program's runs cannot be written as one.
  std::optional<Diagnostic> contradiction;
};

/// Makes traces of recordings: a trace is one sequence of events, so this looks for an order of all accesses that keeps
/// each thread's own, in which every read sees the last write before it, and which follows the tickets as far as it
/// can.
class Reconstructor {
 public:
  /// Errors: those of sim::Engine.
  static Result<std::unique_ptr<Reconstructor>> create(std::shared_ptr<const Program> program);

  Reconstruction trace_of(const Recording& recording);

  /// How often the order differed from that of the tickets, over all traces made.
  std::uint64_t out_of_turn() const { return out_of_turn_; }

 private:
  struct Position {
    std::vector<std::size_t> next;  ///< by thread: accesses done
  };

  Reconstructor(std::shared_ptr<const Program> program, std::unique_ptr<sim::Engine> engine);
  bool search(const sim::State& state, const Position& position);
  bool accept(const sim::StepEvent& event, Position& position) const;
  std::vector<std::uint32_t> candidates(const sim::State& state, const Position& position) const;

  std::shared_ptr<const Program> program_;
  std::unique_ptr<sim::Engine> engine_;
  sim::TraceMaker traces_;
  const Recording* recording_ = nullptr;
  std::vector<std::vector<std::size_t>> turns_;  ///< by thread: where in the order of tickets its accesses stand
  std::vector<sim::StepEvent> steps_;
  std::optional<sim::State> end_;
  std::uint64_t visited_ = 0;
  std::uint64_t out_of_turn_ = 0;
};

}  // namespace ambit::cuda
