#include "detector/algorithms/boyer.h"

#include <fmt/format.h>

#include <algorithm>

#include "detector/options.h"

namespace ambit::detector {
namespace {

constexpr std::uint64_t kBankBytes = 4;
constexpr int kHalfWarp = 16;

}  // namespace

Boyer::Boyer(const TraceTables& tables, const BoyerOptions& options)
    : tables_(tables), options_(options), places_(tables), log_(tables), group_(tables), words_(options.banks) {}

void Boyer::Count::add(const RaceSide& side) {
  ++total;
  if (last.thread != side.thread) last_of_another = last;
  last = side;
}

bool Boyer::is_shared(std::uint32_t location) {
  while (is_shared_.size() < tables_.locations().size()) {
    is_shared_.push_back(tables_.locations()[is_shared_.size()].space == MemorySpace::Shared ? 1 : 0);
  }
  return is_shared_[location] != 0;
}

void Boyer::on(const Observation& observation) {
  const TraceEvent& event = observation.event;
  // Handle the barriers that complete before the event takes effect.
  for (const BarrierTracker::Completion& done : observation.completions()) {
    if (done.op != TraceOp::Barrier) continue;
    std::uint32_t last = kNoName;
    for (const std::uint32_t waiting : done.waiting) {
      const std::uint32_t block = places_.of(waiting).block;
      if (block >= barriers_.size()) barriers_.resize(std::max(block + 1, places_.blocks()));
      if (block != last) ++barriers_[block];
      last = block;
    }
  }
  if (event.is_access()) {
    if (!is_shared(event.object)) {
      flush();
      return;
    }
    if (!group_.takes(event)) flush();
    group_.add(event, observation.number);
    // The method ignores atomics, because shared memory had no atomics when the paper appeared.
    if (!event.is_atomic()) access(observation);
    return;
  }
  flush();
}

void Boyer::access(const Observation& observation) {
  const TraceEvent& event = observation.event;
  const std::uint32_t block = places_.of(event.thread).block;
  const std::uint32_t barrier = block < barriers_.size() ? barriers_[block] : 0;
  if (event.object >= locations_.size()) {
    locations_.resize(std::max<std::size_t>(event.object + 1, tables_.locations().size()));
  }
  Location& all = locations_[event.object];
  if (all.barrier != barrier) all = {barrier, {}, {}};
  Own& own = own_[(std::uint64_t{event.object} << 32U) | event.thread];
  if (own.barrier != barrier) own = {barrier, 0, 0};
  const bool is_write = event.op != TraceOp::Read;
  const RaceSide now{.thread = event.thread, .site = event.site, .event = observation.number, .is_write = is_write};
  if (is_write) check(all.reads, own.reads, now, event.object);
  if (!is_write || options_.reports_write_after_write) check(all.writes, own.writes, now, event.object);
  (is_write ? all.writes : all.reads).add(now);
  ++(is_write ? own.writes : own.reads);
}

void Boyer::check(const Count& count, std::uint64_t own, const RaceSide& now, std::uint32_t location) {
  if (count.total == own) return;
  const RaceSide& before = count.last.thread == now.thread ? count.last_of_another : count.last;
  const char* const order =
      !now.is_write ? "read after write" : (before.is_write ? "write after write" : "write after read");
  log_.add(before, now, location, RaceKind::MissingBarrier,
           fmt::format("{}, and the block has passed no barrier since", order));
}

void Boyer::flush() {
  if (group_.is_empty()) return;
  const std::uint32_t site = group_.members().front().event.site;
  if (site != kNoName) {
    if (site >= banks_.size()) banks_.resize(std::max<std::size_t>(site + 1, tables_.sites().size()));
    if (options_.banks == 16) {
      count_banks(0);
      count_banks(1);
    } else {
      count_banks(kNoName);
    }
  }
  group_.clear();
}

void Boyer::count_banks(std::uint32_t half) {
  std::uint32_t degree = 0;
  std::uint32_t worst = 0;
  const TraceEvent* first = nullptr;
  for (std::vector<std::uint64_t>& words : words_) words.clear();
  for (const WarpGroup::Member& member : group_.members()) {
    const int lane = tables_.threads()[member.event.thread].place.lane;
    if (half != kNoName && static_cast<std::uint32_t>(lane / kHalfWarp) != half) continue;
    if (first == nullptr) first = &member.event;
    const TraceLocation& location = tables_.locations()[member.event.object];
    const std::uint64_t word = location.offset / kBankBytes;
    const auto bank = static_cast<std::uint32_t>(word % options_.banks);
    std::vector<std::uint64_t>& words = words_[bank];
    const std::uint64_t key = (std::uint64_t{location.object} << 40U) ^ word;
    if (std::ranges::find(words, key) == words.end()) words.push_back(key);
    if (words.size() > degree) {
      degree = static_cast<std::uint32_t>(words.size());
      worst = bank;
    }
  }
  if (first == nullptr) return;
  BankUse& use = banks_[first->site];
  ++use.accesses;
  if (degree > 1) ++use.conflicts;
  if (degree > use.degree) {
    use.degree = degree;
    use.thread = first->thread;
    use.bank = worst;
  }
}

std::vector<std::string> Boyer::own_remarks() const {
  std::vector<std::string> lines;
  for (std::size_t site = 0; site < banks_.size(); ++site) {
    const BankUse& use = banks_[site];
    if (use.conflicts == 0) continue;
    lines.push_back(
        fmt::format("{}: {}-way bank conflict at bank {} of {} ({} of {} accesses by a {} conflict; the "
                    "worst begins with {})",
                    tables_.sites()[site], use.degree, use.bank, options_.banks, use.conflicts, use.accesses,
                    options_.banks == 16 ? "half warp" : "warp", tables_.threads()[use.thread].name));
  }
  return lines;
}

DetectorDescription boyer() {
  const auto options =
      OptionTable<BoyerOptions>()
          .yes_or_no("waw", &BoyerOptions::reports_write_after_write, "report a write after another thread's write too")
          .number("banks", &BoyerOptions::banks, {16, 32},
                  "banks of shared memory: 16 serve a half warp, as published; 32 serve a warp, as on current GPUs");
  return {.name = "boyer",
          .source = "Boyer, Skadron, Weimer, STMCS 2008",
          .summary = "counts reads and writes of shared memory since the last barrier, and finds bank conflicts",
          .options = options.described(),
          .make = options.maker<Boyer>()};
}

}  // namespace ambit::detector
