#pragma once

#include <memory>
#include <string_view>

#include "parser/litmus/thread_context.h"

namespace ambit::parser::litmus {

/// A thread of a launch on which another launch depends, or that depends on one (programmatic dependent launch; PTX ISA
/// 9.7.13, griddepcontrol): the accesses to the counters of the grids. The meaning is that of PTX litmus files
/// (parser/ptx/grids.h).
class GridLowering {
 public:
  explicit GridLowering(ThreadContext& thread) : thread_(thread) {}

  /// The thread starts when each block of the grid before has let it, by one of its threads, or has ended.
  void begin();
  /// The thread lets the dependent grid start, if it has not done so before, and has ended.
  void end(SourceSpan span);
  /// griddepcontrol.wait: the grid before has ended, and its memory is visible. Nothing where no grid is before.
  void wait(SourceSpan span);
  /// griddepcontrol.launch_dependents: lets the dependent grid start. A second one has no effect.
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
