#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "runner/sim/lockstep.h"
#include "runner/sim/machine.h"

namespace ambit::sim {

/// A possible next step of a run.
struct Choice {
  enum class Kind : std::uint8_t {
    Step,    ///< a thread takes a step
    Memory,  ///< the memory performs an action
    Side,    ///< lockstep: one side of a branch is chosen to run first
    Part,    ///< an asynchronous operation continues
  };
  Kind kind = Kind::Step;
  std::uint32_t unit = 0;  ///< number of the thread (Step), of the warp (Side), or of the operation (Part)
  unsigned way = 0;        ///< Step: a way of Memory::ways; Side: number of the side; Part: Operations::Part::way
  MemoryAction action;     ///< Memory: the action
  std::uint32_t part = 0;  ///< Part: Operations::Part::part
  /// Returns whether the choice is a step of a thread or of an asynchronous operation. Traces contain only steps of
  /// threads and of asynchronous operations.
  bool is_of_program() const { return kind == Kind::Step || kind == Kind::Part; }
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// A program that is ready to run. Contains everything that is the same in all runs.
class Engine {
 public:
  /// Creates an engine. Errors: operations that the memory does not support (in `gpu`, proxies other than the generic
  /// proxy, and asynchronous operations).
  static Result<std::unique_ptr<Engine>> create(std::shared_ptr<const Program> program, const Options& options);

  const Program& program() const { return *program_; }
  const Options& options() const { return options_; }
  const Machine& machine() const { return machine_; }

  void reset(State& state) const;
  /// Replaces `threads` by the threads that can take a step now, in the order of the program.
  void find_ready(const State& state, std::vector<std::uint32_t>& threads) const;
  /// Replaces `choices` by the pending decisions between sides of branches. If no decision is pending, `choices`
  /// becomes empty.
  void find_sides(const State& state, std::vector<Choice>& choices) const;
  /// Replaces `choices` by everything that can happen next. If decisions between sides of branches are pending, these
  /// are the only choices. Otherwise, the choices are all steps, each in all of its ways (Memory::ways), followed by
  /// the actions of the memory.
  void find_choices(const State& state, std::vector<Choice>& choices) const;
  StepEvent apply(State& state, const Choice& choice) const;

  bool all_exited(const State& state) const;

  /// Returns the line of a schedule file for a choice: "P0", "P0 way 1", "drain P0 x", "write-back L1.b0 x", "side P0
  /// 1", "operation 1 part 2".
  std::string name(const Choice& choice) const;
  /// Returns the choice that a line of a schedule file names. Returns nothing if the choice is not possible in `state`.
  std::optional<Choice> find(const State& state, const std::string& name) const;

 private:
  Engine(std::shared_ptr<const Program> program, const Options& options);

  std::shared_ptr<const Program> program_;
  Options options_;
  Machine machine_;
  std::optional<Lockstep> lockstep_;
};

}  // namespace ambit::sim
