#include "detector/race_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace ambit::detector {
namespace {

std::uint64_t key_of(const RaceSide& side) {
  if (side.site != kNoName) return combine_hash(1, side.site);
  return combine_hash(combine_hash(2, side.thread), side.is_write ? 1 : 0);
}

std::string scope_text(Scope scope) { return std::string(to_string(scope)); }

/// Explains why the two accesses are unordered although both threads hold a common lock.
Explanation explain_common_lock(const RaceSide& first, const RaceSide& second, const SyncInference& inference) {
  const TraceTables& tables = inference.tables();
  const std::string lock = tables.location_name(first.lock);
  const auto name = [&](const RaceSide& side) { return tables.threads()[side.thread].name; };
  for (const RaceSide* side : {&first, &second}) {
    if (side->lock_is_bare) {
      return {RaceKind::MissingFence,
              fmt::format("{} took lock {} without an acquire fence before its access", name(*side), lock), true};
    }
  }
  if (inference.was_abandoned(first.lock, first.thread)) {
    return {RaceKind::MissingFence,
            fmt::format("{} gave lock {} back without a release fence after its access", name(first), lock)};
  }
  const Scope scope = narrower(first.lock_scope, second.lock_scope);
  const ThreadPlace& a = tables.threads()[first.thread].place;
  const ThreadPlace& b = tables.threads()[second.thread].place;
  if (!same_instance(a, b, scope)) {
    return {
        RaceKind::LockScopeTooNarrow,
        fmt::format("lock {} is taken with {} scope, which does not reach the other thread", lock, scope_text(scope))};
  }
  return {RaceKind::Unsynchronized, fmt::format("their critical sections of {} could have come in either order", lock)};
}

/// Returns whether a lock protects the access. A lock taken without an acquire fence protects no access.
bool is_held(const RaceSide& side) { return side.lock != kNoName && !side.lock_is_bare; }

Explanation explain_locks(const RaceSide& first, const RaceSide& second, const SyncInference& inference) {
  if (first.lock == second.lock) return explain_common_lock(first, second, inference);
  const TraceTables& tables = inference.tables();
  const auto held = [&](const RaceSide& side) {
    const std::string& name = tables.threads()[side.thread].name;
    return side.lock == kNoName ? name + " holds no lock"
                                : fmt::format("{} holds {}", name, tables.location_name(side.lock));
  };
  return {RaceKind::NoCommonLock, fmt::format("{}, {}", held(first), held(second))};
}

Explanation explain_failed_sync(RaceKind kind, const RaceSide& first, const RaceSide& second,
                                const SyncInference& inference) {
  const std::string& writer = inference.tables().threads()[first.thread].name;
  const std::string& reader = inference.tables().threads()[second.thread].name;
  switch (kind) {
    case RaceKind::FenceScopeTooNarrow:
      return {kind, fmt::format("{} reads a flag of {}, but the fence before the flag does not reach the other thread",
                                reader, writer)};
    case RaceKind::AtomicScopeTooNarrow:
      return {kind, fmt::format("{} reads a flag of {} with an atomic whose scope does not reach the other thread",
                                reader, writer)};
    default: break;
  }
  const bool needs_acquire = inference.awaits_fence(first.thread, second.thread);
  return {RaceKind::MissingFence,
          fmt::format("{} reads a flag of {}, but no fence {}", reader, writer,
                      needs_acquire ? "follows the read" : "precedes the write of the flag"),
          needs_acquire};
}

Explanation explain_places(const RaceSide& first, const RaceSide& second, const TraceTables& tables) {
  const ThreadPlace& a = tables.threads()[first.thread].place;
  const ThreadPlace& b = tables.threads()[second.thread].place;
  switch (race_level(a, b)) {
    case RaceLevel::Warp:
      return {RaceKind::IntraWarp, "both are lanes of one warp, and no warp barrier separates them"};
    case RaceLevel::Block: return {RaceKind::MissingBarrier, "both are in one block, and no barrier separates them"};
    case RaceLevel::Device: break;
  }
  return {RaceKind::Unsynchronized, "they are in different blocks, and nothing synchronises them"};
}

}  // namespace

RaceSide RaceSide::of(const Action& access) {
  return {access.thread, access.site, access.event,      access.is_write,    access.is_atomic,
          access.scope,  access.lock, access.lock_scope, access.lock_is_bare};
}

std::string describe(const RaceSide& side, std::uint32_t location, const TraceTables& tables) {
  const std::string thread = side.thread == kNoName ? "a thread" : tables.threads()[side.thread].name;
  const std::string site = side.site == kNoName ? "" : fmt::format(" ({})", tables.sites()[side.site]);
  const std::string_view verb =
      side.is_atomic ? (side.is_write ? "updates" : "atomically reads") : (side.is_write ? "writes" : "reads");
  return fmt::format("{} {} {}{}", thread, verb, tables.location_name(location), site);
}

Explanation explain(const RaceSide& first, const RaceSide& second, std::uint32_t location,
                    const SyncInference& inference) {
  const TraceTables& tables = inference.tables();
  const std::string pair = describe(first, location, tables) + ", " + describe(second, location, tables) + ": ";
  Explanation why = {RaceKind::Unsynchronized, ""};
  if (first.is_atomic && second.is_atomic) {
    why = {RaceKind::AtomicScopeTooNarrow,
           fmt::format("both are atomic, but the {} scope of one does not reach the other thread",
                       scope_text(narrower(first.scope, second.scope)))};
  } else if (const auto failed = inference.failed_sync(first.thread, second.thread);
             failed && first.lock != second.lock && !is_held(first) && !is_held(second)) {
    why = explain_failed_sync(*failed, first, second, inference);  // the supposed lock may be any compare-exchange
  } else if (first.lock != kNoName || second.lock != kNoName) {
    why = explain_locks(first, second, inference);
  } else if (first.is_atomic != second.is_atomic) {
    why = {RaceKind::NotAtomic, "one of them is not atomic"};
  } else if (const auto failed = inference.failed_sync(first.thread, second.thread)) {
    why = explain_failed_sync(*failed, first, second, inference);
  } else {
    why = explain_places(first, second, tables);
  }
  why.sentence = pair + why.sentence;
  return why;
}

RaceLevel RaceLog::level_of(const RaceSide& first, const RaceSide& second) const {
  if (first.thread == kNoName || second.thread == kNoName) return RaceReport().level;
  return race_level(tables_.threads()[first.thread].place, tables_.threads()[second.thread].place);
}

RaceReport* RaceLog::count(const RaceSide& first, const RaceSide& second, std::uint32_t location, bool widens) {
  std::uint64_t key = combine_hash(combine_hash(3, key_of(first)), key_of(second));
  if (first.site == kNoName || second.site == kNoName) key = combine_hash(key, location);
  std::uint32_t& number = numbers_[key];
  if (number == 0) {
    reports_.emplace_back().location = location;
    number = static_cast<std::uint32_t>(reports_.size());
    return &reports_.back();
  }
  RaceReport& report = reports_[number - 1];
  ++report.count;
  add_location(report, location);
  if (!widens || level_of(first, second) <= report.level) return nullptr;
  std::ranges::replace(report.more_locations, location, report.location);
  report.location = location;
  return &report;
}

void RaceLog::describe_in(RaceReport& report, const RaceSide& first, const RaceSide& second, Explanation why) const {
  report.first = {first.thread, first.site, first.event, first.is_write, first.is_atomic};
  report.second = {second.thread, second.site, second.event, second.is_write, second.is_atomic};
  report.kind = why.kind;
  report.needs_acquire = why.needs_acquire;
  report.level = level_of(first, second);
  report.sentence = std::move(why.sentence);
}

void RaceLog::add(const RaceSide& first, const RaceSide& second, std::uint32_t location, RaceKind kind,
                  std::string_view why) {
  RaceReport* report = count(first, second, location, false);
  if (report == nullptr) return;
  describe_in(
      *report, first, second,
      {kind, fmt::format("{}, {}: {}", describe(first, location, tables_), describe(second, location, tables_), why)});
}

void RaceLog::add(const RaceSide& first, const RaceSide& second, std::uint32_t location,
                  const SyncInference& inference) {
  RaceReport* report = count(first, second, location, true);
  if (report != nullptr) describe_in(*report, first, second, explain(first, second, location, inference));
}

}  // namespace ambit::detector
