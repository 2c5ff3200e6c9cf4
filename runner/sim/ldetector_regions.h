#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/source.h"
#include "core/program.h"
#include "runner/sim/ldetector.h"
#include "runner/sim/machine.h"

namespace ambit::sim::ldetection {

/// Values of all cells of shared memory, indexed by LocationId. The entries of other locations are 0.
using Cells = std::vector<Value>;

/// A place in the source, given by thread and instruction.
struct Place {
  std::uint32_t thread = 0;
  std::uint32_t instruction = 0;
};

/// The effect of a warp on shared memory in a region.
struct WarpRun {
  Cells cells;                         ///< the warp's copy of shared memory after the region
  std::map<LocationId, Place> writes;  ///< the last store to each cell
  std::map<LocationId, Place> reads;   ///< the first load of each cell that the warp had not stored to before
  std::optional<Diagnostic> error;     ///< reason why the warp did not reach the end of the region
  bool is_cancelled = false;
};

/// A race as the checks report it.
struct Finding {
  LocationId location = 0;
  Place first;
  Place second;
  bool second_writes = false;
  bool same_value = false;  ///< both warps leave the same value in the cell
};

/// The result of a region.
struct Verdict {
  std::vector<Finding> findings;
  std::optional<Diagnostic> error;
  bool is_cancelled = false;
  bool is_clean() const { return findings.empty() && !error && !is_cancelled; }
};

/// The result of pass one, which is the input of pass two.
struct PassOne {
  State start;  ///< state at the start of the region
  /// State after the region: the registers and positions of all threads, global memory, and shared memory with all
  /// changes.
  State end;
  std::vector<WarpRun> warps;                    ///< effects, indexed by the number of the warp in the block
  std::vector<std::vector<LocationId>> changed;  ///< for each warp, the cells whose value it changed
};

/// The threads of one block, grouped by warp.
struct Block {
  int gpu = 0;
  int number = 0;
  std::vector<std::vector<std::uint32_t>> warps;
  std::vector<std::uint32_t> threads;
};

/// Returns the blocks, and the lanes of each warp, in order of their numbers.
std::vector<Block> blocks_of(const Program& program);

/// Runs warps of one program through regions. The class contains no state of a run, so several threads may use it at
/// the same time.
class Regions {
 public:
  Regions(const Program& program, const LDetectorOptions& options, const std::atomic<bool>& stop)
      : machine_(program, machine_options()), options_(options), stop_(stop) {
    for (LocationId location = 0; location < program.locations.size(); ++location) {
      if (program.objects[program.locations[location].object].space == MemorySpace::Shared) shared_.push_back(location);
    }
  }

  const Machine& machine() const { return machine_; }
  bool has_shared_memory() const { return !shared_.empty(); }

  /// Runs a block through its next region. No thread of the block may wait at a barrier.
  PassOne pass_one(const Block& block, State start) const;
  /// Runs the write-write check, pass two, and the read-write check.
  Verdict check(const Block& block, const PassOne& one) const;
  /// Returns whether the thread waits at a barrier of its block.
  bool is_at_end(const State& state, std::uint32_t thread) const {
    return machine_.is_at_barrier(state, thread) &&
           machine_.barriers().kind(machine_.waiting_at(state, thread).barrier) == BarrierKind::Block;
  }

 private:
  static Options machine_options() {
    Options options;
    options.memory = MemoryKind::Sc;
    return options;
  }

  Cells shared_cells(const State& state) const {
    Cells cells(state.memory.values.size());
    for (const LocationId location : shared_) cells[location] = state.memory.values[location];
    return cells;
  }
  void set_shared(State& state, const Cells& cells) const {
    for (const LocationId location : shared_) state.memory.values[location] = cells[location];
  }
  WarpRun run(State& state, const std::vector<std::uint32_t>& warp, const Cells& cells) const;
  std::optional<Diagnostic> why_stuck(const State& state, const std::vector<std::uint32_t>& warp) const;
  void note(const StepEvent& event, WarpRun& run) const;
  std::vector<Finding> write_write(const PassOne& one) const;
  std::vector<Finding> read_write(const Block& block, const PassOne& one, const State& before, std::size_t warp,
                                  const WarpRun& two) const;
  bool differs(const PassOne& one, const Cells& cells) const;

  Machine machine_;
  LDetectorOptions options_;
  const std::atomic<bool>& stop_;
  std::vector<LocationId> shared_;
};

}  // namespace ambit::sim::ldetection
