#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "detector/clocks/access_history.h"
#include "detector/clocks/clock_bank.h"
#include "detector/clocks/compressed_clocks.h"
#include "detector/clocks/launch_history.h"
#include "detector/clocks/local_times.h"
#include "detector/clocks/proxy_order.h"
#include "detector/detector.h"
#include "detector/inference/lock_groups.h"
#include "detector/options.h"
#include "detector/race_log.h"

namespace ambit::detector {

/// Base class of the detectors that have a vector clock for each thread. Holds the common state and passes actions to
/// the functions of the derived class `Self`. `Clocks` is PlainClocks, CompressedClocks or PatchedClocks; the choice
/// does not change the races found. `History` is AccessHistory or, for launches, LaunchHistory. In a launch, the lanes
/// of a warp access memory together (runner/shadow).
template <typename Self, typename Clocks, typename History>
class ClockDetector : public Detector {
 public:
  void on(const Observation& observation) override { apply(observation.actions, observation.inference); }
  void finish(std::span<const Action> rest, const SyncInference& inference) override { apply(rest, inference); }
  std::vector<RaceReport> races() const override { return log_.reports(); }
  SyncInference::Rules rules() const override { return rules_; }
  // Compressed clocks find a component by the thread's place. An asynchronous operation has the place of its issuer, so
  // the operation and its issuer would have the same component.
  bool orders_operations() const override { return !Clocks::kCompresses; }
  void apply(std::span<const Action> actions, const SyncInference& inference) {
    alike_warp_ = kNoName;
    for (std::size_t i = 0; i < actions.size();) {
      if (!actions[i].is_of_warp) {
        apply(actions[i++], inference);
        continue;
      }
      if (actions[i].kind == ActionKind::AddToMark) {  // AddToMark needs no begin_warp(), because no lane acts
        for (std::uint32_t lane = 0; lane < 32; ++lane) self().add_to_mark(actions[i].of_lane(lane));
        ++i;
        continue;
      }
      const std::size_t begin = i;
      const auto is_one = [&] {
        const ActionKind kind = actions[i].kind;
        return actions[i].is_of_warp && kind != ActionKind::Mark && kind != ActionKind::AddToMark;
      };
      while (i < actions.size() && is_one()) ++i;
      begin_warp(actions[begin].thread);
      if (i != begin) {
        apply_of_warp(actions.subspan(begin, i - begin), inference);
      } else {
        self().mark_warp(actions[i].thread, actions[i].object);
        ++i;
      }
    }
  }
  /// Checks accesses of lanes of a warp, one after the other, to one word that is not a lock. Only for LaunchHistory.
  /// The accesses must not synchronise, the lanes must hold no locks, and begin_lanes() must have been called.
  /// `context` is the site's context in the history. For reports, `location()` returns the number of the word's
  /// location.
  template <typename Location>
  void access_word(WordRecord& record, std::uint32_t warp, std::uint32_t lanes, AccessKind kind, std::uint32_t site,
                   std::uint32_t context, const SyncInference& inference, const Location& location) {
    std::uint32_t thread = 0;
    bool has_found = false;
    const auto found = [&](const RaceSide& first) {
      if (is_observed(first, is_atomic(kind), record, location(), self().past(thread), inference)) return;
      has_found = true;
      RaceSide second;
      second.thread = thread;
      second.site = site;
      second.is_write = is_write(kind);
      second.is_atomic = is_atomic(kind);
      second.scope = scope_of(kind);
      log_.add(first, second, location(), inference);
    };
    const bool are_equal = (lanes & (lanes - 1)) != 0 && times_.are_lanes_equal(warp, lanes);
    std::uint32_t shown = 0;
    for (std::uint32_t rest = lanes; rest != 0;) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      thread = warp + lane;
      const Epoch now = times_.now(thread);
      if (history_.check(record, kind, warp, lane, now, context, self().past(thread), found)) ++shown;
      rest &= rest - 1;
      if (rest == 0 || !are_equal) continue;
      if (history_.join(record, rest)) return;
      const bool is_shown = shown == History::kLanesThatShow && !has_found;
      if (is_shown && lanes_have_same_past(warp, lanes) && history_.repeat(record, rest)) return;
    }
  }
  /// Like access_word(), for all lanes of a warp; the first lane accesses word `offset` of the line. Returns false if
  /// the caller must check the words one by one.
  bool access_run(LineRecord& line, int offset, std::uint32_t warp, AccessKind kind, std::uint32_t site) {
    if (alike_warp_ != warp) {
      begin_warp(warp);
      if (!times_.are_lanes_equal(warp) || !lanes_have_same_past(warp)) return false;
      alike_warp_ = warp;
    }
    const LineRecord::Run made{warp, times_.now(warp), history_.context_of(site), static_cast<std::int16_t>(offset),
                               kind};
    return history_.check_run(line, made, self().past(warp));
  }
  /// Must be called before the lanes of a warp act.
  void begin_lanes(std::uint32_t warp, std::uint32_t lanes) {
    reserve(warp + 31 - static_cast<std::uint32_t>(std::countl_zero(lanes)));
    times_.begin_lanes(warp, lanes);
  }
  /// Gives the clocks a hint: while `acts` is true, the lanes of one warp act one after the other, mostly in the same
  /// way.
  void set_acting_as_warp(bool acts) { clocks_.set_acting_as_warp(acts); }
  History& history() { return history_; }
  /// Must be called after the thread has exited and can no longer be included in a barrier.
  void retire(std::uint32_t thread) {
    alike_warp_ = kNoName;
    if (thread >= self().threads_.size()) return;
    self().act_alone(thread);
    self().forget(thread);
  }

 protected:
  template <typename... More>
  ClockDetector(const TraceTables& tables, Overlap overlap, bool polling_acquires, SyncInference::Rules rules,
                More&... more)
      : tables_(tables),
        polling_acquires_(polling_acquires),
        rules_(rules),
        clocks_(tables),
        groups_(tables, overlap),
        times_(tables),
        history_(tables, more...),
        log_(tables) {}

  void begin(std::uint32_t thread) {
    reserve(thread);
    if (times_.is_idle(thread)) times_.begin(thread);
  }
  void reserve(std::uint32_t thread) {
    if (thread >= self().threads_.size()) [[unlikely]] {
      add_threads(thread);
    }
  }
  /// This function is not inline, so that reserve() is short enough to be inlined.
  [[gnu::noinline, gnu::cold]] void add_threads(std::uint32_t thread) {
    auto& threads = self().threads_;
    if constexpr (std::is_same_v<History, LaunchHistory>) {
      // Grow in large steps. Do not reserve space for all threads of the launch, because many threads may never act.
      const LaunchGeometry& launch = tables_.launch;
      const std::uint64_t all = launch.blocks() * launch.threads_per_block();
      if (thread >= threads.capacity()) threads.reserve(std::min<std::uint64_t>(all, 4 * (thread + 4096ULL)));
    }
    threads.resize(std::max<std::size_t>(thread + 1, tables_.threads().size()));
    clocks_.reserve_threads(threads.size());
    times_.reserve_threads(threads.size());
  }
  /// Like begin(), for all threads of the warp whose first thread is given.
  void begin_warp(std::uint32_t first) {
    reserve(first + 31);
    times_.begin_lanes(first, ~0U);
  }
  /// Like begin(), for each member of a barrier.
  void begin_members(std::span<const std::uint32_t> members) {
    for (std::size_t i = 0; i < members.size();) {
      if constexpr (std::is_same_v<History, LaunchHistory>) {
        // The threads of a warp have consecutive numbers.
        const bool is_warp = i + 32 <= members.size() && members[i + 31] == members[i] + 31 &&
                             tables_.threads()[members[i]].place.lane == 0;
        if (is_warp) {
          begin_warp(members[i]);
          i += 32;
          continue;
        }
      }
      begin(members[i++]);
    }
  }
  /// Calls `use` with the clocks of the threads, once for consecutive threads with the same clock. If all lanes of a
  /// warp share a clock with lane-relative entries, `use` gets the unchanged clock. Otherwise `use` gets the
  /// lane_independent() copy of the clock.
  template <typename ClockOf, typename Use>
  void visit_clocks(std::span<const std::uint32_t> threads, const ClockOf& clock_of, const Use& use) {
    ClockId last = Clocks::kZero;
    for (std::size_t i = 0; i < threads.size();) {
      const ClockId clock = clock_of(threads[i]);
      if (clock == last || !clocks_.has_lanes(clock)) {
        if (clock != last) use(clock);
        last = clock;
        ++i;
        continue;
      }
      std::size_t same = clocks_.lane_of(threads[i]) == 0 ? 1 : 32;
      while (same < 32 && i + same < threads.size() && threads[i + same] == threads[i] + same &&
             clock_of(threads[i + same]) == clock) {
        ++same;
      }
      if (same == 32 && clocks_.lane_of(threads[i]) == 0) {
        use(clock);
        i += 32;
        continue;
      }
      const ClockId own = clocks_.lane_independent(clocks_.retain(clock), threads[i++]);
      use(own);
      clocks_.release(own);
    }
  }
  /// Sets the clock of each thread to `clock`. `clock_of` returns a reference to a thread's clock.
  template <typename ClockOf>
  void set_clocks(std::span<const std::uint32_t> threads, ClockId clock, const ClockOf& clock_of) {
    std::uint32_t changed = 0;
    for (std::size_t i = 0; i < threads.size();) {
      const ClockId old = clock_of(threads[i]);
      std::uint32_t same = 0;
      for (; i < threads.size() && clock_of(threads[i]) == old; ++i, ++same) clock_of(threads[i]) = clock;
      if (old == clock) continue;
      clocks_.release(old, same);
      changed += same;
    }
    clocks_.retain(clock, changed);
  }
  /// Returns whether all lanes of the warp with the given first thread have the same past.
  bool lanes_have_same_past(std::uint32_t warp) {
    return self().lanes_share_clock(warp) && !clocks_.has_lanes(self().past(warp).clock);
  }
  /// Like the overload above, for some lanes of a warp.
  bool lanes_have_same_past(std::uint32_t warp, std::uint32_t lanes) {
    const auto clock_of = [&](std::uint32_t among) {
      return self().past(warp + static_cast<std::uint32_t>(std::countr_zero(among))).clock;
    };
    const ClockId clock = clock_of(lanes);
    for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1) {
      if (clock_of(lanes) != clock) return false;
    }
    return !clocks_.has_lanes(clock);
  }
  void tick(std::uint32_t thread) {
    times_.tick(thread);
    ++self().threads_[thread].version;
  }
  /// Reports each conflicting earlier access that is not in `past`, and records the access.
  void check(const Action& action, const Past<Clocks>& past, const SyncInference& inference) {
    const auto found = [&](const RaceSide& first) {
      if (!action.is_operation && is_observed(first, action.is_atomic, action.object, action.object, past, inference))
        return;
      log_.add(first, RaceSide::of(action), action.object, inference);
    };
    const Epoch now = times_.now(action.thread);
    if (action.is_operation) return check_operation(action, past, found);
    if constexpr (std::is_same_v<History, LaunchHistory>) {
      const auto lane = static_cast<std::uint32_t>(tables_.threads()[action.thread].place.lane);
      history_.check(action, action.thread - lane, past, now, found);
    } else {
      history_.check(action, past, now, self().threads_[action.thread].version, found);
    }
  }

  /// Returns whether the earlier access `before` is an atomic write that a read in `past` has observed. `past` is the
  /// past of the current access. `is_atomic` says whether the current access is atomic. `record` is the location's
  /// record in the history.
  template <typename Record>
  bool is_observed(const RaceSide& before, bool is_atomic, const Record& record, std::uint32_t location,
                   const Past<Clocks>& past, const SyncInference& inference) {
    if (!before.is_write || !before.is_atomic) return false;
    // An atomic access may itself be the read that observed the write.
    const bool counts_own = !is_atomic || inference.looks_at(past.thread, location);
    const auto has_observed = [&](std::uint32_t thread) {
      return inference.has_observed(thread, location, before.thread, before.scope);
    };
    if (counts_own && has_observed(past.thread)) return true;
    return history_.has_atomic(record, [&](std::uint32_t thread, Epoch read) {
      return thread != before.thread && thread != past.thread && has_observed(thread) && past.contains(thread, read) &&
             past.contains(thread, history_.last_atomic(record, thread));
    });
  }

  /// Like check(), for an access by an asynchronous operation. A proxy fence must separate an earlier generic access
  /// from an access by the async proxy.
  template <typename Found>
  void check_operation(const Action& action, const Past<Clocks>& past, const Found& found) {
    if constexpr (!std::is_same_v<History, LaunchHistory>) {
      const auto is_in_past = [&](std::uint32_t thread, Epoch epoch, bool is_async) {
        if (!past.contains(thread, epoch)) return false;
        return !action.is_async || is_async || proxies_.is_fenced(action.thread, action.spaces, thread, epoch);
      };
      const Epoch writes = times_.now(action.thread);
      history_.check_operation(action, is_in_past, action.is_write ? writes : writes - 1, found);
    }
  }

  const TraceTables& tables_;
  std::uint32_t alike_warp_ = kNoName;  ///< warp whose lanes have begun and have had equal clocks since the last action
  bool polling_acquires_;
  SyncInference::Rules rules_;
  bool has_forks_ = false;
  ProxyOrder proxies_;
  Clocks clocks_;
  LockGroups groups_;
  LocalTimes times_;
  History history_;
  RaceLog log_;

 private:
  Self& self() { return static_cast<Self&>(*this); }

  /// Applies actions of one warp. The actions must not use marks.
  void apply_of_warp(std::span<const Action> actions, const SyncInference& inference) {
    if constexpr (std::is_same_v<History, LaunchHistory>) {
      if (actions.size() == 1 && actions.front().kind == ActionKind::Access) {
        return access_of_warp(actions.front(), inference);
      }
    }
    if (std::ranges::find(actions, ActionKind::Access, &Action::kind) != actions.end()) {
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        for (const Action& action : actions) apply(action.of_lane(lane), inference);
      }
      return;
    }
    // Actions without accesses cause no reports, so the order of the lanes is irrelevant.
    for (const Action& action : actions) {
      if (self().act_alike(action)) continue;
      for (std::uint32_t lane = 0; lane < 32; ++lane) apply(action.of_lane(lane), inference);
    }
  }
  /// Applies a warp's accesses to 32 consecutive locations.
  void access_of_warp(const Action& action, const SyncInference& inference) {
    const std::uint32_t warp = action.thread;
    if (!self().begin_access_alike(action)) {
      self().act_alone(warp);
      for (std::uint32_t lane = 0; lane < 32; ++lane) self().begin_access(action.of_lane(lane));
    }
    std::uint32_t left = ~0U;
    if (times_.are_lanes_equal(warp)) {
      LineRecord::Run made{warp, times_.now(warp), history_.context_of(action), 0, kind_of(action)};
      const bool share_clock = self().lanes_share_clock(warp);
      const bool are_alike = lanes_have_same_past(warp);
      left = history_.records().visit_run(action.object, [&](LineRecord& line, int offset) {
        made.offset = static_cast<std::int16_t>(offset);
        if (are_alike) return history_.check_run(line, made, self().past(warp));
        const auto past_of = [&](std::uint32_t lane) { return self().past(warp + lane); };
        return history_.check_lanes(line, made, past_of, share_clock);
      });
    }
    for (; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      check(action.of_lane(lane), self().past(warp + lane), inference);
    }
  }

  void apply(const Action& action, const SyncInference& inference) {
    const bool is_of_marks = action.kind == ActionKind::DropMark || action.kind == ActionKind::AddToMark;
    if (!is_of_marks && action.kind != ActionKind::Barrier) {
      begin(action.thread);
      self().act_alone(action.thread);
    }
    if (proxies_.is_active()) proxies_.on(action, inference, polling_acquires_);
    switch (action.kind) {
      case ActionKind::Access: self().access(action, inference); break;
      case ActionKind::Acquire: self().acquire(action); break;
      case ActionKind::Release: self().release(action); break;
      case ActionKind::Abandon: self().abandon(action); break;
      case ActionKind::Mark: self().mark(action.thread, action.object); break;
      case ActionKind::DropMark: self().drop_mark(action.object); break;
      case ActionKind::AddToMark: self().add_to_mark(action); break;
      case ActionKind::Edge:
        if (!action.is_polled || polling_acquires_) self().edge(action);
        break;
      case ActionKind::Barrier: self().barrier(inference.completions()[action.object]); break;
      case ActionKind::Fork:
        has_forks_ = true;
        begin(action.object);
        self().fork(action.thread, action.object);
        tick(action.thread);
        break;
      case ActionKind::Join:
        begin(action.object);
        self().join(action.thread, action.object);
        break;
      case ActionKind::Exit: self().exit(action.thread); break;
      case ActionKind::Issue:
        times_.tick(action.thread);  // the operation's reads have local time now() - 1; its writes have now()
        self().edge(action);
        break;
      case ActionKind::MarkOperation:
        self().mark_operation(action.thread, action.object, times_.now(action.thread) - (action.is_write ? 0 : 1));
        break;
      case ActionKind::ProxyFence:
        proxies_.fence(action.thread, action.spaces, tables_.threads().size(),
                       [&](std::uint32_t thread) { return self().known_of(action.thread, thread); });
        tick(action.thread);
        break;
    }
  }
};

/// Makes D<PlainClocks> or D<CompressedClocks>, depending on `options.compresses`.
template <template <typename...> typename D, typename Options>
MakeDetector clock_maker(const OptionTable<Options>& table) {
  return [table](const TraceTables& tables, const GivenOptions& given) -> std::unique_ptr<Detector> {
    const Options options = table.read(given);
    if (options.compresses) return std::make_unique<D<CompressedClocks>>(tables, options);
    return std::make_unique<D<PlainClocks>>(tables, options);
  };
}
/// Adds the options that all detectors with clocks share.
template <typename Options>
OptionTable<Options>& add_clock_options(OptionTable<Options>& table) {
  return table
      .yes_or_no("polling", &Options::polling_acquires,
                 "a read-modify-write that polls a flag acquires without a fence, as in ScoR")
      .choice("clocks", &Options::compresses, {{"plain", false}, {"compressed", true}},
              "clocks as arrays, or compressed by block and warp: slow for few threads, needed for a million threads")
      .choice("rules", &Options::rules, {{"papers", SyncInference::Rules::Papers}, {"ptx", SyncInference::Rules::Ptx}},
              "rules of the papers, or of PTX: volatile accesses are relaxed, and reads observe writes");
}

}  // namespace ambit::detector
