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

/// The state from which SyncInference infers synchronisation.
namespace ambit::detector::sync {

inline constexpr std::size_t kLevels = 5;  ///< indexed by Scope; Thread is unused

/// A release or some fences, stored at a location. A reader of the location may synchronise with the message.
struct Message {
  MarkId mark;  ///< kNoName if the message has only fences (`fences`)
  std::uint32_t thread;
  Scope scope;          ///< the narrower of the fence's scope and the write's scope
  std::uint64_t since;  ///< event of the fence or, without a mark, of the write
  /// The message is a completion, which counts as an event of the mbarrier's block, not of the issuer.
  bool is_completion = false;
  bool is_inside = false;       ///< the fence is in a critical section
  Scope fence = Scope::Thread;  ///< scope of the fence if its order is seq_cst
  FenceSetId fences = kNoName;  ///< the fences known at the mark or, without a mark, at the write
  bool operator==(const Message&) const = default;
};

/// An asynchronous operation that has been issued.
struct Operation {
  std::uint32_t number = kNoName;
  std::uint32_t issuer = kNoName;
  AsyncGroup group = AsyncGroup::None;
  bool covers_all = false;
  std::uint32_t committed = 0;  ///< number of its group, from 1; 0 before the commit
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
  Action access;              ///< the access; reported only if it acquires no lock and no fence follows
  bool reads_release;         ///< the compare-exchange read the value that a release of the lock wrote
  std::vector<Message> seen;  ///< messages that the access reads if it does not acquire a lock
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
  /// For each scope, the messages that wait for an acquire fence of at least this scope.
  std::array<std::vector<Message>, kLevels> pending;
  /// The joint messages that wait for an acquire fence of at least Scope::Device.
  std::vector<Joint> joints;
  /// JointMessages::number of the last joint messages that gave the thread an edge.
  std::uint64_t last_joint = 0;
  bool is_joint_polled = false;  ///< the edge from `last_joint` has Action::is_polled
  std::vector<PendingAcquire> acquires;
  std::vector<Section> sections;
  MarkId arrival = kNoName;
  FenceSetId arrival_fences = kNoName;  ///< fences that the thread knew when it arrived
  FenceSetId fences = kNoName;          ///< fences that the thread knew before its last fence
  FenceSetId passed = kNoName;          ///< the set at the first fence of order seq_cst since the last barrier
  FenceSetId rest = kNoName;            ///< the set directly after this fence
  std::uint8_t seq_cst = 0;             ///< bit for each level whose fence has order seq_cst
  std::uint8_t inside = 0;              ///< bit for each level whose fence is in a critical section
  /// The widest scope of a seq_cst fence that the thread has executed or observed since the last barrier.
  Scope unshared = Scope::Thread;
  bool has_pending = false;  ///< there may be messages in `pending` or `joints`
  /// The state belongs to a first lane and represents all lanes of the warp (launch_inference.cpp).
  bool is_collapsed = false;
};

/// The messages of a location and its last write.
struct LocationState {
  std::vector<Message> messages;
  std::uint32_t writer = kNoName;
  Scope writer_scope = Scope::System;
  bool is_lock = false;
  bool is_release : 1 = false;  ///< the last write released a lock
  bool is_broken : 1 = false;   ///< the atomic writes do not form one chain of read-modify-writes
  bool has_value = false;
  Value value = 0;
  std::uint32_t abandoned_by = kNoName;
  std::uint32_t writes = 0;           ///< number of atomic writes
  std::uint32_t collapsed = kNoName;  ///< the first of 32 locations that share its state (launch_inference.cpp)
};
static_assert(sizeof(LocationState) <= 56, "a launch has one for each word");

/// The small part of a thread's state that every access reads.
struct Brief {
  Scope ready =
      Scope::Thread;        ///< scope of the widest release fence since the last access; Thread without such a fence
  bool is_busy = false;     ///< the thread has open sections or pending acquires
  bool has_fences = false;  ///< the thread may have fences
  RaceKind failure = RaceKind::MissingFence;
  std::uint32_t failed_with = kNoName;  ///< thread of the last failed synchronisation
};

}  // namespace ambit::detector::sync
