#pragma once

#include <cstdint>

#include "core/trace.h"

namespace ambit::detector {

/// A detector processes actions. Each event of the trace causes one or more actions: accesses to data, critical
/// sections and synchronisation. SyncInference infers actions that the trace does not contain explicitly.
enum class ActionKind : std::uint8_t {
  Access,
  Acquire,    ///< a critical section on `object` begins
  Release,    ///< the section ends and publishes the thread's past
  Abandon,    ///< the section ends without a fence and publishes nothing
  Mark,       ///< creates mark `object` at the thread's current position
  DropMark,   ///< no later action uses mark `object`; the number becomes free
  AddToMark,  ///< the events before mark `added` of thread `marker` are also before mark `object`
  Edge,       ///< mark `object` happens before all further actions of the thread
  Barrier,    ///< a barrier completes: SyncInference::completions()[object]
  Fork,
  Join,
  Exit,
  Issue,          ///< `thread`, an asynchronous operation, begins after mark `object`
  MarkOperation,  ///< mark `object` covers only the accesses of the operation: its reads or, if is_write, its writes
  ProxyFence,     ///< a fence.proxy.async for `spaces`, after everything in the thread's past
};

/// Bits for the state spaces of a proxy fence.
inline constexpr std::uint8_t kGlobalSpace = 1;
inline constexpr std::uint8_t kSharedSpace = 2;

struct Action {
  ActionKind kind = ActionKind::Access;
  Scope scope = Scope::System;    ///< scope of an atomic access; effective scope of an acquire or release
  Scope section = Scope::System;  ///< Release: the scope of the acquire or of the release, whichever is narrower
  bool is_write = false;
  bool is_atomic = false;  ///< Access: atomic, or volatile if the rules make volatile accesses relaxed
  bool is_volatile = false;
  bool is_polled = false;     ///< Edge: from a read-modify-write that no fence has followed so far
  bool is_widening = false;   ///< Acquire: a wider fence widens the open section
  bool is_first = false;      ///< AddToMark: the first addition to mark `object`
  bool lock_is_bare = false;  ///< Access: the thread acquired `lock` without an acquire fence
  bool is_operation = false;  ///< Access: made by an asynchronous operation
  bool is_async = false;      ///< Access: made by the async proxy
  bool ends_updates = false;  ///< Access to an mbarrier: its earlier updates happen before all events after this access
  bool is_of_warp = false;    ///< an action of all lanes of the warp whose first thread is `thread`; see of_lane()
  std::uint8_t spaces = 0;    ///< ProxyFence: the fence's spaces; Access by the async proxy: the location's space
  Scope lock_scope = Scope::System;
  std::uint32_t lock = kNoName;  ///< Access: the innermost lock that the thread holds
  std::uint32_t thread = 0;
  std::uint32_t object = kNoName;
  std::uint32_t marker = kNoName;  ///< Edge: if the mark belongs to a warp, the thread whose part of the mark is used
  std::uint32_t added = kNoName;   ///< AddToMark: the mark that is added
  std::uint32_t site = kNoName;
  std::uint64_t event = 0;  ///< number of the event in the trace

  /// Returns one lane's part of an action of a warp. The lanes' locations, locks and threads have consecutive numbers;
  /// all lanes use the same mark number.
  Action of_lane(std::uint32_t lane) const {
    Action one = *this;
    one.is_of_warp = false;
    one.thread += lane;
    one.event += lane;
    const bool is_added = kind == ActionKind::AddToMark;
    if (kind == ActionKind::Edge || is_added) one.marker += lane;
    if (is_added && lane != 0) one.is_first = false;
    if (kind != ActionKind::Edge && kind != ActionKind::Mark && !is_added) one.object += lane;
    if (lock != kNoName) one.lock += lane;
    return one;
  }
};

}  // namespace ambit::detector
