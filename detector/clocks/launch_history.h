#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <vector>

#include "core/trace.h"
#include "detector/clocks/access_kind.h"
#include "detector/clocks/clock_bank.h"
#include "detector/clocks/large_pieces.h"
#include "detector/inference/action.h"
#include "detector/inference/flat_map.h"
#include "detector/inference/large_allocator.h"
#include "detector/race_log.h"

namespace ambit::detector {

/// The last access to a word of a program's memory. The record is all zeros if there was no access. Shadow memory
/// contains these records.
struct WordRecord {
  std::uint32_t warp = 0;     ///< first thread of the warp
  std::uint32_t lanes = 0;    ///< mask of the lanes of the warp that made the access at this time
  std::uint32_t now = 0;      ///< local time of the warp's threads
  std::uint32_t context = 0;  ///< number of the pair of site and locks
  std::uint32_t lists = 0;    ///< 1 + number of the first list of earlier accesses, all of one kind
  std::uint16_t kinds = 0;    ///< bit k is set if kind k has a list
  AccessKind kind = 0;
};

/// The runs in a line of 32 words. The record is all zeros without an access. A run is an access by a whole warp to
/// consecutive words, in the order of the lanes. Shadow memory contains a LineRecord instead of 32 WordRecords.
struct LineRecord {
  struct Run {
    std::uint32_t warp = 0;  ///< first thread of the warp
    Epoch now = 0;
    std::uint32_t context = 0;
    std::int16_t offset = 0;  ///< the word that the first lane accessed
    AccessKind kind = 0;
  };
  Run* runs = nullptr;  ///< the last run of each warp, offset and kind, in order; null if `first` holds the only run
  std::uint32_t size = 0;
  std::uint32_t capacity = 0;
  Run first;
};

/// The access records of a launch's words.
class WordRecords {
 public:
  virtual ~WordRecords() = default;
  /// Returns the record of a location. The record is valid until the next call of any function. `location` is the
  /// number that the inference gave the location.
  virtual WordRecord& record_of(std::uint32_t location) = 0;
  /// A warp accesses the 32 locations that begin with `location`. Calls `take` for the one or two lines with these
  /// locations. The second argument of `take` is the position of the first location's word relative to the line, and is
  /// negative for the second line. `take` returns whether the line can remain a LineRecord. Returns a bit for each
  /// location that the caller must check separately. If the words are not consecutive, returns all 32 bits.
  virtual std::uint32_t visit_run(std::uint32_t location, const std::function<bool(LineRecord&, int)>& take) = 0;
};

/// The access history for launches of programs. Unlike AccessHistory, it stores no event numbers. The threads of a warp
/// must have consecutive numbers, because lanes that access a word at the same time share one entry.
class LaunchHistory {
 public:
  LaunchHistory(const TraceTables& tables, WordRecords& records);

  /// See AccessHistory::check(). `warp` is the first thread of the access's warp.
  template <typename Past, typename Found>
  void check(const Action& access, std::uint32_t warp, const Past& past, Epoch now, const Found& found) {
    WordRecord& record = records_.record_of(access.object);
    check(record, kind_of(access), warp, access.thread - warp, now, context_of(access), past, found);
  }
  /// Overload for a known record. Returns false if the record already contained this access, by this or other lanes of
  /// the warp.
  template <typename Past, typename Found>
  bool check(WordRecord& record, AccessKind kind, std::uint32_t warp, std::uint32_t lane, Epoch now,
             std::uint32_t context, const Past& past, const Found& found) {
    const std::uint32_t bit = 1U << lane;
    const std::uint32_t conflicts = conflicts_[kind];
    const bool is_same = record.warp == warp && record.kind == kind && record.now == now && record.context == context;
    if (is_same) {
      if ((record.lanes & bit) != 0) return false;
      if (((record.kinds | 1U << kind) & conflicts) == 0 && record.lanes != 0) {
        record.lanes |= bit;
        return false;
      }
    }
    if (record.lanes != 0) {
      const bool is_own = record.warp == warp && record.lanes == bit;
      if (!is_own && (conflicts >> record.kind & 1U) != 0) {
        visit({record.warp, record.lanes, record.now, record.context}, record.kind, kind, past, found);
      }
      if ((record.kinds & conflicts) != 0) visit_lists(record, kind, past, now, found);
    }
    replace(record, kind, warp, bit, now, context);
    return true;
  }
  /// Like check(), for further lanes of the warp that make the access in `record` at the same time. If an earlier
  /// access to the word may conflict with their accesses, changes nothing and returns false.
  bool join(WordRecord& record, std::uint32_t lanes) const {
    if (((record.kinds | 1U << record.kind) & conflicts_[record.kind]) != 0) return false;
    record.lanes |= lanes;
    return true;
  }
  /// After check() for this number of lanes, repeat() can handle the remaining lanes. The first lane may move the
  /// previous record into a list, and the first and second lane may change the covers of the lists. From the third lane
  /// on, each lane has the same effect as the previous lane.
  static constexpr std::uint32_t kLanesThatShow = 3;
  /// Handles the lanes for which join() returned false. check() must have found no race for the first kLanesThatShow
  /// lanes, and all lanes must have the same clock. If the lanes' accesses conflict with each other, changes nothing
  /// and returns false.
  bool repeat(WordRecord& record, std::uint32_t lanes);
  /// Like check(), for all lanes of a warp; the first lane accesses word `offset` of the line. All lanes must have the
  /// same clock. `past` is the past of the first lane. If an earlier access may not be in the past, or if the line has
  /// too many runs, changes nothing and returns false.
  template <typename Past>
  bool check_run(LineRecord& line, const LineRecord::Run& made, const Past& past) {
    return add_to_line(line, made, [&](const LineRecord::Run& run) { return is_known(run, made, past); });
  }
  /// Like check_run(), for lanes with different pasts. `past_of(lane)` returns the past of a lane. `share_clock` is
  /// true if all lanes share a clock, which may have lane-relative entries.
  template <typename PastOf>
  bool check_lanes(LineRecord& line, const LineRecord::Run& made, const PastOf& past_of, bool share_clock) {
    return add_to_line(line, made, [&](const LineRecord::Run& run) {
      if (share_clock && run.offset == made.offset && past_of(0).covers_lanes(run.warp, run.now)) return true;
      return is_in_past_of_each(run, made, past_of);
    });
  }
  /// See AccessHistory::last_atomic().
  Epoch last_atomic(std::uint32_t location, std::uint32_t thread) {
    return last_atomic(records_.record_of(location), thread);
  }
  Epoch last_atomic(const WordRecord& record, std::uint32_t thread) const;
  /// Like AccessHistory::has_atomic(), but checks only the latest accesses.
  template <typename IsIt>
  bool has_atomic(std::uint32_t location, const IsIt& is_it) {
    return has_atomic(records_.record_of(location), is_it);
  }
  template <typename IsIt>
  bool has_atomic(const WordRecord& record, const IsIt& is_it) const {
    std::uint32_t left = kMostLooked;
    const auto look = [&](std::uint32_t warp, std::uint32_t lanes, Epoch now) {
      for (; lanes != 0 && left != 0; lanes &= lanes - 1, --left) {
        if (is_it(warp + static_cast<std::uint32_t>(std::countr_zero(lanes)), now)) return true;
      }
      return false;
    };
    if (is_atomic(record.kind) && look(record.warp, record.lanes, record.now)) return true;
    for (std::uint32_t number = record.lists; number != 0; number = lists_[number - 1].next) {
      const List& list = lists_[number - 1];
      for (std::uint32_t i = list.size; is_atomic(list.kind) && i-- > 0 && left != 0;) {
        const Entry& entry = list.entries()[i];
        if (look(entry.warp, entry.lanes, entry.now)) return true;
      }
    }
    return false;
  }
  WordRecords& records() { return records_; }
  // Prefetch hints before check(). The caller prefetches the record first, then its first list, then the entries of the
  // list.
  void fetch_lists(const WordRecord& record) const {
    if (record.lists != 0) __builtin_prefetch(&lists_[record.lists - 1]);
  }
  void fetch_entries(const WordRecord& record) const {
    if (record.lists != 0) __builtin_prefetch(lists_[record.lists - 1].more);
  }
  /// Copies the line's accesses to the word into `record`, which must be all zeros before the call.
  void expand_word(const LineRecord& line, std::uint32_t word, WordRecord& record);
  /// `record` is a copy of another record. Copies the lists of `record`, so that the two records do not share lists.
  void separate(WordRecord& record);
  /// Returns the number of the context of accesses at `site` by threads that hold no locks.
  std::uint32_t context_of(std::uint32_t site) {
    if (site < of_sites_.size() && of_sites_[site] != 0) return of_sites_[site] - 1;
    return new_site(site);
  }
  std::uint32_t context_of(const Action& access) {
    return access.lock == kNoName ? context_of(access.site) : context_with_lock(access);
  }
  /// Returns the memory in use except for the records, in bytes.
  std::size_t memory() const;
  /// Bounds memory() approximately. At the limit, new accesses replace the oldest accesses.
  void set_limit(std::size_t bytes) { limit_ = bytes; }
  /// Returns the number of accesses that the history has dropped at the limit. Races with these accesses may be
  /// missing.
  std::uint64_t forgotten() const { return forgotten_; }
  static constexpr std::size_t kDefaultLimit = std::size_t{4} << 30U;

 private:
  /// The last access of one or more lanes of a warp.
  struct Entry {
    std::uint32_t warp = 0;
    std::uint32_t lanes = 0;
    Epoch now = 0;
    std::uint32_t context = 0;
    std::uint32_t before = 0;  ///< in long lists, 1 + place of an earlier entry of the warp
  };
  struct Mark {
    std::uint32_t thread = 0;
    Epoch epoch = 0;
  };
  /// Accesses of one kind to one word.
  struct List {
    std::uint32_t next = 0;  ///< 1 + number of the next list; 0 at the end
    std::uint32_t size = 0;
    std::uint32_t capacity = 1;
    std::uint32_t covered = 0;  ///< every past with `cover` includes this number of entries at the front
    Mark cover;
    Entry* more = nullptr;  ///< the entries if the capacity is more than one; otherwise null
    Entry one;              ///< the entry if the capacity is one
    AccessKind kind = 0;
    bool is_of_one_block = true;  ///< threads of a single block made all entries so far

    Entry* entries() { return more == nullptr ? &one : more; }
    const Entry* entries() const { return more == nullptr ? &one : more; }
  };
  struct Context {
    std::uint32_t site = kNoName;
    std::uint32_t lock = kNoName;
    Scope lock_scope = Scope::System;
    bool lock_is_bare = false;
    /// `lock` is the first lane's lock; the other lanes hold the locks with the numbers that follow.
    bool is_of_warp = false;
  };

  static LineRecord::Run* runs_of(LineRecord& line) { return line.runs == nullptr ? &line.first : line.runs; }
  void add_run(LineRecord& line, const LineRecord::Run& made);
  /// Adds the run `made` to the line if `is_in_past(run)` is true for all runs that may conflict with `made`. Otherwise
  /// returns false.
  template <typename IsInPast>
  bool add_to_line(LineRecord& line, const LineRecord::Run& made, const IsInPast& is_in_past) {
    std::uint32_t same = line.size;
    LineRecord::Run* runs = runs_of(line);
    for (std::uint32_t i = line.size; i-- > 0;) {
      const LineRecord::Run& run = runs[i];
      const bool is_of_same = run.warp == made.warp && run.offset == made.offset;
      if (is_of_same && run.kind == made.kind) {
        if (i + 1 == line.size && run.now == made.now && run.context == made.context) return true;
        same = i;
      }
      const bool may_conflict = (conflicts_[made.kind] >> run.kind & 1U) != 0;
      if (may_conflict && !is_of_same && std::abs(run.offset - made.offset) < 32 && !is_in_past(run)) {
        return false;
      }
    }
    if (same == line.size) {
      if (line.size == kMostRuns) return false;
      add_run(line, made);
    } else {
      std::move(runs + same + 1, runs + line.size, runs + same);
      runs[line.size - 1] = made;
    }
    return true;
  }
  /// Returns whether no access of `run` can race with `made`: either all accesses of `run` happen before all accesses
  /// of `made`, or all accesses of both runs are atomics of one block.
  template <typename Past>
  static bool is_known(const LineRecord::Run& run, const LineRecord::Run& made, const Past& past) {
    if (is_atomic(run.kind) && is_atomic(made.kind) && past.same_block(run.warp)) return true;
    if (run.warp == made.warp) return past.is_common(run.warp + 1, run.now);
    return past.unknown_lanes(run.warp, ~0U, run.now) == 0;
  }
  /// Like is_known(), but compares each access of `run` only with the access of `made` to the same word.
  template <typename PastOf>
  static bool is_in_past_of_each(const LineRecord::Run& run, const LineRecord::Run& made, const PastOf& past_of) {
    const auto first = past_of(0);
    if (is_atomic(run.kind) && is_atomic(made.kind) && first.same_block(run.warp)) return true;
    if (first.is_common(run.warp == made.warp ? run.warp + 1 : run.warp, run.now)) return true;
    for (int lane = std::max(0, -made.offset); lane < std::min(32, 32 - made.offset); ++lane) {
      const int other = lane + made.offset - run.offset;
      if (other < 0 || other > 31) continue;
      const auto past = past_of(static_cast<std::uint32_t>(lane));
      if (!past.contains(run.warp + static_cast<std::uint32_t>(other), run.now)) return false;
    }
    return true;
  }
  /// Stores the access as the last access of the word.
  void replace(WordRecord& record, AccessKind kind, std::uint32_t warp, std::uint32_t bit, Epoch now,
               std::uint32_t context) {
    if (record.warp == warp && record.kind == kind) record.lanes &= ~bit;
    if (record.lanes != 0 || record.kinds != 0) keep(record);
    record.warp = warp;
    record.lanes = bit;
    record.now = now;
    record.context = context;
    record.kind = kind;
  }

  /// Calls `found` for the lanes of `entry` with an access that is not in the past. Returns whether there are none.
  template <typename Past, typename Found>
  bool visit(const Entry& entry, AccessKind kind, AccessKind own_kind, const Past& past, const Found& found) {
    // Atomics of one block do not race, because their scopes include both threads. This test saves a clock lookup for
    // each lane.
    const bool both_atomic = is_atomic(kind) && is_atomic(own_kind);
    if (both_atomic && past.same_block(entry.warp)) return false;
    std::uint32_t unknown = past.unknown_lanes(entry.warp, entry.lanes, entry.now);
    const bool all_in_past = unknown == 0;
    for (; unknown != 0; unknown &= unknown - 1) {
      const std::uint32_t thread = entry.warp + static_cast<std::uint32_t>(std::countr_zero(unknown));
      if (both_atomic && same_instance(tables_.threads()[thread].place, tables_.threads()[past.thread].place,
                                       narrower(scope_of(kind), scope_of(own_kind)))) {
        continue;
      }
      const Context& context = contexts_[entry.context];
      found(RaceSide{thread, context.site, RaceAccess::kNoEvent, is_write(kind), is_atomic(kind), scope_of(kind),
                     context.lock, context.lock_scope, context.lock_is_bare});
    }
    return all_in_past;
  }
  template <typename Past, typename Found>
  void visit_lists(const WordRecord& record, AccessKind kind, const Past& past, Epoch now, const Found& found) {
    for (std::uint32_t number = record.lists; number != 0;) {
      List& list = lists_[number - 1];
      number = list.next;
      if ((conflicts_[kind] >> list.kind & 1U) == 0) continue;
      // As in visit(), atomics of one block do not race. The cover remains unchanged after these accesses.
      const bool both_atomic = is_atomic(list.kind) && is_atomic(kind);
      if (both_atomic && list.is_of_one_block && past.same_block(list.entries()[0].warp)) continue;
      const bool cover_in_past = list.cover.epoch != 0 && past.contains(list.cover.thread, list.cover.epoch);
      const Entry* entries = list.entries();
      bool all_in_past = true;
      for (std::uint32_t i = cover_in_past ? list.covered : 0; i < list.size; ++i) {
        Entry entry = entries[i];
        // The record contains the later accesses of the lanes in record.lanes.
        if (entry.warp == record.warp && list.kind == record.kind) entry.lanes &= ~record.lanes;
        if (entry.lanes != 0) all_in_past &= visit(entry, list.kind, kind, past, found);
      }
      // A write always updates the cover, because the write is the next entry of the list. If each reader updated the
      // cover, the readers would replace each other's cover.
      if (!all_in_past || (!is_write(kind) && cover_in_past && list.covered == list.size)) continue;
      list.cover = {past.thread, now};
      list.covered = list.size;
    }
  }
  int block_of(std::uint32_t thread) const { return tables_.threads()[thread].place.block; }
  /// Appends the record's accesses to the list for the kind of these accesses.
  void keep(WordRecord& record);
  /// Returns 1 + the number of the new list.
  std::uint32_t add_list(const List& made) {
    reserve_for(lists_, lists_.size() + 1);
    lists_.push_back(made);
    return static_cast<std::uint32_t>(lists_.size());
  }
  void put(std::uint32_t number, const Entry& made);
  void append(std::uint32_t number, const Entry& made);
  void make_space(std::uint32_t number);
  /// Returns whether the lists and runs have reached the limit and must not grow.
  bool is_full() const { return pieces_.memory() + lists_.size() * sizeof(List) + positions_.memory() >= limit_; }
  void drop_oldest(List& list, std::uint32_t keep);
  Entry* take_entries(std::uint32_t capacity);
  std::uint32_t new_site(std::uint32_t site);
  std::uint32_t context_with_lock(const Action& access);
  std::uint32_t context_of_lane(std::uint32_t context, std::uint32_t lane);
  static std::uint64_t key(std::uint32_t list, std::uint32_t warp) { return (std::uint64_t{list} << 32U) | warp; }

  /// A longer list has an index (positions_) of the latest entry of each warp.
  static constexpr std::uint32_t kShort = 64;
  static constexpr std::uint32_t kMostLooked = 256;  ///< maximum number of accesses that has_atomic() checks
  static constexpr std::uint32_t kMostRuns = 64;     ///< maximum number of runs in a line

  const TraceTables& tables_;
  WordRecords& records_;
  std::uint32_t conflicts_[kAccessKinds] = {};  ///< for each kind, a mask of the kinds that may conflict with it
  std::vector<List, LargeAllocator<List>> lists_;
  LargePieces pieces_;
  std::size_t limit_ = kDefaultLimit;
  std::uint64_t forgotten_ = 0;
  std::vector<std::vector<LineRecord::Run*>> free_runs_;  ///< free arrays of runs, indexed by log2 of their size
  std::vector<std::vector<Entry*>> free_;                 ///< free arrays of entries, indexed by log2 of their size
  /// For long lists, maps (list, warp) to 1 + index in the list.
  FlatMap<std::uint32_t> positions_;
  std::vector<Context> contexts_;
  std::vector<std::uint32_t> of_sites_;       ///< for each site, 1 + number of its context
  FlatMap<std::uint32_t> contexts_of_locks_;  ///< maps to 1 + context
  /// A direct-mapped cache of contexts.
  struct CachedContext {
    std::uint64_t key = 0;
    std::uint32_t number = 0;
  };
  static constexpr std::size_t kMostCached = 4096;
  std::vector<CachedContext> cached_contexts_;
};

}  // namespace ambit::detector
