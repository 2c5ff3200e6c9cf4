#include "report/draw/trace_timeline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>

#include "base/plural.h"
#include "detector/algorithms/happens_before.h"
#include "detector/detector.h"

namespace ambit::report {
namespace {

using detector::Action;
using detector::ActionKind;
using detector::Observation;

/// Numbers of rows to keep before and after each access of a race.
constexpr std::size_t kBefore = 16;
constexpr std::size_t kAfter = 6;
/// If the number of sections or edges reaches this limit, sections and edges without a row are removed.
constexpr std::size_t kMany = 4096;

/// Reads the trace once and keeps the rows to draw.
class TimelineRecorder : public detector::Detector {
 public:
  TimelineRecorder(const TraceTables& tables, std::uint64_t events, const std::vector<RaceReport>& races,
                   const TimelineOptions& options)
      : tables_(tables), options_(options), is_short_(events <= kShortTrace) {
    timeline_.races.assign(races.begin(),
                           races.begin() + static_cast<std::ptrdiff_t>(std::min(races.size(), kMostRaces)));
    timeline_.more_races = races.size() - timeline_.races.size();
    timeline_.events = events;
    timeline_.has_clocks = options.clocks;
    for (const RaceReport& race : timeline_.races) {
      for (const RaceAccess* access : {&race.first, &race.second}) {
        if (access->event != RaceAccess::kNoEvent) anchors_.insert(access->event);
        if (access->thread != kNoName) racing_.insert(access->thread);
      }
    }
    if (options.clocks) clocks_ = std::make_unique<detector::HappensBefore<detector::PlainClocks>>(tables);
  }

  void on(const Observation& observation) override {
    if (clocks_) clocks_->on(observation);
    now_ = observation.number;
    for (const Action& action : observation.actions) note(action, observation.inference);
    const TraceEvent& event = observation.event;
    if (options_.events && !is_in_window(observation.number)) {
      ++skipped_;
      return;
    }
    if (!decide(event.thread)) {
      ++timeline_.other_events;
      return;
    }
    TimelineRow row;
    row.number = observation.number;
    row.event = event;
    if (clocks_) row.clock = clocks_->clock_of(event.thread);
    add(std::move(row));
  }

  void finish(std::span<const Action> rest, const detector::SyncInference& inference) override {
    for (const Action& action : rest) note(action, inference);
    timeline_.skipped_after = skipped_ + pending_.size();
    pending_.clear();
    for (const auto& [key, section] : open_) timeline_.sections.push_back(section);
    timeline_.tables = tables_;
    timeline_.other_threads = static_cast<std::uint32_t>(std::count(columns_.begin(), columns_.end(), Column::No));
    prune(~std::uint64_t{0});
    std::erase_if(timeline_.sections, [&](const TimelineSection& section) { return !is_drawn(section.thread); });
    timeline_.edges.assign(edges_.begin(), edges_.end());
  }

  std::vector<RaceReport> races() const override { return {}; }
  Timeline take() { return std::move(timeline_); }

 private:
  enum class Column : std::uint8_t { Undecided, No, Yes };

  bool is_in_window(std::uint64_t number) const {
    return number >= options_.events->first && number <= options_.events->second;
  }

  bool is_drawn(std::uint32_t thread) const { return thread < columns_.size() && columns_[thread] == Column::Yes; }

  /// Returns whether a thread has a column. The first call for a thread, at the thread's first event, assigns a column
  /// if a column is free.
  bool decide(std::uint32_t thread) {
    if (thread >= columns_.size()) columns_.resize(thread + 1, Column::Undecided);
    if (columns_[thread] == Column::Undecided) columns_[thread] = wants(thread) ? Column::Yes : Column::No;
    return columns_[thread] == Column::Yes;
  }

  bool wants(std::uint32_t thread) const {
    if (!options_.threads.empty()) {
      const std::string& name = tables_.threads()[thread].name;
      return std::find(options_.threads.begin(), options_.threads.end(), name) != options_.threads.end();
    }
    if (racing_.contains(thread)) return true;
    if (!is_short_ && !anchors_.empty() && !options_.events) return false;
    std::size_t others = 0;
    for (std::uint32_t t = 0; t < columns_.size(); ++t) others += is_drawn(t) && !racing_.contains(t) ? 1 : 0;
    return others + racing_.size() < kMostThreads;
  }

  void note(const Action& action, const detector::SyncInference& inference) {
    switch (action.kind) {
      case ActionKind::Acquire:
        if (action.is_widening) {
          open_[{action.thread, action.object}].scope = action.scope;
        } else {
          open_[{action.thread, action.object}] = {action.thread, action.object, action.scope, action.event, {}};
        }
        break;
      case ActionKind::Release:
      case ActionKind::Abandon: close(action); break;
      case ActionKind::Mark: marks_[action.object] = action.event; break;
      case ActionKind::DropMark: marks_.erase(action.object); break;
      case ActionKind::AddToMark: {  // a combined mark keeps only the latest event
        const auto added = marks_.find(action.added);
        std::uint64_t& joined = marks_[action.object];
        if (action.is_first) joined = 0;
        if (added != marks_.end()) joined = std::max(joined, added->second);
        break;
      }
      case ActionKind::Edge:
        if (const auto mark = marks_.find(action.object); mark != marks_.end()) {
          edge(mark->second, action);
          if (edges_.size() % kMany == 0) prune(horizon());
        }
        break;
      case ActionKind::Barrier: barrier(inference.completions()[action.object], action.event); break;
      default: break;
    }
  }

  /// Adds an edge. If a fence after a read-modify-write has the same edge, omits the edge of the read-modify-write.
  void edge(std::uint64_t from, const Action& action) {
    const std::pair key(from, action.thread);
    if (const auto polled = polled_.find(key); polled != polled_.end()) {
      edges_.erase({from, polled->second});
      polled_.erase(polled);
    }
    if (action.is_polled) polled_.emplace(key, action.event);
    edges_.insert({from, action.event});
  }

  void close(const Action& action) {
    const auto found = open_.find({action.thread, action.object});
    if (found == open_.end()) return;
    found->second.end = action.event;
    timeline_.sections.push_back(found->second);
    open_.erase(found);
    if (timeline_.sections.size() % kMany == 0) prune(horizon());
  }

  void barrier(const BarrierTracker::Completion& done, std::uint64_t event) {
    const auto is_here = [&](std::uint32_t thread) { return is_drawn(thread); };
    if (options_.events && !is_in_window(event)) return;
    if (!std::any_of(done.waiting.begin(), done.waiting.end(), is_here)) return;
    TimelineRow row;
    row.number = event;
    row.barrier = done;
    add(std::move(row));
  }

  void add(TimelineRow row) {
    if (is_wanted(row)) {
      while (!pending_.empty()) {
        commit(std::move(pending_.front()));
        pending_.pop_front();
      }
      commit(std::move(row));
      return;
    }
    pending_.push_back(std::move(row));
    const std::size_t most = options_.events || anchors_.empty() ? 0 : kBefore;
    if (pending_.size() > most) {
      pending_.pop_front();
      ++skipped_;
    }
  }

  bool is_wanted(const TimelineRow& row) {
    if (options_.events) return is_in_window(row.number);
    if (is_short_ || anchors_.empty()) return timeline_.rows.size() < kShortTrace;
    if (!row.barrier && anchors_.contains(row.number)) {
      after_ = kAfter;
      return true;
    }
    if (after_ == 0) return false;
    --after_;
    return true;
  }

  void commit(TimelineRow row) {
    if (timeline_.rows.size() >= kMostRows) {
      ++skipped_;
      return;
    }
    row.skipped = std::exchange(skipped_, 0);
    timeline_.rows.push_back(std::move(row));
  }

  /// Returns the first event that may still get a row. No earlier event will get a row.
  std::uint64_t horizon() const { return pending_.empty() ? now_ : pending_.front().number; }

  /// Removes sections and edges whose events have no rows.
  void prune(std::uint64_t horizon) {
    const std::vector<TimelineRow>& rows = timeline_.rows;
    const auto row_from = [&](std::uint64_t number) {
      return std::lower_bound(rows.begin(), rows.end(), number,
                              [](const TimelineRow& row, std::uint64_t other) { return row.number < other; });
    };
    const auto is_lost = [&](std::uint64_t number) {
      if (number >= horizon) return false;
      const auto row = row_from(number);
      return std::none_of(row, rows.end() - row > 1 ? row + 2 : rows.end(),
                          [&](const TimelineRow& one) { return !one.barrier && one.number == number; });
    };
    std::erase_if(timeline_.sections, [&](const TimelineSection& section) {
      if (!section.end || *section.end >= horizon) return false;
      const auto row = row_from(section.begin);
      return row == rows.end() || row->number > *section.end;
    });
    std::erase_if(edges_, [&](const auto& edge) { return is_lost(edge.first) || is_lost(edge.second); });
    std::erase_if(polled_, [&](const auto& edge) { return is_lost(edge.first.first) || is_lost(edge.second); });
  }

  const TraceTables& tables_;
  const TimelineOptions& options_;
  bool is_short_;
  std::unique_ptr<detector::HappensBefore<detector::PlainClocks>> clocks_;
  Timeline timeline_;
  std::set<std::uint64_t> anchors_;
  std::set<std::uint32_t> racing_;
  std::vector<Column> columns_;                                              ///< indexed by thread
  std::map<std::pair<std::uint32_t, std::uint32_t>, TimelineSection> open_;  ///< indexed by thread and lock
  std::map<std::uint32_t, std::uint64_t> marks_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> edges_;
  /// Maps a mark and a thread that reads the mark to the event at which their edge ends.
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t> polled_;
  std::deque<TimelineRow> pending_;  ///< rows to keep only if an access of a race follows soon
  std::uint64_t now_ = 0;
  std::uint64_t skipped_ = 0;
  std::size_t after_ = 0;
};

/// Returns a text such as "its threads are P0, P1". If there are many threads, names the first and counts the others.
std::string threads_of(const TraceTables& tables) {
  constexpr std::size_t kMost = 20;
  std::vector<std::string> names;
  for (const auto& thread : tables.threads()) names.push_back(thread.name);
  if (names.size() > kMost) {
    const std::size_t rest = names.size() - kMost;
    names.resize(kMost);
    names.push_back(fmt::format("and {} more", rest));
  }
  return fmt::format("its threads are {}", fmt::join(names, ", "));
}

}  // namespace

std::optional<RaceReport> first_drawable(const std::vector<RaceReport>& races) {
  const auto found = std::find_if(races.begin(), races.end(), [](const RaceReport& race) {
    return race.first.event != RaceAccess::kNoEvent && race.second.event != RaceAccess::kNoEvent;
  });
  return found == races.end() ? std::nullopt : std::optional(*found);
}

Result<Timeline> read_timeline(TraceReader& reader, std::uint64_t events, const std::vector<RaceReport>& races,
                               const TimelineOptions& options) {
  auto made = std::make_unique<TimelineRecorder>(reader.tables(), events, races, options);
  TimelineRecorder& recorder = *made;
  std::vector<std::unique_ptr<detector::Detector>> detectors;
  detectors.push_back(std::move(made));
  const auto replayed = detector::replay(reader, detectors);
  if (!replayed.ok()) return replayed.errors();
  for (const std::string& name : options.threads) {
    if (!reader.tables().find_thread(name)) {
      return Diagnostic{nullptr, {}, "the trace has no thread '" + name + "'", threads_of(reader.tables())};
    }
  }
  if (options.events && options.events->first >= events) {
    const std::string numbers = events == 0 ? "" : fmt::format(", numbered 0 to {}", events - 1);
    return Diagnostic{nullptr,
                      {},
                      fmt::format("--events: the trace has {}{}, but no event {}", plural(events, "event"), numbers,
                                  options.events->first),
                      "give a range within"};
  }
  return recorder.take();
}

}  // namespace ambit::report
