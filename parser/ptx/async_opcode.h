#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/program.h"

namespace ambit::parser::ptx {

/// The action of an instruction of the asynchronous families.
enum class AsyncAction : std::uint8_t {
  Copy,         ///< reads the source, writes the destination, by elements
  StoreValue,   ///< writes a register (st.async)
  ReduceValue,  ///< updates with a register (red.async)
  Reduce,       ///< updates the destination with the source, by elements
  Read,         ///< reads whole objects (wgmma operands)
  Multiply,     ///< tcgen05.mma: reads two operands in shared memory, updates tensor memory
  LoadTensor,   ///< reads tensor memory
  StoreTensor,  ///< writes tensor memory
  Reply,        ///< writes an unknown value: clusterlaunchcontrol.try_cancel
  Commit,
  Wait,
  WaitAll,
  Arrive,       ///< arrives when the thread's earlier operations of the group are complete
  ArriveLater,  ///< like Arrive, and adds one arrival to those that the phase waits for
  Nothing,      ///< orders registers only
  FenceBefore,  ///< tcgen05.fence::before_thread_sync
  FenceAfter,   ///< tcgen05.fence::after_thread_sync
  ReplaceMap,   ///< tensormap.replace: a weak write of the whole descriptor
  CopyMap,      ///< tensormap.cp_fenceproxy: copies a descriptor, then releases it to the tensormap proxy
  ReleaseMap,   ///< fence.proxy.tensormap::generic.release
  AcquireMap,   ///< fence.proxy.tensormap::generic.acquire
};

/// A row of the table of forms.
struct AsyncForm {
  std::string_view pattern;  ///< words between dots: a|b alternatives, ? optional, * any further words, OP, TYPE, SCOPE
  std::string_view operands;  ///< d destination, s source, t tensor map, b mbarrier, n bytes or groups, v value, m
                              ///< mask, p product in registers, ? optional
  AsyncAction action = AsyncAction::Nothing;
  AsyncGroup group = AsyncGroup::None;
  Proxy proxy = Proxy::Generic;
};

/// The form of an asynchronous instruction and its further modifiers.
struct AsyncOpcode {
  const AsyncForm* form = nullptr;
  RmwOp reduction = RmwOp::Add;
  bool is_multicast = false;
  bool reads_only = false;                    ///< .read
  std::optional<Scope> scope = std::nullopt;  ///< as written
};

}  // namespace ambit::parser::ptx
