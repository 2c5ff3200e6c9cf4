#pragma once

#include <memory>
#include <string_view>

#include "parser/litmus/thread_context.h"

namespace ambit::parser::litmus {

/// Lowers programmatic dependent launch (PTX ISA 9.7.13, griddepcontrol) for a thread whose launch depends on another
/// launch or has a dependent launch. Emits accesses to the counters of the grids. PTX litmus files have the same
/// semantics (parser/ptx/grids.h).
class GridLowering {
 public:
  explicit GridLowering(ThreadContext& thread) : thread_(thread) {}

  /// Emits the wait at the beginning of the thread. The wait ends when each block of the previous grid has ended, or
  /// when each block has a thread that has executed launch_dependents.
  void begin();
  /// Emits the end of the thread, which allows the dependent grid to start if the thread has not executed
  /// launch_dependents.
  void end(SourceSpan span);
  /// Lowers griddepcontrol.wait: waits until the previous grid has ended and its memory accesses are visible. If there
  /// is no previous grid, the instruction has no effect.
  void wait(SourceSpan span);
  /// Lowers griddepcontrol.launch_dependents: allows the dependent grid to start. If a thread executes
  /// launch_dependents again, the instruction has no effect.
  void launch_dependents(SourceSpan span);
  /// Checks the finished code. Reports an error if a jump skips or repeats launch_dependents.
  void check(const std::vector<Instruction>& code);

 private:
  void wait_for(MemoryAccess counter, Value least, std::string_view instruction, SourceSpan span);
  std::shared_ptr<const MachineInstruction> add(Value number, MemoryAccess counter, std::string_view instruction,
                                                SourceSpan span);

  ThreadContext& thread_;
};

}  // namespace ambit::parser::litmus
