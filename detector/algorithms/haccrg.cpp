#include "detector/algorithms/haccrg.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "detector/algorithms/in_gpu_form.h"
#include "detector/options.h"
#include "kernels/detectors/haccrg_in_gpu.h"

namespace ambit::detector {
namespace {

constexpr std::uint32_t kPageBytes = 4096;
constexpr std::uint32_t kCounterMask = 0xff;

using enum HaccrgState;
using enum HaccrgRace;
/// Four transitions for each state: a read by the entry's warp, a read by another warp, and a write by each. State
/// ManyReaders does not record the readers, so a write races even if the first reader was in the same warp.
constexpr std::array<HaccrgTransition, 16> kTransitions = {{
    {OneReader, true, None},
    {OneReader, true, None},
    {Written, true, None},
    {Written, true, None},

    {OneReader, false, None},
    {ManyReaders, false, None},
    {Written, true, None},
    {Written, true, WriteAfterRead},

    {Written, false, None},
    {Written, false, ReadAfterWrite},
    {Written, true, None},
    {Written, true, WriteAfterWrite},

    {ManyReaders, false, None},
    {ManyReaders, false, None},
    {Written, true, WriteAfterRead},
    {Written, true, WriteAfterRead},
}};

}  // namespace

HaccrgTransition haccrg_step(HaccrgState state, bool is_write, bool is_other) {
  return kTransitions[static_cast<std::size_t>(state) * 4 + (is_write ? 2 : 0) + (is_other ? 1 : 0)];
}

Haccrg::Haccrg(const TraceTables& tables, const HaccrgOptions& options)
    : tables_(tables),
      options_(options),
      places_(tables),
      granules_(tables, options.granularity),
      page_numbers_(tables, kPageBytes),
      log_(tables) {}

void Haccrg::on(const Observation& observation) {
  const TraceEvent& event = observation.event;
  for (const BarrierTracker::Completion& done : observation.completions())
    barrier(done);  // barriers complete before the event takes effect
  for (const Action& action : observation.actions) on_action(action);
  // HAccRG neither checks nor records atomics, because atomics are executed by the memory.
  if (event.op == TraceOp::Read || event.op == TraceOp::Write) {
    if (!event.is_atomic()) access(observation);
  } else if (event.op == TraceOp::LockRelease || event.op == TraceOp::Fork || event.op == TraceOp::Join) {
    fence(places_.of(event.op == TraceOp::Join ? event.object : event.thread).warp);
  }
  const std::uint32_t warp = places_.of(event.thread).warp;
  if (instructions_.begins_fence(event, warp, tables_.threads()[event.thread].place.lane)) fence(warp);
  thread(event.thread).last_event = observation.number + 1;
}

void Haccrg::fence(std::uint32_t warp) { fences(warp) = (fences(warp) + 1) & kCounterMask; }

void Haccrg::on_action(const Action& action) {
  if (action.kind == ActionKind::Acquire) {
    if (action.is_widening) return;
    ThreadState& own = thread(action.thread);
    ++own.held;
    own.locks |= bloom_bits(action.object);
  } else if (action.kind == ActionKind::Release || action.kind == ActionKind::Abandon) {
    ThreadState& own = thread(action.thread);
    if (own.held > 0) --own.held;
    if (own.held == 0) own.locks = 0;
  }
}

void Haccrg::barrier(const BarrierTracker::Completion& done) {
  if (done.op != TraceOp::Barrier) return;
  for (const std::uint32_t number : places_.blocks_of(done.waiting)) {
    BlockState& own = block(number);
    ++own.barriers;
    if (own.has_touched_global) own.global_sync = (own.global_sync + 1) & kCounterMask;
    own.has_touched_global = false;
  }
}

Haccrg::Entry& Haccrg::entry(std::uint32_t location) {
  const std::uint32_t granule = granules_.of(location);
  if (granule >= entries_.size()) entries_.resize(std::max(granule + 1, granules_.count()));
  while (is_shared_.size() < tables_.locations().size()) {
    is_shared_.push_back(tables_.locations()[is_shared_.size()].space == MemorySpace::Shared ? 1 : 0);
  }
  return entries_[granule];
}

std::uint32_t Haccrg::use_page(std::uint32_t location, std::uint64_t now) {
  const std::uint32_t number = page_numbers_.of(location);
  if (number >= pages_.size()) pages_.resize(std::max(number + 1, page_numbers_.count()));
  if (!pages_[number].is_resident) {
    if (resident_.size() == options_.pages) {
      const auto oldest = std::ranges::min_element(
          resident_, {}, [this](std::uint32_t candidate) { return pages_[candidate].last_use; });
      pages_[*oldest].is_resident = false;
      ++pages_[*oldest].version;
      *oldest = number;
    } else {
      resident_.push_back(number);
    }
    pages_[number].is_resident = true;
  }
  pages_[number].last_use = now;
  return pages_[number].version;
}

bool Haccrg::is_stale(const Entry& entry, const TraceEvent& event, bool is_shared) {
  if (entry.state == HaccrgState::Unknown) return true;
  const std::uint32_t own = places_.of(event.thread).block;
  if (places_.of(entry.thread).block != own) return false;
  const BlockState& state = block(own);
  return entry.sync != (is_shared ? state.barriers : state.global_sync);
}

void Haccrg::access(const Observation& observation) {
  const TraceEvent& event = observation.event;
  Entry& known = entry(event.object);
  const bool is_shared = is_shared_[event.object] != 0;
  if (options_.pages != 0) {
    const std::uint32_t version = use_page(event.object, observation.number);
    if (known.page_version != version) known = Entry{};
    known.page_version = version;
  }
  if (!is_shared) block(places_.of(event.thread).block).has_touched_global = true;
  if (event.op == TraceOp::Write) check_instruction(known, observation);
  if (is_stale(known, event, is_shared)) {
    known.state = haccrg_step(HaccrgState::Unknown, event.op == TraceOp::Write, false).next;
    take(known, observation, is_shared);
    known.locks = thread(event.thread).locks;
  } else if (const std::uint16_t own = thread(event.thread).locks; !is_shared && (own | known.locks) != 0) {
    step_locked(known, observation, own);
  } else {
    step(known, observation, is_shared);
  }
  if (event.op == TraceOp::Write) {
    known.last_thread = event.thread;
    known.last_site = event.site;
    known.last_event = observation.number;
  }
}

void Haccrg::check_instruction(const Entry& entry, const Observation& observation) {
  const TraceEvent& event = observation.event;
  if (event.site == kNoName || entry.last_site != event.site || entry.last_thread == event.thread) return;
  if (places_.of(entry.last_thread).warp != places_.of(event.thread).warp) return;
  if (thread(entry.last_thread).last_event != entry.last_event + 1) return;  // the last thread has run further events
  if (thread(event.thread).last_event > entry.last_event) return;
  Entry lane = entry;
  lane.thread = entry.last_thread;
  lane.site = entry.last_site;
  lane.event = entry.last_event;
  lane.state = HaccrgState::Written;
  report(lane, observation, RaceKind::IntraWarp, "two lanes of one instruction write the same granule");
}

void Haccrg::take(Entry& entry, const Observation& observation, bool is_shared) {
  const TraceEvent& event = observation.event;
  const ThreadPlaces::Numbers at = places_.of(event.thread);
  const BlockState& own = block(at.block);
  entry.thread = event.thread;
  entry.site = event.site;
  entry.event = observation.number;
  entry.sync = is_shared ? own.barriers : own.global_sync;
  entry.fence = fences(at.warp);
}

void Haccrg::step(Entry& entry, const Observation& observation, bool is_shared) {
  const TraceEvent& event = observation.event;
  const std::uint32_t warp = places_.of(entry.thread).warp;
  const bool is_other = warp != places_.of(event.thread).warp;
  const HaccrgTransition to = haccrg_step(entry.state, event.op == TraceOp::Write, is_other);
  const bool is_fenced = !is_shared && to.race == HaccrgRace::ReadAfterWrite && entry.fence != fences(warp);
  if (to.race != HaccrgRace::None && !is_fenced) report(entry, observation, to.race, is_shared);
  entry.state = to.next;
  if (to.takes_thread) take(entry, observation, is_shared);
}

void Haccrg::step_locked(Entry& entry, const Observation& observation, std::uint16_t own) {
  const TraceEvent& event = observation.event;
  const bool is_write = event.op == TraceOp::Write;
  const bool is_other = places_.of(entry.thread).warp != places_.of(event.thread).warp;
  if (is_other && (is_write || entry.state == HaccrgState::Written)) {
    const bool is_one_sided = own == 0 || entry.locks == 0;
    if (is_one_sided) {
      report(entry, observation, RaceKind::NoCommonLock, "only one side holds a lock");
    } else if (is_disjoint(entry.locks, own)) {
      report(entry, observation, RaceKind::NoCommonLock, "no lock is held at both accesses");
    }
  }
  const HaccrgTransition to = haccrg_step(entry.state, is_write, is_other);
  entry.state = to.next;
  entry.locks &= own;
  if (to.takes_thread) take(entry, observation, false);
}

void Haccrg::report(const Entry& entry, const Observation& observation, HaccrgRace race, bool is_shared) {
  const bool same_block = places_.of(entry.thread).block == places_.of(observation.event.thread).block;
  const RaceKind unordered = same_block ? RaceKind::MissingBarrier : RaceKind::Unsynchronized;
  switch (race) {
    case HaccrgRace::ReadAfterWrite:
      if (is_shared) {
        return report(entry, observation, RaceKind::MissingBarrier, "read after write, with no barrier between");
      }
      return report(entry, observation, RaceKind::MissingFence,
                    "read after write, and the writer's warp has run no fence since");
    case HaccrgRace::WriteAfterRead:
      return report(entry, observation, unordered, "write after read by another warp, with no barrier between");
    default: return report(entry, observation, unordered, "write after write by another warp, with no barrier between");
  }
}

void Haccrg::report(const Entry& entry, const Observation& observation, RaceKind kind, const char* why) {
  const TraceEvent& event = observation.event;
  const RaceSide first{.thread = entry.thread,
                       .site = entry.site,
                       .event = entry.event,
                       .is_write = entry.state == HaccrgState::Written};
  const RaceSide second{
      .thread = event.thread, .site = event.site, .event = observation.number, .is_write = event.op == TraceOp::Write};
  log_.add(first, second, event.object, kind, why);
}

namespace {

DetectorDescription describe(std::string name, std::string summary) {
  const auto options =
      OptionTable<HaccrgOptions>()
          .number("granularity", &HaccrgOptions::granularity, {4, 8, 16, 32, 64}, "bytes that share an entry")
          .choice("pages", &HaccrgOptions::pages,
                  {{"all", 0}, {"1", 1}, {"4", 4}, {"16", 16}, {"64", 64}, {"256", 256}},
                  "pages of 4096 bytes that have entries: the most recently used ones");
  return {.name = std::move(name),
          .source = "Holey 2015, chapter 6",
          .summary = std::move(summary),
          .options = options.described(),
          .in_gpu = in_gpu_form<ambit_kernel::Haccrg>("haccrg_in_gpu.h", "Haccrg"),
          .make = options.maker<Haccrg>()};
}

}  // namespace

DetectorDescription haccrg() {
  return describe("haccrg", "a state machine of four states for each granule, in hardware");
}

DetectorDescription srg() { return describe("srg", "the software form of haccrg, with the same verdicts"); }

}  // namespace ambit::detector
