#pragma once

#include <memory>
#include <string_view>

#include "parser/litmus/thread_context.h"

namespace ambit::parser::litmus {

/// Emits the accesses to the counters of grids, in a thread whose launch depends on another launch or has a dependent
/// launch (programmatic dependent launch; PTX ISA 9.7.13, griddepcontrol). The semantics are those of PTX litmus files
/// (parser/ptx/grids.h).
class GridLowering {
 public:
  explicit GridLowering(ThreadContext& thread) : thread_(thread) {}

  /// Makes the thread start only when each block of the previous grid has ended, or one of its threads has allowed the
  /// start.
  void begin();
  /// Ends the thread. Allows the dependent grid to start, if the thread has not done so before.
  void end(SourceSpan span);
  /// Lowers griddepcontrol.wait: the previous grid has ended, and its memory is visible. No effect without a previous
  /// grid.
  void wait(SourceSpan span);
  /// Lowers griddepcontrol.launch_dependents: allows the dependent grid to start. A repetition has no effect.
  void launch_dependents(SourceSpan span);
  /// Reports a jump that skips or repeats launch_dependents in the finished code.
  void check(const std::vector<Instruction>& code);

 private:
  void wait_for(MemoryAccess counter, Value least, std::string_view instruction, SourceSpan span);
  std::shared_ptr<const MachineInstruction> add(Value number, MemoryAccess counter, std::string_view instruction,
                                                SourceSpan span);

  ThreadContext& thread_;
};

}  // namespace ambit::parser::litmus
