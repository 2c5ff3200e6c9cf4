#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/source.h"
#include "runner/sim/lockstep.h"
#include "runner/sim/machine.h"

namespace ambit::sim {

/// A possible next step of a run.
struct Choice {
  enum class Kind : std::uint8_t {
    Step,    ///< a thread takes a step
    Memory,  ///< the memory does something by itself
    Side,    ///< lockstep: which side of a branch goes first
    Part,    ///< an asynchronous operation continues
  };
  Kind kind = Kind::Step;
  std::uint32_t unit = 0;  ///< Step: thread; Side: warp; Part: operation
  unsigned way = 0;        ///< Step: Memory::ways; Side: which; Part: Operations::Part::way
  MemoryAction action;     ///< Memory
  std::uint32_t part = 0;  ///< Part: Operations::Part::part
  /// Returns whether a thread or one of its operations continues: traces may show it.
  bool is_of_program() const { return kind == Kind::Step || kind == Kind::Part; }
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// A program ready to run: the parts that do not change from run to run.
class Engine {
 public:
  /// Errors: operations that the memory does not support (in `gpu` proxies other than the generic one, asynchronous
  /// operations).
  static Result<std::unique_ptr<Engine>> create(std::shared_ptr<const Program> program, const Options& options);

  const Program& program() const { return *program_; }
  const Options& options() const { return options_; }
  const Machine& machine() const { return machine_; }

  void reset(State& state) const;
  /// Replaces `threads` by the threads that can take a step now, in the order of the program.
  void find_ready(const State& state, std::vector<std::uint32_t>& threads) const;
  /// Replaces `choices` by the pending decisions between sides of branches; empty if there are none.
  void find_sides(const State& state, std::vector<Choice>& choices) const;
  /// Replaces `choices` by everything that can happen next: either steps, in each way, then actions of the memory, or
  /// only sides of branches.
  void find_choices(const State& state, std::vector<Choice>& choices) const;
  StepEvent apply(State& state, const Choice& choice) const;

  bool all_exited(const State& state) const;

  /// Returns "P0", "P0 way 1", "drain P0 x", "write-back L1.b0 x", "side P0 1", "operation 1 part 2": a line of a
  /// schedule file.
  std::string name(const Choice& choice) const;
  /// Returns the choice that a line names; nothing if it is not possible in `state`.
  std::optional<Choice> find(const State& state, const std::string& name) const;

 private:
  Engine(std::shared_ptr<const Program> program, const Options& options);

  std::shared_ptr<const Program> program_;
  Options options_;
  Machine machine_;
  std::optional<Lockstep> lockstep_;
};

}  // namespace ambit::sim
