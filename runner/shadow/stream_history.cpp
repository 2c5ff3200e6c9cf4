#include "runner/shadow/stream_history.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

namespace ambit::shadow {
namespace {

using virtual_gpu::AccessKind;

bool is_strong(const virtual_gpu::WarpAccess& access) {
  return access.order != Order::Weak && access.scope >= Scope::Device;
}

bool is_release(Order order) { return order >= Order::Release; }
bool is_acquire(Order order) { return order == Order::Acquire || order >= Order::AcqRel; }

}  // namespace

StreamHistory::StreamHistory(StreamOrder& order, Report report) : order_(order), report_(std::move(report)) {
  memory_.on_copied = [this](void* copied) {
    Cell& cell = *static_cast<Cell*>(copied);
    if (cell.more_reads == 0) return;
    lists_.push_back(std::vector<Entry>(lists_[cell.more_reads - 1]));
    cell.more_reads = static_cast<std::uint32_t>(lists_.size());
  };
}

void StreamHistory::begin(StreamWork work, std::uint64_t stream, std::string name, std::string text) {
  works_.push_back({work, stream, std::move(name), std::move(text)});
  found_.clear();
  warps_.clear();
}

void StreamHistory::end() {
  std::vector<const StreamRace*> races;
  races.reserve(found_.size());
  for (const auto& [key, race] : found_) races.push_back(&race);
  std::ranges::sort(races, [](const StreamRace* a, const StreamRace* b) {
    return std::tuple(a->first.site, a->second.site, a->address) <
           std::tuple(b->first.site, b->second.site, b->address);
  });
  for (const StreamRace* race : races) report_(*race);
  found_.clear();
}

void StreamHistory::access(const virtual_gpu::WarpAccess& access) {
  if (access.space != virtual_gpu::AccessSpace::Global || works_.empty()) return;
  Now now;
  now.site = access.site;
  now.reads = access.kind != AccessKind::Write;
  now.is_atomic = is_strong(access);
  now.warp = warp_number(access.block, access.warp);
  now.acquires = is_acquire(access.order);
  const auto state = warps_.find(now.warp);
  const std::uint32_t fenced = state == warps_.end() ? 0 : state->second.fenced;
  for (std::uint32_t lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    now.writes = access.kind != AccessKind::Read && (access.failed >> lane & 1U) == 0;
    now.lane = 1U << lane;
    now.releases = now.is_atomic && (is_release(access.order) || (fenced & now.lane) != 0);
    memory_.visit(access.addresses[lane], access.bytes, false,
                  [&](std::byte* cell, std::uint64_t address) { visit(*reinterpret_cast<Cell*>(cell), address, now); });
  }
}

void StreamHistory::fence(std::uint32_t /*site*/, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes,
                          Order order, Scope scope) {
  if (scope < Scope::Device || works_.empty()) return;
  WarpState& state = warps_[warp_number(block, warp)];
  if (is_release(order)) state.fenced |= lanes;
  if (!is_acquire(order)) return;
  std::erase_if(state.observed, [&](const WarpState::Observation& one) {
    if ((one.lane & lanes) == 0) return false;
    order_.follow(works_.back().work.line, one.work);
    return true;
  });
}

/// Handles a strong read of a value that other work has written.
void StreamHistory::observe(const Entry& write, const Now& now) {
  if ((write.work & kReleases) == 0) return;
  const StreamWork work = works_[(write.work & kNumber) - 1].work;
  if (now.acquires) return order_.follow(works_.back().work.line, work);
  auto& observed = warps_[now.warp].observed;
  const bool is_known = std::ranges::any_of(observed, [&](const WarpState::Observation& one) {
    return one.lane == now.lane && one.work.line == work.line && one.work.time == work.time;
  });
  if (!is_known) observed.push_back({now.lane, work});
}

void StreamHistory::touch(std::uint64_t address, std::uint64_t bytes, bool is_write) {
  constexpr std::uint64_t kPage = 4096;
  Now now;
  now.site = StreamRace::kCopy;
  now.reads = !is_write;
  now.writes = is_write;
  for (const std::uint64_t end = address + bytes; address < end;) {
    const std::uint64_t width = std::min(end - address, kPage - address % kPage);
    memory_.visit(address, static_cast<unsigned>(width), false,
                  [&](std::byte* cell, std::uint64_t at) { visit(*reinterpret_cast<Cell*>(cell), at, now); });
    address += width;
  }
}

void StreamHistory::visit(Cell& cell, std::uint64_t address, const Now& now) {
  const auto number = static_cast<std::uint32_t>(works_.size());
  Entry entry{number | (now.is_atomic ? kAtomic : 0) | (now.releases ? kReleases : 0), now.site};
  if (cell.write.work != 0 && !is_ordered(cell.write)) {
    if (now.is_atomic && (cell.write.work & kAtomic) != 0) {
      if (now.reads) observe(cell.write, now);
      // A read-modify-write continues the release sequence of the write that it reads. In addition, Ambit orders the
      // kernel of the read-modify-write after the kernel of the write.
      if (now.reads && now.writes && (cell.write.work & kReleases) != 0) {
        order_.follow(works_.back().work.line, works_[(cell.write.work & kNumber) - 1].work);
        entry.work |= kReleases;
      }
    } else {
      check(cell.write, true, now, address);
    }
  }
  if (!now.writes) return keep_read(cell, entry);
  if (cell.read.work != 0) {
    check(cell.read, false, now, address);
    if (cell.more_reads != 0) {
      for (const Entry& read : lists_[cell.more_reads - 1]) check(read, false, now, address);
    }
  }
  cell = {entry, {}, 0, 0};
}

bool StreamHistory::is_ordered(const Entry& entry) const {
  const std::uint32_t work = entry.work & kNumber;
  return work == works_.size() || order_.is_before(works_[work - 1].work, works_.back().work.line);
}

void StreamHistory::check(const Entry& before, bool was_write, const Now& now, std::uint64_t address) {
  const bool was_atomic = (before.work & kAtomic) != 0;
  if (is_ordered(before) || (was_atomic && now.is_atomic)) return;
  const Key key{std::uint64_t{before.site} << 32U | now.site, std::uint64_t{before.work} << 3U | (was_write ? 4U : 0U) |
                                                                  (now.writes ? 2U : 0U) | (now.is_atomic ? 1U : 0U)};
  StreamRace& race = found_[key];
  if (race.count++ > 0) return;
  const auto side = [&](const Work& work, std::uint32_t site, bool is_write, bool is_atomic) {
    return StreamRace::Side{site, is_write, is_atomic, work.text, work.name, work.stream};
  };
  race.first = side(works_[(before.work & kNumber) - 1], before.site, was_write, was_atomic);
  race.second = side(works_.back(), now.site, now.writes, now.is_atomic);
  race.address = address;
}

void StreamHistory::keep_read(Cell& cell, const Entry& entry) {
  if (cell.read.work == 0 || cell.read.work == entry.work || is_ordered(cell.read)) {
    cell.read = entry;
    return;
  }
  if (cell.more_reads == 0) {
    lists_.emplace_back();
    cell.more_reads = static_cast<std::uint32_t>(lists_.size());
  }
  // The list holds the unordered reads by other work. The cell holds the last read.
  std::vector<Entry>& list = lists_[cell.more_reads - 1];
  std::erase_if(list, [&](const Entry& one) { return one.work == entry.work || is_ordered(one); });
  list.push_back(cell.read);
  cell.read = entry;
}

}  // namespace ambit::shadow
