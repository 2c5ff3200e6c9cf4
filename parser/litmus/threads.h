#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/program.h"
#include "parser/litmus/fragment_table.h"
#include "parser/litmus/function_table.h"
#include "parser/litmus/mbarrier_table.h"
#include "parser/litmus/tensor_map_table.h"
#include "parser/text/memory_table.h"
#include "parser/text/placement.h"
#include "parser/text/program_options.h"
#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"

namespace ambit::parser::litmus {

struct Operand;
struct Assembly;
struct ThreadSetting;

/// Makes the code of launched threads from another source than the kernel's body, for example from PTX.
class ThreadMaker {
 public:
  virtual ~ThreadMaker() = default;
  /// Makes a thread. `arguments` contains one constant for each parameter of `kernel`.
  virtual Thread make(Assembly& assembly, const ThreadSetting& setting, const FunctionNode& kernel,
                      const std::vector<Operand>& arguments) = 0;
};

/// The state that the lowering of all threads of one test shares.
struct Assembly {
  const FileNode& file;
  const ProgramOptions& options;
  Reporter& reporter;
  Program& program;
  MemoryTable& memory;
  FunctionTable& functions;
  bool has_opaque_values = false;  ///< whether every thread has the register kOpaqueRegister
  /// The number of statements and expressions that may still be lowered, in all threads together. The number limits
  /// nested inlining and unrolling.
  std::uint64_t work_left = 1'000'000;
  std::set<const void*> checked = {};  ///< unreachable code that has been checked
  MbarrierTable mbarriers = {};
  TensorMapTable tensor_maps = {};
  FragmentTable fragments = {};
  ThreadMaker* maker = nullptr;  ///< makes the code of launched threads; if null, lower_thread() makes the code
};

/// The place of a thread, and in a kernel the values of the built-in variables.
struct ThreadSetting {
  using Triple = std::array<std::uint32_t, 3>;
  struct Coordinates {
    Triple thread;
    Triple block;
    Triple block_dim;
    Triple grid_dim;
    std::uint32_t cluster_blocks = 1;  ///< number of blocks in a cluster; these blocks are consecutive along x
  };
  /// The grid of a launch, and the grid that this grid depends on (`dependent launch`).
  struct Grid {
    struct Counters {
      /// An array that has a counter for each block of a grid. At its end, a thread adds 1 to the counter of its block.
      /// launch_dependents adds the number of threads in a block. The dependent grid can start when each counter is at
      /// least the number of threads in a block.
      ObjectId started = 0;
      ObjectId finished = 0;  ///< counter of ended threads
      Value blocks = 0;
      Value threads = 0;  ///< number of threads in a block
    };
    std::optional<Counters> own = std::nullopt;     ///< counters of this grid, if a later grid depends on this grid
    std::optional<Counters> before = std::nullopt;  ///< counters of the grid that this grid depends on
    int number = 0;                                 ///< Thread::grid
    std::uint32_t block = 0;                        ///< number of the thread's block in the grid
    SourceSpan span = {};                           ///< place of the launch
  };
  std::string name;
  ThreadPlace place;
  std::optional<Coordinates> kernel = {};
  Grid grid = {};
};

/// Lowers the code of a thread to core's flat instructions. Replaces variables that have a known value by the value,
/// and evaluates branches on known values. Code that this thread never reaches is checked but not emitted.
Thread lower_thread(Assembly& assembly, ThreadSetting setting, const ThreadNode& node);
/// Lowers the code of `kernel` for one thread. `arguments` contains one constant for each parameter.
Thread lower_thread(Assembly& assembly, ThreadSetting setting, const FunctionNode& kernel,
                    const std::vector<Operand>& arguments);

/// Adds the threads that the file places explicitly: `P0 @ block 0 { ... }`.
void add_placed_threads(Assembly& assembly, ClusterNumbers& clusters);

/// Adds the threads of all launches. Omits threads without events. Numbers the launched blocks in the order of the
/// launches, beginning after the highest block number of the explicitly placed threads.
void add_launched_threads(Assembly& assembly, ClusterNumbers& clusters);

}  // namespace ambit::parser::litmus
