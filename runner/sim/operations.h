#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/program.h"
#include "runner/sim/state.h"

namespace ambit::sim {

/// Asynchronous operations on sequentially consistent memory (docs/reference/simulator.md). An operation reads
/// elements, writes elements and completes on mbarriers in separate parts, at any time after its issue. Each element is
/// read before it is written. The completions on mbarriers follow all elements.
///
/// The async proxy may see an older value of a cell. The older value is the last value that the proxy accessed, or that
/// a fence.proxy.async of any thread made visible. PTX allows all outcomes of the simulator, and more.
class Operations {
 public:
  /// `program` must outlive this object.
  explicit Operations(const Program& program);

  bool exist() const { return exist_; }
  void reset(State& state) const;

  /// Returns whether a thread can execute its next operation, which is `step`.
  bool can_step(const State& state, std::uint32_t thread, const AsyncStep& step) const;
  void step(State& state, std::uint32_t thread, const AsyncStep& step, std::span<const Value> registers) const;
  void fence(State& state, const ProxyFence& fence) const;
  /// Returns whether the instruction is the end of a kernel, which waits until all operations of the thread are
  /// complete.
  static bool ends_kernel(const Instruction& instruction);
  bool are_performed(const State& state, std::uint32_t thread) const;
  /// Must be called when a kernel starts after another kernel. Makes all earlier writes visible to the async proxy.
  void start_kernel(State& state) const;

  /// The next possible part of a pending operation.
  struct Part {
    std::uint32_t operation = 0;  ///< index in State::operations
    std::uint32_t part = 0;       ///< number of an element, or of a completion (counted after the elements)
    std::uint32_t way = 0;        ///< for a read by the async proxy: 1 reads the older value
  };
  void find_parts(const State& state, std::vector<Part>& parts) const;
  StepEvent perform(State& state, const Part& part, std::span<Value> registers) const;

 private:
  static constexpr std::size_t kGroups = 7;  ///< number of enumerators of AsyncGroup

  const AsyncStep& step_of(const PendingOperation& operation) const;
  static bool is_finished(const PendingOperation& operation);
  bool awaits_others(const State& state, std::size_t operation) const;
  std::optional<LocationId> locate(State& state, const MemoryAccess& access, std::span<const Value> registers) const;
  void read(State& state, PendingElement& element, const AsyncElement& what, bool older) const;
  void write(State& state, const PendingElement& element, const AsyncElement& what) const;

  const Program& program_;
  bool exist_;
};

}  // namespace ambit::sim
