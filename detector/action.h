#pragma once

#include <cstdint>

#include "core/trace.h"

namespace ambit::detector {

/// What one event of a trace means to a detector: accesses of data, critical sections and synchronisation. The trace
/// names them, or SyncInference infers them.
enum class ActionKind : std::uint8_t {
  Access,
  Acquire,    ///< a critical section on `object` begins
  Release,    ///< the section ends and publishes what the thread did
  Abandon,    ///< the section ends without a fence and publishes nothing
  Mark,       ///< remember what the thread has done and seen so far under number `object`
  DropMark,   ///< no action uses mark `object` any more; its number may be used again
  AddToMark,  ///< what comes before mark `added`, of thread `marker`, also comes before mark `object`, a new one at
              ///< first
  Edge,       ///< mark `object` happens before all further actions of the thread
  Barrier,    ///< completion number `object` of SyncInference::completions()
  Fork,
  Join,
  Exit,
  Issue,          ///< `thread`, an asynchronous operation, begins behind mark `object`
  MarkOperation,  ///< number `object` stands for what the operation did (its reads, unless is_write), and nothing else
  ProxyFence,     ///< what the thread has done and seen is behind a fence.proxy.async of `spaces`
};

/// State spaces that a proxy fence concerns, as bits.
inline constexpr std::uint8_t kGlobalSpace = 1;
inline constexpr std::uint8_t kSharedSpace = 2;

struct Action {
  ActionKind kind = ActionKind::Access;
  Scope scope = Scope::System;    ///< of an atomic access; effective scope of an acquire or release
  Scope section = Scope::System;  ///< Release: the narrower of acquire's and release's
  bool is_write = false;
  bool is_atomic = false;  ///< Access: also of a volatile one, where these are relaxed
  bool is_volatile = false;
  bool is_polled = false;     ///< Edge: by a read-modify-write that no fence follows yet
  bool is_widening = false;   ///< Acquire: of the section that is open, now by a wider fence
  bool is_first = false;      ///< AddToMark: nothing has been added before
  bool lock_is_bare = false;  ///< Access: `lock` was taken without an acquire fence
  bool is_operation = false;  ///< Access: by an asynchronous operation
  bool is_async = false;      ///< Access: by the async proxy
  bool ends_updates = false;  ///< Access of an mbarrier: the updates before it happen before all that follows it
  bool is_of_warp = false;    ///< one for each lane of the whole warp whose first thread is `thread`: of_lane()
  std::uint8_t spaces = 0;    ///< ProxyFence; Access by the async proxy: that of the location
  Scope lock_scope = Scope::System;
  std::uint32_t lock = kNoName;  ///< Access: a lock that the thread holds, the innermost
  std::uint32_t thread = 0;
  std::uint32_t object = kNoName;
  std::uint32_t marker = kNoName;  ///< Edge: the thread that the mark is of, where that is a mark of its warp
  std::uint32_t added = kNoName;   ///< AddToMark
  std::uint32_t site = kNoName;
  std::uint64_t event = 0;  ///< number in the trace

  /// Of an action of a warp, what one lane does: locations, locks and threads are those behind the lane before's. Marks
  /// have one number for all.
  Action of_lane(std::uint32_t lane) const {
    Action one = *this;
    one.is_of_warp = false;
    one.thread += lane;
    one.event += lane;
    if (kind == ActionKind::Edge) one.marker += lane;
    if (kind != ActionKind::Edge && kind != ActionKind::Mark) one.object += lane;
    if (lock != kNoName) one.lock += lane;
    return one;
  }
};

}  // namespace ambit::detector
