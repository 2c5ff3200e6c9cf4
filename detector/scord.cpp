#include "detector/scord.h"

#include <algorithm>

namespace ambit::detector {
namespace {

constexpr std::uint32_t kWordBytes = 4;
constexpr std::uint32_t kWordsPerEntry = 16;  ///< of the software cache
constexpr std::uint32_t kFenceBits = 6;
constexpr std::uint32_t kBarrierBits = 8;

/// The number that a lock of block scope has in its block: ScoRD mixes the block into the lock's address.
std::uint32_t block_lock(std::uint32_t location, std::uint32_t block) { return location + 5 * (block + 1); }

}  // namespace

Scord::Scord(const TraceTables& tables, const ScordOptions& options)
    : tables_(tables),
      options_(options),
      places_(tables),
      words_(tables, options.has_cache ? kWordBytes * kWordsPerEntry : kWordBytes),
      log_(tables) {}

void Scord::on(const Observation& observation) {
  const TraceEvent& event = observation.event;
  for (const Action& action : observation.actions) {
    if (action.kind != ActionKind::Barrier) continue;
    const BarrierTracker::Completion& done = observation.inference.completions()[action.object];
    if (done.op != TraceOp::Barrier) continue;
    std::uint32_t last = kNoName;
    for (const std::uint32_t thread : done.waiting) {
      const std::uint32_t block = places_.of(thread).block;
      if (block != last) ++barrier(block);
      last = block;
    }
  }
  if (event.op == TraceOp::Fence) {
    fence(event);
  } else if (event.is_access()) {
    access(observation);
    update_locks(event);
  }
}

void Scord::finish(std::span<const Action> rest, const SyncInference& inference) {
  static_cast<void>(rest);
  static_cast<void>(inference);
}

Scord::WarpState& Scord::warp(std::uint32_t thread) {
  const std::uint32_t number = places_.of(thread).warp;
  if (number >= warps_.size()) warps_.resize(std::max(number + 1, places_.warps()));
  return warps_[number];
}

std::uint32_t& Scord::barrier(std::uint32_t block) {
  if (block >= barriers_.size()) barriers_.resize(std::max(block + 1, places_.blocks()));
  return barriers_[block];
}

Scord::Metadata& Scord::metadata(std::uint32_t location) {
  const std::uint32_t word = words_.of(location);
  if (word >= metadata_.size()) metadata_.resize(std::max<std::size_t>(word + 1, words_.count()));
  Metadata& known = metadata_[word];
  if (options_.has_cache && known.is_valid && known.location != location) known.is_valid = false;  // the tag differs
  return known;
}

std::uint32_t Scord::field(std::uint32_t counter, std::uint32_t bits) const {
  return options_.as_source ? counter & ((1U << bits) - 1U) : counter;
}

void Scord::fence(const TraceEvent& event) {
  WarpState& own = warp(event.thread);
  const bool is_device = event.scope >= Scope::Device;
  ++(is_device ? own.device_fence : own.block_fence);
  for (HeldLock& lock : own.locks) {
    lock.block_active = true;
    lock.device_active |= is_device;
  }
  recompute_active(own, places_.of(event.thread).block);
}

void Scord::update_locks(const TraceEvent& event) {
  if (event.op != TraceOp::Rmw || event.is_failed) return;
  WarpState& own = warp(event.thread);
  const bool reads_zero = !event.has_old_value || event.old_value == 0;
  if (event.rmw == TraceRmw::CompareExchange && reads_zero && (!event.has_value || event.value != 0)) {
    own.locks[own.next_lock] = {event.object, event.scope, false, false};
    own.next_lock = (own.next_lock + 1) % static_cast<std::uint32_t>(own.locks.size());
  } else if (event.rmw != TraceRmw::CompareExchange && event.value == 0) {
    for (HeldLock& lock : own.locks) {
      if (lock.location == event.object) lock = {};
    }
  } else {
    return;
  }
  recompute_active(own, places_.of(event.thread).block);
}

void Scord::recompute_active(WarpState& own, std::uint32_t block) {
  own.active = 0;
  for (const HeldLock& lock : own.locks) {
    if (lock.location == kNoName) continue;
    if (lock.block_active) own.active |= bloom_bits(block_lock(lock.location, block));
    if (lock.device_active && lock.scope >= Scope::Device) own.active |= bloom_bits(lock.location);
  }
}

bool Scord::is_first(const Metadata& known, std::uint32_t thread) {
  if (!known.is_valid) return true;
  const std::uint32_t block = places_.of(thread).block;
  return !known.is_device_shared && places_.of(known.thread).block == block &&
         known.barrier != field(barrier(block), kBarrierBits);
}

std::optional<RaceKind> Scord::check_fences(const Metadata& known, const TraceEvent& event) {
  const WarpState& other = warp(known.thread);
  const bool same_block = places_.of(known.thread).block == places_.of(event.thread).block;
  const bool no_device_fence = known.device_fence == field(other.device_fence, kFenceBits);
  const bool no_block_fence = known.block_fence == field(other.block_fence, kFenceBits);
  if (no_device_fence && no_block_fence) return RaceKind::MissingFence;
  if (no_device_fence && !same_block) return RaceKind::FenceScopeTooNarrow;
  if (!known.is_strong || event.order == Order::Weak) return RaceKind::Unsynchronized;
  return std::nullopt;
}

std::optional<RaceKind> Scord::check(const Metadata& known, const TraceEvent& event, const WarpState& own) {
  const ThreadPlaces::Numbers& before = places_.of(known.thread);
  const ThreadPlaces::Numbers& now = places_.of(event.thread);
  const bool same_warp = before.warp == now.warp;
  if (same_warp && !known.is_block_shared && !known.is_device_shared) return std::nullopt;
  if (known.is_atomic && known.scope <= Scope::Block && before.block != now.block) {
    return RaceKind::AtomicScopeTooNarrow;
  }
  const bool is_write = event.is_write();
  if (is_write && event.is_atomic() && known.is_atomic) return std::nullopt;
  if (!is_write && !known.is_modified) return std::nullopt;
  if (!same_warp) {
    if (const auto kind = check_fences(known, event)) {
      return event.is_atomic() != known.is_atomic && *kind != RaceKind::FenceScopeTooNarrow ? RaceKind::NotAtomic
                                                                                            : *kind;
    }
  }
  if ((known.locks != 0 || own.active != 0) && is_disjoint(known.locks, own.active)) return RaceKind::NoCommonLock;
  return std::nullopt;
}

void Scord::access(const Observation& observation) {
  const TraceEvent& event = observation.event;
  Metadata& known = metadata(event.object);
  const WarpState& own = warp(event.thread);
  const bool first = is_first(known, event.thread);
  if (!first) {
    if (const auto kind = check(known, event, own)) report(known, observation, *kind);
  }
  update(known, observation, own, first);
}

void Scord::update(Metadata& known, const Observation& observation, const WarpState& own, bool first) {
  const TraceEvent& event = observation.event;
  const ThreadPlaces::Numbers& now = places_.of(event.thread);
  bool is_block_shared = false;
  bool is_device_shared = false;
  if (!first) {
    const ThreadPlaces::Numbers& before = places_.of(known.thread);
    is_device_shared = known.is_device_shared || before.block != now.block;
    is_block_shared = known.is_block_shared || (before.block == now.block && before.warp != now.warp);
    if (!event.is_write() && before.warp != now.warp) {
      // A read keeps what is known of the writer.
      if (options_.as_source && !known.is_modified) return;
      if (known.is_modified) {
        known.is_block_shared = is_block_shared;
        known.is_device_shared = is_device_shared;
        return;
      }
    }
  }
  const bool was_modified = !first && known.is_modified;
  known.is_valid = true;
  known.is_modified = event.is_write() || was_modified;
  known.is_block_shared = is_block_shared;
  known.is_device_shared = is_device_shared;
  known.is_strong = event.order != Order::Weak;
  known.is_atomic = event.is_atomic();
  known.scope = event.scope;
  known.locks = own.active;
  known.thread = event.thread;
  known.site = event.site;
  known.location = event.object;
  known.barrier = field(barrier(now.block), kBarrierBits);
  known.device_fence = field(own.device_fence, kFenceBits);
  known.block_fence = field(own.block_fence, kFenceBits);
  known.event = observation.number;
}

void Scord::report(const Metadata& known, const Observation& observation, RaceKind kind) {
  const TraceEvent& event = observation.event;
  RaceSide first;
  first.thread = known.thread;
  first.site = known.site;
  first.event = known.event;
  first.is_write = known.is_modified;
  first.is_atomic = known.is_atomic;
  RaceSide second;
  second.thread = event.thread;
  second.site = event.site;
  second.event = observation.number;
  second.is_write = event.is_write();
  second.is_atomic = event.is_atomic();
  const auto why = [&]() -> std::string {
    switch (kind) {
      case RaceKind::AtomicScopeTooNarrow: return "an atomic of block scope, and then an access from another block";
      case RaceKind::FenceScopeTooNarrow: return "the first thread's warp has run block fences only since its access";
      case RaceKind::MissingFence: return "the first thread's warp has run no fence since its access";
      case RaceKind::NotAtomic: return "one of them is not atomic, and no fence stands between";
      case RaceKind::NoCommonLock: return "the locks held at both accesses have none in common";
      default: return "one of them is neither volatile nor atomic, so a fence does not make it visible";
    }
  };
  log_.add(first, second, event.object, kind, why());
}

}  // namespace ambit::detector
