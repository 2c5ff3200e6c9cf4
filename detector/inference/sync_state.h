#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/race_report.h"
#include "core/trace.h"
#include "detector/inference/action.h"
#include "detector/inference/fence_set.h"

/// The state that SyncInference uses to infer synchronisation.
namespace ambit::detector::sync {

inline constexpr std::size_t kLevels = 5;  ///< number of scopes (levels); level Thread is unused

/// A release or a set of fences, stored at a location. A reader of the location may synchronise with the message.
struct Message {
  MarkId mark;  ///< kNoName if the message has no release, only `fences`
  std::uint32_t thread;
  Scope scope;          ///< the scope of the fence or of the write, whichever is narrower
  std::uint64_t since;  ///< the fence's event; without a mark, the write's event
  /// True for the message of a completion. A completion belongs to the mbarrier's block, not to the issuer.
  bool is_completion = false;
  bool is_inside = false;       ///< the fence is in a critical section
  Scope fence = Scope::Thread;  ///< scope of the fence if its order is seq_cst
  FenceSetId fences = kNoName;  ///< the fences known at the mark; without a mark, at the write
  bool operator==(const Message&) const = default;
};

/// An asynchronous operation that has been issued.
struct Operation {
  std::uint32_t number = kNoName;
  std::uint32_t issuer = kNoName;
  AsyncGroup group = AsyncGroup::None;
  bool covers_all = false;
  std::uint32_t committed = 0;  ///< number of the operation's group, from 1; 0 before the commit
};

/// The releases of the arrivals in one phase of an mbarrier.
struct MbarrierPhase {
  std::uint32_t mbarrier;
  Value phase;
  std::vector<Message> messages;
};

struct JointMessages;
using Joint = std::shared_ptr<JointMessages>;

/// A compare-exchange that acquires a lock if an acquire fence follows.
struct PendingAcquire {
  std::uint32_t lock;
  Scope scope;
  Action access;              ///< the access by itself; reported if it turns out not to acquire a lock
  bool reads_release;         ///< the compare-exchange read a value that a release of the lock wrote
  std::vector<Message> seen;  ///< messages that the access has read if it does not acquire a lock
};

/// An open critical section.
struct Section {
  std::uint32_t lock;
  Scope operation;  ///< scope of the compare-exchange
  Scope scope;      ///< effective scope
  bool may_widen;
  bool is_bare;  ///< the section began without an acquire fence
};

/// The fences of one thread, the messages that it has read, and the locks that it holds.
struct ThreadState {
  std::array<MarkId, kLevels> fence{kNoName, kNoName, kNoName, kNoName, kNoName};
  std::array<std::uint64_t, kLevels> fence_event{};
  /// For each scope, the messages that wait for an acquire fence of this scope or a wider scope.
  std::array<std::vector<Message>, kLevels> pending;
  /// The joint messages that wait for an acquire fence of scope Device or a wider scope.
  std::vector<Joint> joints;
  /// The JointMessages::number of the last joint messages from which the thread got an edge.
  std::uint64_t last_joint = 0;
  bool is_joint_polled = false;  ///< Action::is_polled of the edge from `last_joint`
  std::vector<PendingAcquire> acquires;
  std::vector<Section> sections;
  MarkId arrival = kNoName;
  FenceSetId arrival_fences = kNoName;  ///< fences that the thread knew when it arrived at the barrier
  FenceSetId fences = kNoName;          ///< fences that the thread knew before its last fence
  FenceSetId passed = kNoName;          ///< the set before the first seq_cst fence since the last barrier
  FenceSetId rest = kNoName;            ///< the set directly after this fence
  std::uint8_t seq_cst = 0;             ///< mask of the levels at which `fence` has order seq_cst
  std::uint8_t inside = 0;              ///< mask of the levels at which `fence` is in a critical section
  /// The widest scope of a seq_cst fence that the thread has executed or observed since the last barrier.
  Scope unshared = Scope::Thread;
  bool has_pending = false;  ///< `pending` or `joints` may contain messages
  /// True if this is a first lane's state that represents all lanes of the warp (launch_inference.cpp).
  bool is_collapsed = false;
};

/// The messages of a location and its last write.
struct LocationState {
  std::vector<Message> messages;
  std::uint32_t writer = kNoName;
  Scope writer_scope = Scope::System;
  bool is_lock = false;
  bool is_release : 1 = false;  ///< the last write released a lock
  bool is_broken : 1 = false;   ///< the atomic writes form more than one chain of read-modify-writes
  bool has_value = false;
  Value value = 0;
  std::uint32_t abandoned_by = kNoName;
  std::uint32_t writes = 0;           ///< number of atomic writes
  std::uint32_t collapsed = kNoName;  ///< the first of the 32 locations that share a state (launch_inference.cpp)
};
static_assert(sizeof(LocationState) <= 56, "a launch has one LocationState for each word");

/// The small part of a thread's state that is read at each access.
struct Brief {
  Scope ready =
      Scope::Thread;        ///< scope of the widest release fence since the last access; Thread without a release fence
  bool is_busy = false;     ///< the thread has open sections or pending acquires
  bool has_fences = false;  ///< the thread may have fences
  RaceKind failure = RaceKind::MissingFence;
  std::uint32_t failed_with = kNoName;  ///< thread of the last failed synchronisation
};

}  // namespace ambit::detector::sync
