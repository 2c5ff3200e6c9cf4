#include "detector/algorithms/scord.h"

#include <algorithm>
#include <string_view>

#include "detector/algorithms/in_gpu_form.h"
#include "detector/options.h"
#include "kernels/detectors/scord_in_gpu.h"

namespace ambit::detector {
namespace {

constexpr std::uint32_t kWordBytes = 4;
constexpr std::uint32_t kCacheEntries = 4096;
constexpr std::uint32_t kFenceBits = 6;
constexpr std::uint32_t kBarrierBits = 8;
constexpr std::uint32_t kBlockBits = 7;
constexpr std::uint32_t kTagBits = 4;
constexpr std::uint32_t kHashBits = 6;  ///< number of bits of a lock's number that the Bloom filter uses

/// Returns whether the filter is empty, which means that one of its two bins of 8 bits is empty.
bool holds_none(std::uint16_t locks) { return is_disjoint(locks, locks); }

std::string_view why(RaceKind kind) {
  switch (kind) {
    case RaceKind::AtomicScopeTooNarrow: return "an atomic of block scope, and then an access from another block";
    case RaceKind::FenceScopeTooNarrow: return "the first thread's warp has run block fences only since its access";
    case RaceKind::MissingFence: return "the first thread's warp has run no fence since its access";
    case RaceKind::NotAtomic: return "one of them is not atomic, and no fence separates them";
    case RaceKind::NoCommonLock: return "no lock is held at both accesses";
    default: return "one of them is neither volatile nor atomic, so a fence does not make it visible";
  }
}

}  // namespace

Scord::Scord(const TraceTables& tables, const ScordOptions& options)
    : tables_(tables),
      options_(options),
      places_(tables),
      words_(tables, kWordBytes),
      global_locations_(tables),
      log_(tables) {}

void Scord::on(const Observation& observation) {
  const TraceEvent& event = observation.event;
  // A barrier completes before the event takes effect.
  for (const BarrierTracker::Completion& done : observation.completions()) on_barrier(done);
  const bool begins_fence =
      instructions_.begins_fence(event, places_.of(event.thread).warp, tables_.threads()[event.thread].place.lane);
  if (event.is_access()) {
    if (global_locations_.contains(event.object)) access(observation);
    update_locks(event);
    return;
  }
  switch (event.op) {
    case TraceOp::Fence:
      if (begins_fence) fence(warp(event.thread), event.scope);
      break;
    case TraceOp::LockAcquire: enter_lock(event, true); break;
    case TraceOp::LockRelease:
      fence(warp(event.thread), event.scope);
      leave_lock(event);
      break;
    case TraceOp::Fork: fence(warp(event.thread), Scope::System); break;
    case TraceOp::Join: fence(warp(event.object), Scope::System); break;
    default: break;
  }
}

void Scord::on_barrier(const BarrierTracker::Completion& done) {
  if (done.op != TraceOp::Barrier) return;
  for (const std::uint32_t block : places_.blocks_of(done.waiting)) ++barrier(block);
  if (done.level <= Scope::Block) return;
  // A barrier of several blocks consists of device fences and atomics.
  for (const std::uint32_t number : places_.warps_of(done.waiting)) fence(at(warps_, number), Scope::Device);
}

Scord::Metadata& Scord::metadata(std::uint32_t location) {
  const std::uint32_t word = words_.of(location);
  if (!options_.has_cache) {
    if (word >= metadata_.size()) metadata_.resize(std::max<std::size_t>(word + 1, words_.count()));
    return metadata_[word];
  }
  if (metadata_.empty()) metadata_.resize(kCacheEntries);
  Metadata& known = metadata_[word % kCacheEntries];
  const std::uint32_t tag = field(word / kCacheEntries, kTagBits);
  if (known.tag != tag) known = Metadata{};
  known.tag = tag;
  return known;
}

void Scord::fence(WarpState& own, Scope scope) {
  const bool is_device = scope >= Scope::Device;
  ++(is_device ? own.device_fence : own.block_fence);
  if (own.held == 0) return;
  for (std::uint32_t i = 0; i < own.held; ++i) own.locks[i].is_active |= is_device || own.locks[i].is_block;
  recompute_active(own);
}

void Scord::update_locks(const TraceEvent& event) {
  if (event.op != TraceOp::Rmw || event.is_failed) return;
  if (event.rmw == TraceRmw::CompareExchange) {
    const bool takes = (!event.has_old_value || event.old_value == 0) && (!event.has_value || event.value != 0);
    if (takes) enter_lock(event, false);
  } else if ((event.rmw == TraceRmw::Exchange || event.rmw == TraceRmw::Generic) &&
             (!event.has_value || event.value == 0)) {
    leave_lock(event);
  }
}

void Scord::enter_lock(const TraceEvent& event, bool is_active) {
  WarpState& own = warp(event.thread);
  const std::uint32_t block = places_.of(event.thread).block;
  if (event.scope >= Scope::Device) enter(own, {event.object, false, is_active});
  enter(own, {block_lock(event.object, block), true, is_active});
  recompute_active(own);
}

void Scord::leave_lock(const TraceEvent& event) {
  WarpState& own = warp(event.thread);
  const std::uint32_t block = places_.of(event.thread).block;
  if (event.scope >= Scope::Device) leave(own, event.object, false);
  leave(own, block_lock(event.object, block), true);
  recompute_active(own);
}

std::uint32_t Scord::block_lock(std::uint32_t location, std::uint32_t block) const {
  return options_.as_source ? location ^ (block + 1) : location + 8 * (block + 1);
}

void Scord::enter(WarpState& own, const HeldLock& lock) {
  for (std::uint32_t i = 0; i < own.held; ++i) {
    const HeldLock& held = own.locks[i];
    if (field(held.number, kHashBits) == field(lock.number, kHashBits) && held.is_block == lock.is_block) return;
  }
  if (own.held == own.locks.size()) {
    std::ranges::rotate(own.locks, own.locks.begin() + 1);
    --own.held;
  }
  own.locks[own.held++] = lock;
}

void Scord::leave(WarpState& own, std::uint32_t number, bool is_block) {
  for (std::uint32_t i = 0; i < own.held; ++i) {
    const HeldLock& held = own.locks[i];
    if (field(held.number, kHashBits) != field(number, kHashBits) || held.is_block != is_block) continue;
    for (std::uint32_t next = i + 1; next < own.held; ++next) own.locks[next - 1] = own.locks[next];
    --own.held;
    return;
  }
}

void Scord::recompute_active(WarpState& own) {
  own.active = 0;
  for (std::uint32_t i = 0; i < own.held; ++i) {
    if (own.locks[i].is_active) own.active |= bloom_bits(own.locks[i].number);
  }
}

bool Scord::is_same_block(std::uint32_t a, std::uint32_t b) const { return field(a ^ b, kBlockBits) == 0; }

bool Scord::is_same_warp(const Metadata& known, const Access& now) const {
  if (known.warp == now.warp) return true;
  if (!options_.as_source || known.block == now.block || !is_same_block(known.block, now.block)) return false;
  return tables_.threads()[known.owner.thread].place.warp == tables_.threads()[now.observation.event.thread].place.warp;
}

void Scord::access(const Observation& observation) {
  const TraceEvent& event = observation.event;
  const ThreadPlaces::Numbers at = places_.of(event.thread);
  const WarpState& own = warp(event.thread);
  // A failed compare-exchange counts like any other atomic, because the instruction may write.
  const Access now{observation,
                   own,
                   at.warp,
                   at.block,
                   field(barrier(at.block), kBarrierBits),
                   event.is_write() || event.is_update(),
                   event.is_atomic(),
                   event.order != Order::Weak};
  Metadata& known = metadata(event.object);
  if (const auto kind = check(known, now)) {
    report(known, now, *kind);
    // After a race, the published source resets the entry of the word. If the race is a missing fence, the published
    // source then treats a store like a load.
    const bool is_fence = *kind == RaceKind::MissingFence || *kind == RaceKind::FenceScopeTooNarrow;
    start_again(known, now, now.is_store && !(options_.as_source && is_fence));
  }
}

std::optional<RaceKind> Scord::check(Metadata& known, const Access& now) {
  const bool same_block = is_same_block(known.block, now.block);
  const bool passes_for_unused =
      options_.as_source && known.is_modified && known.is_block_shared && known.is_device_shared;
  if (known.is_unused || passes_for_unused || (same_block && known.barrier != now.barrier && !known.is_device_shared)) {
    start_again(known, now, now.is_store);
    return std::nullopt;
  }
  const bool same_warp = is_same_warp(known, now);
  const bool is_shared = known.is_block_shared || known.is_device_shared;
  if (same_warp && !is_shared) {
    // If a warp has executed a fence after its write and then reads the word, later accesses by other warps are not
    // checked against the write.
    const bool has_fenced = known.block_fence != field(now.own.block_fence, kFenceBits) ||
                            known.device_fence != field(now.own.device_fence, kFenceBits);
    const bool is_modified = now.is_store || (known.is_modified && !has_fenced);
    start_again(known, now, is_modified);
    return std::nullopt;
  }
  if (known.is_atomic && known.scope <= Scope::Block && !same_block) return RaceKind::AtomicScopeTooNarrow;
  if (known.is_atomic && now.is_atomic) {
    make_owner(known, now);
    known.is_modified |= now.is_store;
    return std::nullopt;
  }
  if (now.is_store || (known.is_modified && !same_warp)) {
    if (const auto kind = check_fences(known, now, same_block)) return kind;
  }
  return now.is_store ? pass_write(known, now) : pass_read(known, now, same_warp, same_block);
}

std::optional<RaceKind> Scord::check_fences(const Metadata& known, const Access& now, bool same_block) const {
  const WarpState& other = warps_[known.warp];
  const bool no_device_fence = known.device_fence == field(other.device_fence, kFenceBits);
  const bool no_block_fence = known.block_fence == field(other.block_fence, kFenceBits) ||
                              (now.is_store && known.is_device_shared && same_block);
  if (no_device_fence && (no_block_fence || !same_block)) {
    if (known.is_atomic != now.is_atomic && no_block_fence) return RaceKind::NotAtomic;
    return no_block_fence ? RaceKind::MissingFence : RaceKind::FenceScopeTooNarrow;
  }
  if (options_.needs_strong && !(known.is_strong && now.is_strong)) return RaceKind::Unsynchronized;
  return std::nullopt;
}

std::optional<RaceKind> Scord::pass_read(Metadata& known, const Access& now, bool same_warp, bool same_block) {
  const std::uint16_t locks = now.own.active;
  if (!holds_none(known.locks) || !holds_none(locks)) {
    if (known.is_modified && is_disjoint(known.locks, locks)) return RaceKind::NoCommonLock;
    if (holds_none(known.locks)) {
      known.locks = locks;
    } else if (!holds_none(locks)) {
      known.locks &= locks;
    }
    if (options_.as_source) {
      // The published source has a comparison where an assignment is necessary. So it does not record reads by another
      // block.
      if (!same_block) {
        known.is_block_shared = false;
      } else if (!same_warp && !known.is_device_shared) {
        known.is_block_shared = true;
      }
      return std::nullopt;
    }
    share(known, now, same_warp, same_block);
    return std::nullopt;
  }
  if (known.is_modified) {
    // The write is ordered before this read. From now on, the entry records a read by this warp.
    known.is_modified = same_warp;
    known.is_block_shared = false;
    known.is_device_shared = false;
    make_owner(known, now);
  } else {
    share(known, now, false, same_block);
  }
  return std::nullopt;
}

void Scord::share(Metadata& known, const Access& now, bool same_warp, bool same_block) {
  if (!same_block || known.is_device_shared) {
    known.is_device_shared = true;
    known.is_block_shared = false;
  } else if (!same_warp) {
    known.is_block_shared = true;
  }
  const TraceEvent& event = now.observation.event;
  if (event.thread != known.owner.thread) {
    known.reader = {event.thread, event.site, now.observation.number, false, now.is_atomic};
  }
}

std::optional<RaceKind> Scord::pass_write(Metadata& known, const Access& now) {
  const std::uint16_t locks = now.own.active;
  const bool is_protected = !holds_none(known.locks) || !holds_none(locks);
  if (is_protected && is_disjoint(known.locks, locks)) return RaceKind::NoCommonLock;
  make_owner(known, now);
  known.is_modified = true;
  if (is_protected) {
    known.locks &= locks;
  } else {
    known.is_block_shared = false;
    known.is_device_shared = false;
  }
  return std::nullopt;
}

void Scord::start_again(Metadata& known, const Access& now, bool is_modified) {
  known.is_unused = false;
  known.is_strong = true;
  make_owner(known, now);
  known.is_modified = is_modified;
  known.is_block_shared = false;
  known.is_device_shared = false;
  known.locks = now.own.active;
  known.reader = {};
}

void Scord::make_owner(Metadata& known, const Access& now) {
  const TraceEvent& event = now.observation.event;
  known.is_strong = known.is_strong && now.is_strong;
  known.is_atomic = now.is_atomic;
  known.scope = event.scope;
  known.warp = now.warp;
  known.block = now.block;
  known.barrier = now.barrier;
  known.device_fence = field(now.own.device_fence, kFenceBits);
  known.block_fence = field(now.own.block_fence, kFenceBits);
  known.owner = {event.thread, event.site, now.observation.number, now.is_store, now.is_atomic};
  if (now.is_store) known.writer = known.owner;
}

const Scord::Named& Scord::party(const Metadata& known, const Access& now) {
  const auto is_other = [&](const Named& named) {
    return named.thread != kNoName && places_.of(named.thread).warp != now.warp;
  };
  if (!now.is_store && is_other(known.writer)) return known.writer;
  if (known.warp == now.warp && is_other(known.reader)) return known.reader;
  return known.owner;
}

void Scord::report(const Metadata& known, const Access& now, RaceKind kind) {
  const TraceEvent& event = now.observation.event;
  const Named& before = party(known, now);
  const RaceSide first{.thread = before.thread,
                       .site = before.site,
                       .event = before.event,
                       .is_write = before.is_write,
                       .is_atomic = before.is_atomic};
  const RaceSide second{.thread = event.thread,
                        .site = event.site,
                        .event = now.observation.number,
                        .is_write = now.is_store,
                        .is_atomic = now.is_atomic};
  log_.add(first, second, event.object, kind, why(kind));
}

DetectorDescription scord() {
  const auto options =
      OptionTable<ScordOptions>()
          .choice("rules", &ScordOptions::as_source, {{"paper", false}, {"source", true}},
                  "which one to follow where the published source differs from the paper")
          .yes_or_no("strong", &ScordOptions::needs_strong, "accesses that fences order must be volatile or atomic")
          .yes_or_no("cache", &ScordOptions::has_cache, "4096 entries: a word can take the entry of another word");
  return {.name = "scord",
          .source = "Kamath, George, Basu, ISCA 2020",
          .summary = "one metadata entry for each word: scoped fences, atomics and locks",
          .options = options.described(),
          .in_gpu = in_gpu_form<ambit_kernel::Scord>("scord_in_gpu.h", "Scord"),
          .make = options.maker<Scord>()};
}

}  // namespace ambit::detector
