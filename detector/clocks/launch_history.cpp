#include "detector/clocks/launch_history.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace ambit::detector {

LaunchHistory::LaunchHistory(const TraceTables& tables, WordRecords& records)
    : tables_(tables), records_(records), free_runs_(8), free_(32) {
  for (AccessKind a = 0; a < kAccessKinds; ++a) {
    for (AccessKind b = 0; b < kAccessKinds; ++b) {
      if (may_conflict(a, b, tables.launch)) conflicts_[a] |= 1U << b;
    }
  }
}

// ---- contexts ----

std::uint32_t LaunchHistory::new_site(std::uint32_t site) {
  if (site >= of_sites_.size()) of_sites_.resize(site + 1);
  Context made;
  made.site = site;
  contexts_.push_back(made);
  of_sites_[site] = static_cast<std::uint32_t>(contexts_.size());
  return of_sites_[site] - 1;
}

std::uint32_t LaunchHistory::context_with_lock(const Action& access) {
  AMBIT_ASSERT(access.site < 1U << 24U);
  const std::uint64_t how = static_cast<std::uint64_t>(access.lock_scope) << 2U | (access.lock_is_bare ? 2U : 0U) |
                            (access.is_of_warp ? 1U : 0U);
  const std::uint64_t key = how << 56U | std::uint64_t{access.site} << 32U | access.lock;
  if (cached_contexts_.empty()) cached_contexts_.resize(kMostCached);
  CachedContext& known = cached_contexts_[(access.lock + 1024 * access.site) % kMostCached];
  if (known.number != 0 && known.key == key) return known.number - 1;
  std::uint32_t& number = contexts_of_locks_[key];
  if (number == 0) {
    contexts_.push_back({access.site, access.lock, access.lock_scope, access.lock_is_bare, access.is_of_warp});
    number = static_cast<std::uint32_t>(contexts_.size());
  }
  known = {key, number};
  return number - 1;
}

std::uint32_t LaunchHistory::context_of_lane(std::uint32_t context, std::uint32_t lane) {
  const Context& of_warp = contexts_[context];
  if (!of_warp.is_of_warp) return context;
  Action access;
  access.site = of_warp.site;
  access.lock = of_warp.lock + lane;
  access.lock_scope = of_warp.lock_scope;
  access.lock_is_bare = of_warp.lock_is_bare;
  return context_with_lock(access);
}

// ---- lists ----

void LaunchHistory::keep(WordRecord& record) {
  std::uint32_t number = record.lists;
  while (number != 0 && lists_[number - 1].kind != record.kind) number = lists_[number - 1].next;
  if (number == 0) {
    if (record.lanes == 0) return;
    if (is_full()) {
      ++forgotten_;
      return;
    }
    // The lists of a word are sorted by kind.
    std::uint32_t before = 0;
    std::uint32_t next = record.lists;
    for (; next != 0 && lists_[next - 1].kind < record.kind; next = lists_[next - 1].next) before = next;
    List made;
    made.next = next;
    made.kind = record.kind;
    number = add_list(made);
    (before == 0 ? record.lists : lists_[before - 1].next) = number;
    record.kinds |= static_cast<std::uint16_t>(1U << record.kind);
  }
  if (record.lanes != 0) put(number - 1, {record.warp, record.lanes, record.now, record.context});
}

bool LaunchHistory::repeat(WordRecord& record, std::uint32_t lanes) {
  const std::uint32_t conflicts = conflicts_[record.kind];
  if ((conflicts >> record.kind & 1U) != 0) return false;
  // Each lane covers the accesses that the previous lane covered. Each lane also moves the previous lane's access to a
  // list of the access's kind.
  const std::uint32_t before = record.warp + static_cast<std::uint32_t>(std::countr_zero(record.lanes));
  AMBIT_ASSERT(lanes != 0);
  const std::uint32_t last = 31 - static_cast<std::uint32_t>(std::countl_zero(lanes));
  for (std::uint32_t number = record.lists; number != 0; number = lists_[number - 1].next) {
    List& list = lists_[number - 1];
    const bool is_covered = list.cover.thread == before && list.cover.epoch == record.now;
    if (is_covered && (conflicts >> list.kind & 1U) != 0) list.cover.thread = record.warp + last;
  }
  record.lanes |= lanes & ~(1U << last);
  keep(record);
  record.lanes = 1U << last;
  return true;
}

void LaunchHistory::put(std::uint32_t number, const Entry& made) {
  List& list = lists_[number];
  Entry* entries = list.entries();
  Entry* same = nullptr;
  // Only the last access of each lane is relevant.
  const auto look_at = [&](std::uint32_t place) {
    Entry& entry = entries[place];
    entry.lanes &= ~made.lanes;
    if (entry.now == made.now && entry.context == made.context && place >= list.covered) same = &entry;
  };
  if (list.capacity <= kShort) {
    for (std::uint32_t place = 0; place < list.size; ++place) {
      if (entries[place].warp == made.warp) look_at(place);
    }
  } else if (const std::uint32_t* latest = positions_.find(key(number, made.warp)); latest != nullptr) {
    for (std::uint32_t place = *latest; place != 0; place = entries[place - 1].before) look_at(place - 1);
  }
  if (same != nullptr) {
    same->lanes |= made.lanes;
  } else {
    append(number, made);
  }
}

void LaunchHistory::append(std::uint32_t number, const Entry& made) {
  List& list = lists_[number];
  if (list.capacity <= kShort) {
    const Entry* entries = list.entries();
    while (list.size > list.covered && entries[list.size - 1].lanes == 0) --list.size;
  }
  if (list.is_of_one_block && list.size != 0 && list.entries()[0].warp != made.warp) {
    list.is_of_one_block = block_of(list.entries()[0].warp) == block_of(made.warp);
  }
  if (list.size == list.capacity) {
    if (list.more == nullptr && is_full()) {
      drop_oldest(list, 0);
    } else if (list.more == nullptr) {
      list.capacity = 2;
      list.more = take_entries(list.capacity);
      list.more[0] = list.one;
    } else {
      make_space(number);
    }
  }
  Entry& entry = list.entries()[list.size++];
  entry = made;
  // If the list's cover is the new entry's access, the new entry is covered.
  const bool is_cover = made.now == list.cover.epoch && list.cover.thread - made.warp < 32 &&
                        made.lanes == 1U << (list.cover.thread - made.warp);
  if (is_cover && list.covered + 1 == list.size) list.covered = list.size;
  if (list.capacity > kShort) {
    std::uint32_t& latest = positions_[key(number, made.warp)];
    entry.before = latest;
    latest = list.size;
  }
}

/// Drops all entries of a list except the latest `keep` entries.
void LaunchHistory::drop_oldest(List& list, std::uint32_t keep) {
  const std::uint32_t gone = list.size - keep;
  Entry* entries = list.entries();
  std::copy(entries + gone, entries + list.size, entries);
  forgotten_ += gone;
  list.size = keep;
  list.covered -= std::min(list.covered, gone);
}

/// Removes the entries that later entries have replaced. If the list is still too full, moves the list to a
/// larger array. At the memory limit, keeps only the latest entries instead, as a short list, which needs no
/// positions.
void LaunchHistory::make_space(std::uint32_t number) {
  List& list = lists_[number];
  const bool was_long = list.capacity > kShort;
  Entry* entries = list.more;
  std::uint32_t kept = 0;
  std::uint32_t covered = 0;
  for (std::uint32_t place = 0; place < list.size; ++place) {
    const Entry entry = entries[place];
    if (was_long) positions_[key(number, entry.warp)] = 0;
    if (entry.lanes == 0) continue;
    if (place < list.covered) ++covered;
    entries[kept++] = entry;
  }
  list.size = kept;
  list.covered = covered;
  if (2 * kept >= list.capacity && is_full()) {
    list.capacity = std::min(list.capacity, kShort);
    drop_oldest(list, std::min(kept, list.capacity / 2));
    kept = list.size;
  } else if (2 * kept >= list.capacity) {
    const std::uint32_t capacity = 2 * list.capacity;
    Entry* to = take_entries(capacity);
    std::copy_n(entries, kept, to);
    free_[static_cast<std::size_t>(std::countr_zero(list.capacity))].push_back(list.more);
    list.more = entries = to;
    list.capacity = capacity;
  }
  for (std::uint32_t place = 0; list.capacity > kShort && place < kept; ++place) {
    Entry& entry = entries[place];
    std::uint32_t& latest = positions_[key(number, entry.warp)];
    entry.before = latest;
    latest = place + 1;
  }
}

LaunchHistory::Entry* LaunchHistory::take_entries(std::uint32_t capacity) {
  auto& free = free_[static_cast<std::size_t>(std::countr_zero(capacity))];
  if (!free.empty()) {
    Entry* found = free.back();
    free.pop_back();
    return found;
  }
  return static_cast<Entry*>(pieces_.take(capacity * sizeof(Entry)));
}

void LaunchHistory::separate(WordRecord& record) {
  std::uint32_t number = std::exchange(record.lists, 0);
  std::uint32_t last = 0;
  if (number != 0 && is_full()) {
    record.kinds = 0;
    ++forgotten_;
    return;
  }
  while (number != 0) {
    const List from = lists_[number - 1];
    number = from.next;
    List made;
    made.cover = from.cover;
    made.kind = from.kind;
    const std::uint32_t own = add_list(made);
    (last == 0 ? record.lists : lists_[last - 1].next) = own;
    last = own;
    for (std::uint32_t place = 0; place < from.size; ++place) {
      Entry entry = from.entries()[place];
      entry.before = 0;
      append(own - 1, entry);
    }
    lists_[own - 1].covered = lists_[own - 1].size == from.size ? from.covered : 0;
  }
}

// ---- runs ----

void LaunchHistory::add_run(LineRecord& line, const LineRecord::Run& made) {
  if (line.size == 0) {
    line.first = made;
  } else {
    if (line.size >= line.capacity && is_full()) {
      LineRecord::Run* runs = runs_of(line);
      std::move(runs + 1, runs + line.size, runs);
      runs[line.size - 1] = made;
      ++forgotten_;
      return;
    }
    if (line.size >= line.capacity) {
      const std::uint32_t capacity = std::max(4U, 2 * line.capacity);
      auto& free = free_runs_[static_cast<std::size_t>(std::countr_zero(capacity))];
      LineRecord::Run* to = nullptr;
      if (free.empty()) {
        to = static_cast<LineRecord::Run*>(pieces_.take(capacity * sizeof(LineRecord::Run)));
      } else {
        to = free.back();
        free.pop_back();
      }
      std::copy_n(runs_of(line), line.size, to);
      if (line.capacity != 0)
        free_runs_[static_cast<std::size_t>(std::countr_zero(line.capacity))].push_back(line.runs);
      line.runs = to;
      line.capacity = capacity;
    }
    line.runs[line.size] = made;
  }
  ++line.size;
}

void LaunchHistory::expand_word(const LineRecord& line, std::uint32_t word, WordRecord& record) {
  const LineRecord::Run* runs = line.runs == nullptr ? &line.first : line.runs;
  for (std::uint32_t i = 0; i < line.size; ++i) {
    const LineRecord::Run& run = runs[i];
    const int lane = static_cast<int>(word) - run.offset;
    if (lane < 0 || lane > 31) continue;
    const std::uint32_t bit = 1U << lane;
    const std::uint32_t context = context_of_lane(run.context, static_cast<std::uint32_t>(lane));
    const bool is_same = record.warp == run.warp && record.kind == run.kind && record.now == run.now &&
                         record.context == context && record.lanes != 0;
    if (is_same && ((record.kinds | 1U << run.kind) & conflicts_[run.kind]) == 0) {
      record.lanes |= bit;  // as in check()
    } else {
      replace(record, run.kind, run.warp, bit, run.now, context);
    }
  }
}

Epoch LaunchHistory::last_atomic(const WordRecord& record, std::uint32_t thread) const {
  Epoch last = 0;
  const auto look = [&](std::uint32_t warp, std::uint32_t lanes, Epoch now) {
    if (thread - warp < 32 && (lanes >> (thread - warp) & 1U) != 0) last = std::max(last, now);
  };
  if (is_atomic(record.kind)) look(record.warp, record.lanes, record.now);
  for (std::uint32_t number = record.lists; number != 0; number = lists_[number - 1].next) {
    const List& list = lists_[number - 1];
    for (std::uint32_t i = 0; is_atomic(list.kind) && i < list.size; ++i) {
      const Entry& entry = list.entries()[i];
      look(entry.warp, entry.lanes, entry.now);
    }
  }
  return last;
}

std::size_t LaunchHistory::memory() const {
  std::size_t bytes = lists_.capacity() * sizeof(List) + pieces_.memory() + positions_.memory() +
                      contexts_.capacity() * sizeof(Context) + of_sites_.capacity() * sizeof(std::uint32_t) +
                      contexts_of_locks_.memory();
  for (const auto& free : free_) bytes += free.capacity() * sizeof(Entry*);
  return bytes;
}

}  // namespace ambit::detector
