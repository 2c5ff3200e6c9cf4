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

/// Adds a cell that the test does not name, behind the program's other objects. Its name begins with %, as those of
/// temporary registers do: no outcome lists it.
ObjectId add_counter(Program& program, const std::string& name);
/// An atomic access to it at gpu scope.
MemoryAccess counter_access(ObjectId counter, Order order);
/// The instruction of that name, which a thread executes on a GPU where the test accesses counters.
std::shared_ptr<const MachineInstruction> machine_of(std::string_view name);

/// How many threads have exited of the blocks whose columns all have an `exit`. Who accesses the shared memory of
/// such a block from another one must find that some thread has not.
class Exits {
 public:
  /// Notes a thread of the block.
  void add(BlockId block, bool exits);
  /// `reached`: the blocks whose shared memory other blocks access.
  void make_counters(const std::set<BlockId>& reached, Program& program);
  /// Nothing: the block does not exit while the test runs.
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

/// The grids of a test, each of which depends on the one before (programmatic dependent launch; PTX ISA 9.7.13,
/// griddepcontrol). Counters stand for the launch. A cta has let the dependent grid start when one of its threads has
/// run launch_dependents, or when all have ended: its counter is then at least the number of its threads, which
/// launch_dependents adds, and the end of a thread adds 1. Another counter has the threads of the grid that have ended.
/// The start of a dependent grid acquires the former, griddepcontrol.wait the latter; the end of a thread releases to
/// the latter, launch_dependents does not.
class Grids {
 public:
  /// Notes that a thread of the block is in the grid. Errors: the block is in another one.
  void add(BlockId block, int grid, SourceSpan where, Reporter& reporter);
  /// Adds the counters to the program, behind its other objects.
  void make_counters(Program& program);

  int grid_of(BlockId block) const;
  bool has_dependents(int grid) const { return counters_.contains(grid); }
  bool has_prerequisite(int grid) const { return counters_.contains(grid - 1); }
  Value threads(int grid) const { return threads_.at(grid); }
  Value threads(BlockId block) const { return block_threads_.at(block); }
  /// The ctas of a grid that has dependents.
  const std::vector<BlockId>& blocks(int grid) const { return counters_.at(grid).blocks; }
  /// Access to a counter of a grid that has dependents.
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
  std::map<int, Counters> counters_;  ///< of grids on which another one depends
};

}  // namespace ambit::parser::ptx
