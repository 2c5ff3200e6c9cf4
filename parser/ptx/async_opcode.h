#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/program.h"

namespace ambit::parser::ptx {

/// The action of an instruction of the asynchronous families.
enum class AsyncAction : std::uint8_t {
  Copy,         ///< reads the source and writes the destination, element by element
  StoreValue,   ///< writes the value of a register (st.async)
  ReduceValue,  ///< updates with the value of a register (red.async)
  Reduce,       ///< updates the destination with the source, element by element
  Read,         ///< reads whole objects (wgmma operands)
  Multiply,     ///< tcgen05.mma: reads two operands in shared memory and updates tensor memory
  LoadTensor,   ///< reads tensor memory
  StoreTensor,  ///< writes tensor memory
  Reply,        ///< clusterlaunchcontrol.try_cancel: writes an unknown value
  Commit,
  Wait,
  WaitAll,
  Arrive,       ///< arrives when the thread's earlier operations of the group are complete
  ArriveLater,  ///< like Arrive, and the phase waits for one more arrival
  Nothing,      ///< orders only registers
  FenceBefore,  ///< tcgen05.fence::before_thread_sync
  FenceAfter,   ///< tcgen05.fence::after_thread_sync
  ReplaceMap,   ///< tensormap.replace: a weak write of the whole descriptor
  CopyMap,      ///< tensormap.cp_fenceproxy: copies a descriptor, then releases it to the tensormap proxy
  ReleaseMap,   ///< fence.proxy.tensormap::generic.release
  AcquireMap,   ///< fence.proxy.tensormap::generic.acquire
};

/// A row of the table of forms.
struct AsyncForm {
  /// words between dots: a|b for alternatives, ? for optional, * for any further words, OP, TYPE, SCOPE
  std::string_view pattern;
  /// a letter for each operand: d destination, s source, t tensor map, b mbarrier, n bytes or groups, v value, m mask,
  /// p product in registers; ? for optional
  std::string_view operands;
  AsyncAction action = AsyncAction::Nothing;
  AsyncGroup group = AsyncGroup::None;
  Proxy proxy = Proxy::Generic;
};

/// The form of an asynchronous instruction and its other modifiers.
struct AsyncOpcode {
  const AsyncForm* form = nullptr;
  RmwOp reduction = RmwOp::Add;
  bool is_multicast = false;
  bool reads_only = false;                    ///< whether it has .read
  std::optional<Scope> scope = std::nullopt;  ///< the scope in the instruction
};

}  // namespace ambit::parser::ptx
