#include "detector/algorithms/iguard.h"

#include <algorithm>
#include <string_view>

#include "detector/algorithms/in_gpu_form.h"
#include "detector/options.h"
#include "kernels/detectors/iguard_in_gpu.h"

namespace ambit::detector {
namespace {

constexpr std::uint32_t kWordBytes = 4;
constexpr std::uint32_t kFenceBits = 6;
constexpr std::uint32_t kBarrierBits = 8;
constexpr std::uint32_t kWarpBarrierBits = 6;

std::string_view why(RaceKind kind) {
  switch (kind) {
    case RaceKind::AtomicScopeTooNarrow: return "an atomic of block scope, and then an access from another block";
    case RaceKind::IntraWarp: return "lanes of one warp that have diverged, and no warp barrier since";
    case RaceKind::MissingFence: return "the first thread has run no fence since its access";
    case RaceKind::NotAtomic: return "one of them is not atomic, and no fence separates them";
    case RaceKind::FenceScopeTooNarrow: return "the first thread has run block fences only since its access";
    default: return "no lock is held at both accesses";
  }
}

}  // namespace

Iguard::Iguard(const TraceTables& tables, const IguardOptions& options)
    : tables_(tables),
      options_(options),
      places_(tables),
      words_(tables, kWordBytes),
      global_locations_(tables),
      log_(tables),
      group_(tables) {}

void Iguard::on(const Observation& observation) {
  const TraceEvent& event = observation.event;
  // A barrier completes before the event takes effect.
  for (const BarrierTracker::Completion& done : observation.completions()) {
    flush();
    barrier(done);
  }
  if (event.is_access()) {
    if (!group_.takes(event)) flush();
    group_.add(event, observation.number);
    return;
  }
  flush();
  switch (event.op) {
    case TraceOp::Fence: fence(event.thread, event.scope); break;
    case TraceOp::LockAcquire: enter_lock(event, true); break;
    case TraceOp::LockRelease:
      fence(event.thread, event.scope);
      leave_lock(event);
      break;
    case TraceOp::Fork: fence(event.thread, Scope::System); break;
    case TraceOp::Join: fence(event.object, Scope::System); break;
    default: break;
  }
}

void Iguard::flush() {
  if (group_.is_empty()) return;
  if (group_.members().size() > 1 && group_.members().front().event.rmw == TraceRmw::CompareExchange) {
    std::vector<bool>& moved = has_thread_locks_;
    const std::uint32_t warp = places_.of(group_.members().front().event.thread).warp;
    if (warp >= moved.size()) moved.resize(warp + 1);
    moved[warp] = true;
  }
  for (const WarpGroup::Member& member : group_.members()) {
    if (member.event.is_update()) update_locks(member.event);
    if (global_locations_.contains(member.event.object)) access(member);
  }
  group_.clear();
}

void Iguard::barrier(const BarrierTracker::Completion& done) {
  const bool is_warp = done.op == TraceOp::WarpBarrier;
  if (is_warp) {
    for (const std::uint32_t warp : places_.warps_of(done.waiting)) ++at(warp_barriers_, warp);
    return;
  }
  for (const std::uint32_t block : places_.blocks_of(done.waiting)) ++at(barriers_, block);
  if (done.level <= Scope::Block) return;
  // A barrier of several blocks consists of device fences and atomics.
  for (const std::uint32_t waiting : done.waiting) fence(waiting, Scope::Device);
}

Iguard::LockTable& Iguard::lock_table(std::uint32_t thread) {
  const std::uint32_t warp = places_.of(thread).warp;
  const bool is_own = warp < has_thread_locks_.size() && has_thread_locks_[warp];
  return is_own ? at(thread_locks_, thread) : at(warp_locks_, warp);
}

void Iguard::fence(std::uint32_t thread, Scope scope) {
  const bool is_device = scope >= Scope::Device;
  Fences& own = at(fences_, thread);
  ++(is_device ? own.device : own.block);
  LockTable& table = lock_table(thread);
  if (table.is_empty) return;
  bool has_changed = false;
  for (HeldLock& lock : table.locks) {
    if (lock.number == kNoName || lock.is_active || !(is_device || lock.is_block)) continue;
    lock.is_active = true;
    has_changed = true;
  }
  if (has_changed) recompute_active(table);
}

void Iguard::recompute_active(LockTable& table) const {
  table.active = 0;
  for (const HeldLock& lock : table.locks) {
    if (lock.number == kNoName || !lock.is_active) continue;
    if (options_.as_source) {
      // As published, the second bin overlaps the first bin.
      table.active |= static_cast<std::uint16_t>((1U << (lock.number & 7U)) | (8U << ((lock.number >> 3U) & 7U)));
    } else {
      table.active |= bloom_bits(lock.number);
    }
  }
}

bool Iguard::share_lock(std::uint16_t a, std::uint16_t b) const {
  return options_.as_source ? (a & b) != 0 : !is_disjoint(a, b);
}

void Iguard::update_locks(const TraceEvent& event) {
  if (event.rmw == TraceRmw::CompareExchange) {
    enter_lock(event, false);
  } else if (event.rmw == TraceRmw::Exchange || (event.rmw == TraceRmw::Generic && event.value == 0)) {
    leave_lock(event);
  }
}

void Iguard::enter_lock(const TraceEvent& event, bool is_active) {
  LockTable& table = lock_table(event.thread);
  const std::uint32_t block = places_.of(event.thread).block;
  const bool is_block = event.scope < Scope::Device;
  if (!is_block) enter(table, {event.object, false, is_active});
  enter(table, {block_lock(event.object, block), is_block, is_active});
  recompute_active(table);
}

std::uint32_t Iguard::block_lock(std::uint32_t location, std::uint32_t block) const {
  return options_.as_source ? location ^ block : location + 8 * block;
}

void Iguard::enter(LockTable& table, const HeldLock& lock) {
  auto slot = std::ranges::find(table.locks, lock.number, &HeldLock::number);
  if (slot == table.locks.end()) slot = std::ranges::find(table.locks, kNoName, &HeldLock::number);
  if (slot == table.locks.end()) slot = table.locks.begin() + lock.number % table.locks.size();
  *slot = lock;
  table.is_empty = false;
}

void Iguard::leave_lock(const TraceEvent& event) {
  LockTable& table = lock_table(event.thread);
  const std::uint32_t block = places_.of(event.thread).block;
  const bool is_block = event.scope < Scope::Device;
  for (HeldLock& lock : table.locks) {
    const bool is_it = lock.number == block_lock(event.object, block) || (!is_block && lock.number == event.object);
    if (is_it && (!is_block || lock.is_block)) lock = {};
  }
  recompute_active(table);
}

Iguard::Safe Iguard::is_safe(const Metadata& known, const Party& before, const Party& now) const {
  const bool is_shared = known.is_block_shared || known.is_device_shared;
  if (before.warp == now.warp && (!now.is_write || !is_shared)) {
    const bool is_converged = before.thread == now.thread ||
                              group_.has_lane(tables_.threads()[before.thread].place.lane) ||
                              before.warp_barrier != now.warp_barrier;
    if (is_converged) return before.barrier == now.barrier ? Safe::SameEpoch : Safe::NewEpoch;
  }
  if (before.block == now.block && before.barrier != now.barrier && !known.is_device_shared) return Safe::NewEpoch;
  const bool reaches = !known.is_block_scope || known.writer.block == now.block;
  return known.is_atomic && now.is_atomic && reaches ? Safe::SameEpoch : Safe::No;
}

std::optional<RaceKind> Iguard::check_fences(const Metadata& known, const Party& before, const Party& now) const {
  if (before.thread == kNoName) return std::nullopt;
  const Fences other = before.thread < fences_.size() ? fences_[before.thread] : Fences{};
  const bool no_device_fence = before.device_fence == field(other.device, kFenceBits);
  const bool no_block_fence = before.block_fence == field(other.block, kFenceBits);
  if (!no_device_fence) return std::nullopt;
  if (before.block != now.block) {
    if (!no_block_fence) return RaceKind::FenceScopeTooNarrow;
    return before.is_atomic != now.is_atomic ? RaceKind::NotAtomic : RaceKind::MissingFence;
  }
  if (!no_block_fence || known.is_device_shared) return std::nullopt;
  if (before.warp == now.warp && !known.is_block_shared) return RaceKind::IntraWarp;
  return before.is_atomic != now.is_atomic ? RaceKind::NotAtomic : RaceKind::MissingFence;
}

std::optional<RaceKind> Iguard::check(Metadata& known, const Party& now, std::uint16_t locks) {
  if (!known.is_valid) {
    known.is_valid = true;
    known.locks = locks;
    return std::nullopt;
  }
  const Party& before = now.is_write ? known.accessor : known.writer;
  if (const Safe safe = is_safe(known, before, now); safe != Safe::No) {
    known.locks = safe == Safe::SameEpoch ? known.locks & locks : locks;
    if (safe == Safe::NewEpoch && before.warp != now.warp) known.is_block_shared = false;
    return std::nullopt;
  }
  const bool is_lock_held = known.locks != 0 || locks != 0;
  if (now.is_write || known.is_modified) {
    if (known.is_atomic && known.is_block_scope && known.writer.block != now.block) {
      return RaceKind::AtomicScopeTooNarrow;
    }
    if (const auto kind = check_fences(known, before, now)) return kind;
    if (is_lock_held && !share_lock(known.locks, locks)) return RaceKind::NoCommonLock;
  }
  if (!share_lock(known.locks, locks)) note_sharing(known, before, now);
  known.locks &= locks;
  return std::nullopt;
}

void Iguard::note_sharing(Metadata& known, const Party& before, const Party& now) {
  const bool same_block = known.accessor.block == now.block;
  const Fences other = before.thread < fences_.size() ? fences_[before.thread] : Fences{};
  if (now.is_write || known.accessor.device_fence != field(other.device, kFenceBits)) {
    known.is_device_shared = false;
    known.is_block_shared = false;
  } else if (same_block && known.accessor.block_fence != field(other.block, kFenceBits)) {
    known.is_block_shared = false;
  } else if (known.writer.block != known.accessor.block) {
    known.is_device_shared |= !same_block;
    known.is_block_shared = same_block && !known.is_device_shared;
  }
}

Iguard::Party Iguard::party(const WarpGroup::Member& member) {
  const TraceEvent& event = member.event;
  const ThreadPlaces::Numbers place = places_.of(event.thread);
  const Fences& own = at(fences_, event.thread);
  Party made;
  made.thread = event.thread;
  made.warp = place.warp;
  made.block = place.block;
  made.site = event.site;
  made.barrier = field(at(barriers_, place.block), kBarrierBits);
  made.warp_barrier = field(at(warp_barriers_, place.warp), kWarpBarrierBits);
  made.device_fence = field(own.device, kFenceBits);
  made.block_fence = field(own.block, kFenceBits);
  made.event = member.number;
  // The instrumentation sees only the instruction, not its result, so a failed compare-exchange counts like any other
  // atomic.
  made.is_write = event.is_write() || event.is_update();
  made.is_atomic = event.is_atomic();
  return made;
}

void Iguard::access(const WarpGroup::Member& member) {
  const TraceEvent& event = member.event;
  const std::uint32_t word = words_.of(event.object);
  if (word >= metadata_.size()) metadata_.resize(std::max<std::size_t>(word + 1, words_.count()));
  Metadata& known = metadata_[word];
  const Party now = party(member);
  const std::uint16_t locks = lock_table(event.thread).active;
  if (const auto kind = check(known, now, locks)) {
    report(known, now, event.object, *kind);
    known.is_modified = now.is_write;
    known.is_block_shared = false;
    known.is_device_shared = false;
    known.locks = locks;
  }
  known.is_atomic = now.is_atomic;
  known.is_block_scope = now.is_atomic && event.scope <= Scope::Block;
  if (known.accessor.thread != now.thread) known.reader = known.accessor;
  known.accessor = now;
  if (now.is_write) {
    known.is_modified = true;
    known.writer = now;
  }
}

void Iguard::report(const Metadata& known, const Party& now, std::uint32_t location, RaceKind kind) {
  const Party* before = now.is_write ? &known.accessor : &known.writer;
  if (kind == RaceKind::AtomicScopeTooNarrow && known.accessor.is_atomic) before = &known.accessor;
  if (before->thread == now.thread && known.reader.thread != kNoName) before = &known.reader;
  const auto side = [](const Party& party) {
    return RaceSide{.thread = party.thread,
                    .site = party.site,
                    .event = party.event,
                    .is_write = party.is_write,
                    .is_atomic = party.is_atomic};
  };
  log_.add(side(*before), side(now), location, kind, why(kind));
}

DetectorDescription iguard() {
  const auto options =
      OptionTable<IguardOptions>().choice("rules", &IguardOptions::as_source, {{"paper", false}, {"source", true}},
                                          "source: counters wrap at the width of their fields");
  return {
      .name = "iguard",
      .source = "Kamath, Basu, SOSP 2021",
      .summary = "last writer and last accessor of each word: scoped fences, atomics, locks, diverged lanes of a warp",
      .options = options.described(),
      .in_gpu = in_gpu_form<ambit_kernel::Iguard>("iguard_in_gpu.h", "Iguard"),
      .make = options.maker<Iguard>()};
}

}  // namespace ambit::detector
