#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/program.h"
#include "parser/text/placement.h"
#include "parser/text/reporter.h"

namespace ambit::parser::ptx {

/// Adds a counter for internal use: a memory cell after the program's other objects. The name of the counter begins
/// with %, like the name of a temporary register, so that outcomes do not list the counter.
ObjectId add_counter(Program& program, const std::string& name);
/// Returns an atomic access to the counter, with gpu scope.
MemoryAccess counter_access(ObjectId counter, Order order);
/// Returns the machine instruction with this name. On a GPU, a thread executes the machine instruction and omits the
/// accesses to the counter.
std::shared_ptr<const MachineInstruction> machine_of(std::string_view name);

/// Counters of exited threads, for blocks in which every thread has an `exit`. A block may access the shared memory of
/// block b only while at least one thread of b has not exited.
class Exits {
 public:
  /// Records a thread of the block. `exits` is true if the thread has an `exit`.
  void add(BlockId block, bool exits);
  /// Creates the counters. `reached` contains the blocks whose shared memory other blocks access.
  void make_counters(const std::set<BlockId>& reached, Program& program);
  /// Returns the counter of a block; nothing if the block has no counter.
  std::optional<ObjectId> counter(BlockId block) const {
    const auto found = counters_.find(block);
    return found == counters_.end() ? std::nullopt : std::optional(found->second);
  }
  Value threads(BlockId block) const { return threads_.at(block); }

 private:
  static constexpr Value kNever = -1;
  std::map<BlockId, Value> threads_;  ///< number of the block's threads; kNever if a thread has no `exit`
  std::map<BlockId, ObjectId> counters_;
};

/// The grids of a test in which each grid depends on the previous grid (programmatic dependent launch; PTX ISA 9.7.13,
/// griddepcontrol). Counters model the launch. A block allows the dependent grid to start when one of its threads has
/// executed launch_dependents, or when all its threads have ended. Each block has a start counter: launch_dependents
/// adds the number of threads in the block, and the end of a thread adds 1. The dependent grid starts when each start
/// counter is at least the number of threads in its block. Another counter counts the ended threads of the grid. The
/// start of a dependent grid acquires the start counters. griddepcontrol.wait acquires the counter of ended threads.
/// The end of a thread releases to the counter of ended threads. launch_dependents is not a release.
class Grids {
 public:
  /// Records that a thread of the block is in the grid. Error: another thread of the block is in another grid.
  void add(BlockId block, int grid, SourceSpan where, Reporter& reporter);
  /// Adds the counters to the program, after the other objects.
  void make_counters(Program& program);

  int grid_of(BlockId block) const;
  bool has_dependents(int grid) const { return counters_.contains(grid); }
  bool has_prerequisite(int grid) const { return counters_.contains(grid - 1); }
  Value threads(int grid) const { return threads_.at(grid); }
  Value threads(BlockId block) const { return block_threads_.at(block); }
  /// Returns the blocks of a grid that has dependents.
  const std::vector<BlockId>& blocks(int grid) const { return counters_.at(grid).blocks; }
  /// Returns an access to a counter of a grid that has dependents.
  MemoryAccess started(BlockId block, Order order) const { return counter_access(started_.at(block), order); }
  MemoryAccess finished(int grid, Order order) const { return counter_access(counters_.at(grid).finished, order); }

 private:
  struct Counters {
    std::vector<BlockId> blocks;
    ObjectId finished = 0;
  };
  std::map<BlockId, int> grids_;
  std::map<int, Value> threads_;
  std::map<BlockId, Value> block_threads_;
  std::map<BlockId, ObjectId> started_;
  std::map<int, Counters> counters_;  ///< counters of the grids that have a dependent grid
};

}  // namespace ambit::parser::ptx
