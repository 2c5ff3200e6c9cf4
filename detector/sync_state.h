#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/trace.h"
#include "detector/action.h"
#include "detector/fence_set.h"

/// The state from which SyncInference infers synchronisation.
namespace ambit::detector::sync {

inline constexpr std::size_t kLevels = 5;  ///< by Scope; Thread unused

/// A release, or fences, that a reader of the location may synchronise with.
struct Message {
  MarkId mark;  ///< kNoName: nothing but the fences of `fences`
  std::uint32_t thread;
  Scope scope;                  ///< narrower of fence and write
  std::uint64_t since;          ///< event of the fence; without a mark, of the write
  bool is_completion = false;   ///< a completion counts as an event of the mbarrier's block, not of the issuer
  bool is_inside = false;       ///< the fence is in a critical section
  Scope fence = Scope::Thread;  ///< scope of the fence, where it is of order seq_cst
  FenceSetId fences = kNoName;  ///< those known before the mark; without a mark, before the write
  bool operator==(const Message&) const = default;
};

/// An asynchronous operation that has been issued.
struct Operation {
  std::uint32_t number = kNoName;
  std::uint32_t issuer = kNoName;
  AsyncGroup group = AsyncGroup::None;
  bool covers_all = false;
  std::uint32_t committed = 0;  ///< number of its group, from 1; 0: not committed
};

/// The releases of the arrivals in one phase of an mbarrier.
struct MbarrierPhase {
  std::uint32_t mbarrier;
  Value phase;
  std::vector<Message> messages;
};

struct JointMessages;
using Joint = std::shared_ptr<JointMessages>;

/// A compare-exchange that takes a lock if an acquire fence follows.
struct PendingAcquire {
  std::uint32_t lock;
  Scope scope;
  Action access;              ///< deferred: not an access of data if it turns out to take a lock
  bool reads_release;         ///< it read what a release of the lock wrote
  std::vector<Message> seen;  ///< synchronises with these if it takes no lock
};

/// An open critical section.
struct Section {
  std::uint32_t lock;
  Scope operation;  ///< of the compare-exchange
  Scope scope;      ///< effective
  bool may_widen;
  bool is_bare;  ///< no acquire fence
};

/// The fences of one thread, the messages that it has read, and the locks that it holds.
struct ThreadState {
  std::array<MarkId, kLevels> fence{kNoName, kNoName, kNoName, kNoName, kNoName};
  std::array<std::uint64_t, kLevels> fence_event{};
  std::array<std::vector<Message>, kLevels> pending;  ///< wait for an acquire fence of at least that scope
  std::vector<Joint> joints;                          ///< wait for an acquire fence of at least Scope::Device
  std::uint64_t last_joint = 0;                       ///< JointMessages::number that the thread last had an edge from
  bool is_joint_polled = false;                       ///< that edge is polled
  std::vector<PendingAcquire> acquires;
  std::vector<Section> sections;
  MarkId arrival = kNoName;
  FenceSetId arrival_fences = kNoName;  ///< known at the arrival
  FenceSetId fences = kNoName;          ///< known before the last fence
  FenceSetId passed = kNoName;          ///< the set at the first fence of order seq_cst since the last barrier
  FenceSetId rest = kNoName;            ///< the part of `passed` that remained after that fence
  std::uint8_t seq_cst = 0;             ///< by level, a bit: its fence is of order seq_cst
  std::uint8_t inside = 0;              ///< by level, a bit: its fence is in a critical section
  Scope unshared = Scope::Thread;       ///< the widest fence of order seq_cst, own or observed, since the last barrier
  bool has_pending = false;             ///< may have
  bool is_collapsed = false;            ///< of the first lane of a warp: holds for all (launch_inference.cpp)
};

/// The messages of a location, and its last write.
struct LocationState {
  std::vector<Message> messages;
  std::uint32_t writer = kNoName;
  Scope writer_scope = Scope::System;
  bool is_lock = false;
  bool is_release : 1 = false;  ///< the last write released the lock
  bool is_broken : 1 = false;   ///< not all atomic writes belong to one chain of read-modify-writes
  bool has_value = false;
  Value value = 0;
  std::uint32_t abandoned_by = kNoName;
  std::uint32_t writes = 0;           ///< atomic ones
  std::uint32_t collapsed = kNoName;  ///< location whose state holds for the 32 from there on (launch_inference.cpp)
};
static_assert(sizeof(LocationState) == 56, "a launch has one for each word");

/// The part of a thread's state that every access needs.
struct Brief {
  Scope ready = Scope::Thread;  ///< widest release fence since the last access; Thread: none
  bool is_busy = false;         ///< has sections or acquires
  bool has_fences = false;      ///< may have
  RaceKind failure = RaceKind::MissingFence;
  std::uint32_t failed_with = kNoName;  ///< the thread with which it last could not synchronise
};

}  // namespace ambit::detector::sync
