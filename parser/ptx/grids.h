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

/// Adds a cell that the test does not name after the program's other objects. Its name begins with %, like those of
/// temporary registers, so no outcome lists it.
ObjectId add_counter(Program& program, const std::string& name);
/// Returns an atomic access to the counter at gpu scope.
MemoryAccess counter_access(ObjectId counter, Order order);
/// Returns the instruction of that name, which a thread executes on a GPU instead of the counter accesses.
std::shared_ptr<const MachineInstruction> machine_of(std::string_view name);

/// Counters of exited threads, for blocks in which each column has an `exit`. An access to the shared memory of such a
/// block from another block requires that some thread of the block has not exited.
class Exits {
 public:
  /// Notes a thread of the block.
  void add(BlockId block, bool exits);
  /// Makes the counters. `reached`: the blocks whose shared memory other blocks access.
  void make_counters(const std::set<BlockId>& reached, Program& program);
  /// Returns the counter of a block. Nothing: the block does not exit while the test runs.
  std::optional<ObjectId> counter(BlockId block) const {
    const auto found = counters_.find(block);
    return found == counters_.end() ? std::nullopt : std::optional(found->second);
  }
  Value threads(BlockId block) const { return threads_.at(block); }

 private:
  static constexpr Value kNever = -1;
  std::map<BlockId, Value> threads_;  ///< kNever: some thread of the block has no `exit`
  std::map<BlockId, ObjectId> counters_;
};

/// The grids of a test, each depending on the previous one (programmatic dependent launch; PTX ISA 9.7.13,
/// griddepcontrol). Counters model the launch. A cta allows the dependent grid to start when one of its threads has run
/// launch_dependents or all have ended: then its start counter is at least its number of threads, because
/// launch_dependents adds that number and the end of a thread adds 1. Another counter counts the ended threads of the
/// grid. The start of a dependent grid acquires the start counters, griddepcontrol.wait the counter of ended threads.
/// The end of a thread releases to the latter; launch_dependents releases to neither.
class Grids {
 public:
  /// Notes that a thread of the block is in the grid. Errors: the block is in another grid.
  void add(BlockId block, int grid, SourceSpan where, Reporter& reporter);
  /// Adds the counters to the program after its other objects.
  void make_counters(Program& program);

  int grid_of(BlockId block) const;
  bool has_dependents(int grid) const { return counters_.contains(grid); }
  bool has_prerequisite(int grid) const { return counters_.contains(grid - 1); }
  Value threads(int grid) const { return threads_.at(grid); }
  Value threads(BlockId block) const { return block_threads_.at(block); }
  /// Returns the ctas of a grid that has dependents.
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
  std::map<int, Counters> counters_;  ///< of grids with a dependent grid
};

}  // namespace ambit::parser::ptx
