#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/program.h"

namespace ambit::parser::ptx {

/// The action of an asynchronous instruction.
enum class AsyncAction : std::uint8_t {
  Copy,         ///< copies each element from the source to the destination
  StoreValue,   ///< writes the value of a register (st.async)
  ReduceValue,  ///< updates the destination with a register's value (red.async)
  Reduce,       ///< updates each element of the destination with the source element
  Read,         ///< reads whole objects (wgmma operands)
  Multiply,     ///< tcgen05.mma: reads two operands in shared memory and updates tensor memory
  LoadTensor,   ///< reads tensor memory
  StoreTensor,  ///< writes tensor memory
  Reply,        ///< clusterlaunchcontrol.try_cancel: writes an unknown value
  Commit,
  Wait,
  WaitAll,
  Arrive,       ///< arrives when the thread's earlier operations of the group are complete
  ArriveLater,  ///< like Arrive, but the phase waits for an additional arrival
  Nothing,      ///< orders accesses to registers; has no effect on memory
  FenceBefore,  ///< tcgen05.fence::before_thread_sync
  FenceAfter,   ///< tcgen05.fence::after_thread_sync
  ReplaceMap,   ///< tensormap.replace: a weak write of the whole descriptor
  CopyMap,      ///< tensormap.cp_fenceproxy: copies a descriptor, then releases it to the tensormap proxy
  ReleaseMap,   ///< fence.proxy.tensormap::generic.release
  AcquireMap,   ///< fence.proxy.tensormap::generic.acquire
};

/// A form of asynchronous instructions.
struct AsyncForm {
  /// The words of the opcode. a|b: alternatives; ?: optional; *: any further words; OP, TYPE, SCOPE: any word of the
  /// kind.
  std::string_view pattern;
  /// One letter for each operand: d destination, s source, t tensor map, b mbarrier, n number of bytes or groups,
  /// v value, m mask, p product in registers. A letter with ? is optional.
  std::string_view operands;
  AsyncAction action = AsyncAction::Nothing;
  AsyncGroup group = AsyncGroup::None;
  Proxy proxy = Proxy::Generic;
};

/// The form of an asynchronous instruction, and the modifiers that are not part of the form.
struct AsyncOpcode {
  const AsyncForm* form = nullptr;
  RmwOp reduction = RmwOp::Add;
  bool is_multicast = false;
  bool reads_only = false;                    ///< whether the instruction has .read
  std::optional<Scope> scope = std::nullopt;  ///< the scope, if the instruction names one
};

}  // namespace ambit::parser::ptx
