#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "base/plural.h"
#include "core/ptx_mapping.h"
#include "report/draw/drawing.h"
#include "report/draw/trace_timeline.h"
#include "report/draw/trace_timeline_words.h"
#include "report/text/explain_text.h"

namespace ambit::report {
namespace {

constexpr double kEventBoxHeight = 30;
constexpr double kEventRow = 42;
constexpr double kBarrierRow = 40;
constexpr double kGapRow = 24;
constexpr double kBar = 7;   ///< width of a critical section's bar
constexpr double kLane = 9;  ///< distance between parallel vertical lines
constexpr double kSide = 14;
constexpr std::size_t kManyRows = 25;  ///< if there are more rows, the thread names are repeated below the last row
/// Colours of critical sections. The colours are light and differ in brightness. A text next to each section's bar
/// names the lock, so readers do not depend on colours.
constexpr std::array<std::string_view, 5> kSections = {"#E69F00", "#56B4E9", "#009E73", "#CC79A7", "#F0E442"};

/// A line from one event to another. The line runs along the row of the first event, then down next to the second
/// thread, then into the row of the second event.
struct Route {
  std::size_t from_row = 0;
  std::size_t to_row = 0;
  std::size_t from = 0;  ///< index of the first event's column
  std::size_t to = 0;
  ArrowKind kind = ArrowKind::Named;
  std::string label;
  std::size_t lane = 0;
  bool comes_from_left() const { return from < to; }
};

struct ThreadColumn {
  std::uint32_t thread = 0;
  double x = 0;           ///< horizontal middle of the thread's events, in points
  double width = 0;       ///< width of the thread's widest event
  double bars = 0;        ///< space to the left of the events for critical sections and their names
  std::size_t depth = 0;  ///< maximum number of critical sections side by side
  double left_lanes = 0;  ///< space to the left of `bars` for lines
  double right_lanes = 0;
};

/// A critical section, drawn as a bar over a range of rows.
struct Bar {
  const TimelineSection* section = nullptr;
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t depth = 0;  ///< number of the thread's sections that contain this section
  bool is_cut = false;    ///< whether the section begins before the drawn rows
};

class TimelineLayouter {
 public:
  explicit TimelineLayouter(const Timeline& timeline) : timeline_(timeline), tables_(timeline.tables) {}

  Drawing draw() {
    find_file();
    make_columns();
    widen_for_barriers();
    place_rows();
    make_bars();
    make_routes();
    place_columns();
    place_groups();
    place_lifelines();
    place_bars();
    for (std::size_t row = 0; row < timeline_.rows.size(); ++row) place_row(row);
    place_gap(timeline_.skipped_after, bottom_ + kGapRow / 2);
    for (std::size_t i = 0; i < routes_.size(); ++i) place_route(i);
    drawing_.layout.bound();
    drawing_.title = timeline_.title;
    drawing_.is_straight = true;
    legend();
    notes();
    return std::move(drawing_);
  }

 private:
  const ThreadPlace& place(const ThreadColumn& column) const { return tables_.threads()[column.thread].place; }

  void make_columns() {
    for (const TimelineRow& row : timeline_.rows) {
      if (row.barrier || column_of_.contains(row.event.thread)) continue;
      column_of_[row.event.thread] = 0;
      columns_.push_back({row.event.thread});
    }
    std::sort(columns_.begin(), columns_.end(), [&](const ThreadColumn& a, const ThreadColumn& b) {
      const auto key = [&](const ThreadColumn& column) {
        const ThreadPlace& p = place(column);
        return std::tuple(p.gpu, p.cluster, p.block, p.warp, p.lane, column.thread);
      };
      return key(a) < key(b);
    });
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      column_of_[columns_[c].thread] = c;
      columns_[c].width = text_width(name_of(columns_[c]));
    }
    for (const TimelineRow& row : timeline_.rows) {
      if (row.barrier) continue;
      ThreadColumn& column = columns_[column_of_.at(row.event.thread)];
      column.width = std::max(column.width, text_width(text_of(row)));
    }
  }

  /// Widens columns so that a barrier's line is at least as long as the text below the line.
  void widen_for_barriers() {
    for (const TimelineRow& row : timeline_.rows) {
      if (!row.barrier) continue;
      const auto [first, last] = span_of(*row.barrier);
      if (first > last) continue;
      const double share = text_width(barrier_text(*row.barrier, tables_)) / static_cast<double>(last - first + 1);
      for (std::size_t c = first; c <= last; ++c) columns_[c].width = std::max(columns_[c].width, share);
    }
  }

  static bool is_in(const std::vector<std::uint32_t>& threads, std::uint32_t thread) {
    return std::find(threads.begin(), threads.end(), thread) != threads.end();
  }

  /// Returns the indices of the first and the last column of threads that meet at a barrier. If no thread at the
  /// barrier has a column, the first index is larger than the last index.
  std::pair<std::size_t, std::size_t> span_of(const BarrierTracker::Completion& done) const {
    std::pair<std::size_t, std::size_t> span(columns_.size(), 0);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (!is_in(done.waiting, columns_[c].thread) && !is_in(done.arrived_only, columns_[c].thread)) continue;
      span.first = std::min(span.first, c);
      span.second = c;
    }
    return span;
  }

  std::string name_of(const ThreadColumn& column) const { return tables_.threads()[column.thread].name; }

  std::string text_of(const TimelineRow& row) const {
    std::string text = trace_event_text(row.event, tables_);
    if (row.event.site != kNoName) text += "\n" + place_text(tables_.sites()[row.event.site]);
    if (row.clock.empty()) return text;
    std::vector<std::uint32_t> clock;
    for (const ThreadColumn& column : columns_) {
      clock.push_back(column.thread < row.clock.size() ? row.clock[column.thread] : 0);
    }
    return text + fmt::format("\n({})", fmt::join(clock, " "));
  }

  /// Returns the place of an event. If all places are in one file, returns "line 9" (the notes name the file);
  /// otherwise, returns the place without folders.
  std::string place_text(std::string_view site) const {
    if (!file_.empty()) return fmt::format("line {}", site.substr(file_.size() + 1));
    const std::size_t slash = site.rfind('/');
    return std::string(slash == std::string_view::npos ? site : site.substr(slash + 1));
  }

  /// Sets file_ if all drawn places are in the same file and have the form "file:line".
  void find_file() {
    for (const TimelineRow& row : timeline_.rows) {
      if (row.barrier || row.event.site == kNoName) continue;
      const std::string_view site = tables_.sites()[row.event.site];
      const std::size_t colon = site.find(':');
      const bool is_line = colon != std::string_view::npos && colon + 1 < site.size() &&
                           site.find_first_not_of("0123456789:", colon) == std::string_view::npos;
      if (!is_line || (!file_.empty() && file_ != site.substr(0, colon))) {
        file_.clear();
        return;
      }
      file_ = site.substr(0, colon);
    }
  }

  double event_height() const { return timeline_.has_clocks ? kEventBoxHeight + 11 : kEventBoxHeight; }

  void place_rows() {
    double y = -30;
    for (const TimelineRow& row : timeline_.rows) {
      if (row.skipped > 0) y -= kGapRow;
      const double height = row.barrier ? kBarrierRow : kEventRow + event_height() - kEventBoxHeight;
      rows_.push_back(y - height / 2);
      y -= height;
    }
    bottom_ = timeline_.skipped_after > 0 ? y - kGapRow : y;
  }

  /// Returns the first row of the event. If it has none, returns the first row of the next event with a row.
  std::size_t row_of(std::uint64_t number) const {
    const auto row = std::find_if(timeline_.rows.begin(), timeline_.rows.end(), [&](const TimelineRow& one) {
      return one.number > number || (one.number == number && !one.barrier);
    });
    return static_cast<std::size_t>(row - timeline_.rows.begin());
  }

  bool is_row(std::size_t row, std::uint64_t number) const {
    return row < timeline_.rows.size() && timeline_.rows[row].number == number && !timeline_.rows[row].barrier;
  }

  void make_bars() {
    for (const TimelineSection& section : timeline_.sections) {
      if (!column_of_.contains(section.thread)) continue;
      Bar bar{&section, row_of(section.begin), 0, 0, false};
      if (bar.first == timeline_.rows.size()) continue;
      bar.is_cut = !is_row(bar.first, section.begin);
      bar.last = timeline_.rows.size() - 1;
      if (section.end) {
        const std::size_t end = row_of(*section.end);
        if (!is_row(end, *section.end) && end == bar.first) continue;
        bar.last = is_row(end, *section.end) ? end : end - 1;
      }
      for (const Bar& other : bars_) {
        const bool is_around =
            other.section->thread == section.thread && other.first <= bar.last && bar.first <= other.last;
        if (is_around) bar.depth = std::max(bar.depth, other.depth + 1);
      }
      bars_.push_back(bar);
    }
    for (const Bar& bar : bars_) {
      ThreadColumn& column = columns_[column_of_.at(bar.section->thread)];
      column.depth = std::max(column.depth, bar.depth + 1);
      column.bars = std::max(column.bars, text_width(lock_name(bar)) - 12);
    }
    for (ThreadColumn& column : columns_) column.bars += column.depth > 0 ? bars_width(column.depth) : 0;
  }

  static double bars_width(std::size_t count) { return static_cast<double>(count) * (kBar + 5) + 2; }

  std::string lock_name(const Bar& bar) const {
    return fmt::format("{}.{}", tables_.locations()[bar.section->lock].name, ptx_scope(bar.section->scope));
  }

  void make_routes() {
    for (const auto& [from, to] : timeline_.edges) route(from, to, ArrowKind::Named, "");
    for (std::size_t i = 0; i < timeline_.races.size(); ++i) {
      const RaceReport& race = timeline_.races[i];
      const std::string label = timeline_.races.size() == 1 ? "race" : fmt::format("race {}", i + 1);
      route(race.first.event, race.second.event, ArrowKind::Race, label);
    }
    // Separates lines that reach the same thread from the same side.
    for (std::size_t i = 0; i < routes_.size(); ++i) {
      Route& route = routes_[i];
      while (std::any_of(routes_.begin(), routes_.begin() + static_cast<std::ptrdiff_t>(i), [&](const Route& other) {
        return other.to == route.to && other.comes_from_left() == route.comes_from_left() && other.lane == route.lane &&
               other.from_row <= route.to_row && route.from_row <= other.to_row;
      })) {
        ++route.lane;
      }
      ThreadColumn& column = columns_[route.to];
      double& lanes = route.comes_from_left() ? column.left_lanes : column.right_lanes;
      const double label = route.label.empty() ? 0 : text_width(route.label) / 2;
      lanes = std::max(lanes, static_cast<double>(route.lane + 1) * kLane + label);
    }
  }

  void route(std::uint64_t from, std::uint64_t to, ArrowKind kind, const std::string& label) {
    if (from == RaceAccess::kNoEvent || to == RaceAccess::kNoEvent) return;
    const std::size_t first = row_of(std::min(from, to));
    const std::size_t second = row_of(std::max(from, to));
    if (!is_row(first, std::min(from, to)) || !is_row(second, std::max(from, to))) return;
    const std::size_t a = column_of_.at(timeline_.rows[first].event.thread);
    const std::size_t b = column_of_.at(timeline_.rows[second].event.thread);
    if (a != b) routes_.push_back({first, second, a, b, kind, label});
  }

  void place_columns() {
    double x = 0;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      ThreadColumn& column = columns_[c];
      if (c > 0) {
        x += kSide;
        if (!same_instance(place(columns_[c - 1]), place(column), Scope::Block)) x += 2 * kSide;
        if (!same_instance(place(columns_[c - 1]), place(column), Scope::Device)) x += 2 * kSide;
      }
      x += column.left_lanes + column.bars;
      column.x = x + column.width / 2;
      x += column.width + column.right_lanes;
    }
  }

  static double left_of(const ThreadColumn& column) {
    return column.x - column.width / 2 - column.bars - column.left_lanes;
  }
  static double right_of(const ThreadColumn& column) { return column.x + column.width / 2 + column.right_lanes; }

  void place_groups() {
    const double names = timeline_.rows.size() > kManyRows ? 12 : 0;
    group(Scope::Device, 0, 58, 22 + names);
    group(Scope::Block, 2, 34, 10 + names);
  }

  void group(Scope scope, int depth, double top, double below) {
    const double side = depth == 2 ? 10 : 22;
    for (std::size_t first = 0; first < columns_.size();) {
      std::size_t last = first;
      while (last + 1 < columns_.size() && same_instance(place(columns_[first]), place(columns_[last + 1]), scope)) {
        ++last;
      }
      const ThreadPlace& at = place(columns_[first]);
      const std::string name =
          scope == Scope::Device ? fmt::format("gpu {}", at.gpu) : fmt::format("block {}", at.block);
      const double left = left_of(columns_[first]) - side;
      const double right = right_of(columns_[last]) + side;
      const double bottom = bottom_ - below;
      drawing_.layout.groups.push_back(
          {name, {(left + right) / 2, (top + bottom) / 2, right - left, top - bottom}, depth});
      first = last + 1;
    }
  }

  void place_lifelines() {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const ThreadColumn& column = columns_[c];
      add({fmt::format("t{}", c), {column.x, 0, column.width, 20}, name_of(column), PlacedNode::Look::Thread});
      add({fmt::format("life{}", c),
           {column.x, (bottom_ - 12) / 2, 1.2, -12 - bottom_},
           "",
           PlacedNode::Look::Lifeline});
      if (timeline_.rows.size() <= kManyRows) continue;
      add({fmt::format("u{}", c),
           {column.x, bottom_ - 6, column.width, 20},
           name_of(column),
           PlacedNode::Look::Thread});
    }
  }

  void place_bars() {
    std::map<std::uint32_t, std::size_t> locks;
    for (const Bar& bar : bars_) locks.emplace(bar.section->lock, locks.size());
    for (std::size_t i = 0; i < bars_.size(); ++i) {
      const Bar& bar = bars_[i];
      const ThreadColumn& column = columns_[column_of_.at(bar.section->thread)];
      const double x = column.x - column.width / 2 - bars_width(bar.depth + 1) + kBar / 2 + 1;
      const double half = event_height() / 2;
      const double top = bar.is_cut && bar.first == 0 ? -24 : rows_[bar.first] + half;
      const double bottom = bar.section->end ? rows_[bar.last] - half : bottom_;
      PlacedNode node{
          fmt::format("s{}", i), {x, (top + bottom) / 2, kBar, top - bottom}, "", PlacedNode::Look::Section};
      node.fill = kSections[locks.at(bar.section->lock) % kSections.size()];
      add(std::move(node));
      const std::string name = lock_name(bar);
      const double width = text_width(name) - 18;
      const double right = column.x - column.width / 2 - bars_width(column.depth) - 2;
      add({fmt::format("sn{}", i), {right - width / 2, top - 6, width, 12}, name, PlacedNode::Look::Small});
    }
  }

  void place_row(std::size_t index) {
    const TimelineRow& row = timeline_.rows[index];
    const double y = rows_[index];
    place_gap(row.skipped,
              y + (row.barrier ? kBarrierRow : kEventRow + event_height() - kEventBoxHeight) / 2 + kGapRow / 2);
    if (row.barrier) {
      place_barrier(index, *row.barrier, y);
      return;
    }
    const ThreadColumn& column = columns_[column_of_.at(row.event.thread)];
    const bool is_racing = std::any_of(timeline_.races.begin(), timeline_.races.end(), [&](const RaceReport& race) {
      return race.first.event == row.number || race.second.event == row.number;
    });
    const std::string text = text_of(row);
    add({fmt::format("e{}", row.number),
         {column.x, y, text_width(text), event_height()},
         text,
         is_racing ? PlacedNode::Look::Marked : PlacedNode::Look::Event});
    const std::string number = fmt::format("{}", row.number);
    const double width = text_width(number) - 8;
    add({fmt::format("n{}", row.number),
         {left_of(columns_.front()) - 30 - width / 2, y, width, 12},
         number,
         PlacedNode::Look::Small});
  }

  void place_gap(std::uint64_t skipped, double y) {
    if (skipped == 0 || columns_.empty()) return;
    const std::string text = fmt::format("... {} left out ...", plural(skipped, "event"));
    const double width = text_width(text);
    const double middle = (left_of(columns_.front()) + right_of(columns_.back())) / 2;
    add({fmt::format("gap{}", gaps_++), {middle, y, width, 16}, text, PlacedNode::Look::Initial});
  }

  void place_barrier(std::size_t index, const BarrierTracker::Completion& done, double y) {
    const auto [first, last] = span_of(done);
    if (first > last) return;
    const double line = y - 8;
    const std::string text = barrier_text(done, tables_);
    const double width = text_width(text) - 6;
    const double left = std::min(columns_[first].x - 30, (columns_[first].x + columns_[last].x - width) / 2);
    const double right = std::max(columns_[last].x + 30, (columns_[first].x + columns_[last].x + width) / 2);
    const double middle = (left + right) / 2;
    add({fmt::format("b{}", index), {middle, line, right - left, 3}, "", PlacedNode::Look::Meeting});
    for (std::size_t c = first; c <= last; ++c) {
      const bool waits = is_in(done.waiting, columns_[c].thread);
      if (!waits && !is_in(done.arrived_only, columns_[c].thread)) continue;
      add({fmt::format("m{}_{}", index, c),
           {columns_[c].x, line, 9, 9},
           "",
           waits ? PlacedNode::Look::Member : PlacedNode::Look::Arrival});
    }
    add({fmt::format("bn{}", index), {middle, y + 7, width, 14}, text, PlacedNode::Look::Caption});
  }

  void place_route(std::size_t index) {
    const Route& route = routes_[index];
    const ThreadColumn& to = columns_[route.to];
    const double from_y = rows_[route.from_row];
    const double to_y = rows_[route.to_row];
    const double lane = (static_cast<double>(route.lane) + 0.7) * kLane;
    const double x = route.comes_from_left() ? to.x - to.width / 2 - to.bars - lane : to.x + to.width / 2 + lane;
    const std::string a = fmt::format("r{}a", index);
    const std::string b = fmt::format("r{}b", index);
    add({a, {x, from_y, 0.1, 0.1}, "", PlacedNode::Look::Corner});
    add({b, {x, to_y, 0.1, 0.1}, "", PlacedNode::Look::Corner});
    const bool is_race = route.kind == ArrowKind::Race;
    const std::string from_event = fmt::format("e{}", timeline_.rows[route.from_row].number);
    const std::string to_event = fmt::format("e{}", timeline_.rows[route.to_row].number);
    line(from_event, a, route.kind, false);
    line(a, b, route.kind, false);
    line(b, to_event, route.kind, !is_race);
    if (route.label.empty()) return;
    // In the row of the first event, only the vertical lines of other threads are in the way.
    const double start = columns_[route.from].x;
    const double half = text_width(timeline_text_of(route.from_row)) / 2 * (start < x ? 1 : -1);
    const double width = text_width(route.label) - 8;
    const double middle = start + half + (start < x ? 1 : -1) * (width / 2 + 6);
    add({fmt::format("rl{}", index),
         {middle, from_y + 8, width, 14},
         route.label,
         PlacedNode::Look::Label,
         ArrowKind::Race,
         true});
  }

  std::string timeline_text_of(std::size_t row) const { return text_of(timeline_.rows[row]); }

  void line(const std::string& from, const std::string& to, ArrowKind kind, bool has_head) {
    drawing_.layout.lines.push_back({.from = from, .to = to, .kind = kind, .matters = true, .has_head = has_head});
  }

  void legend() {
    const auto has = [&](ArrowKind kind) {
      return std::any_of(routes_.begin(), routes_.end(), [&](const Route& route) { return route.kind == kind; });
    };
    constexpr std::string_view kLine = "&#8212;&#8212;";
    if (!bars_.empty()) {
      drawing_.legend.push_back(
          {kSections.front(), "&#9608;", "a critical section: the lock and scope are shown beside it"});
    }
    const bool meets = std::any_of(timeline_.rows.begin(), timeline_.rows.end(),
                                   [](const TimelineRow& row) { return row.barrier.has_value(); });
    if (meets) drawing_.legend.push_back({"#0B5E8A", "&#9679;&#8212;&#9679;", "a barrier: these threads meet"});
    if (has(ArrowKind::Named)) {
      drawing_.legend.push_back(
          {arrow_colour(ArrowKind::Named), kLine, "synchronises: events before it happen before events after it"});
    }
    if (has(ArrowKind::Race))
      drawing_.legend.push_back({arrow_colour(ArrowKind::Race), "- - -", "a race: nothing orders the two"});
    if (!timeline_.has_clocks) return;
    std::vector<std::string> names;
    for (const ThreadColumn& column : columns_) names.push_back(name_of(column));
    drawing_.legend.push_back(
        {"#444444", "(1 2)", fmt::format("vector clock after the event: {}", fmt::join(names, " "))});
  }

  void notes() {
    if (timeline_.other_threads > 0) {
      drawing_.notes.push_back(fmt::format("{} of {} are not drawn.", plural(timeline_.other_events, "event"),
                                           plural(timeline_.other_threads, "other thread")));
    }
    if (!file_.empty()) drawing_.notes.push_back(fmt::format("Lines are those of {}.", file_));
    if (timeline_.rows.empty()) drawing_.notes.emplace_back("There is no event to draw.");
    const std::string text = timeline_text(timeline_);
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      drawing_.notes.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  void add(PlacedNode node) { drawing_.layout.nodes.push_back(std::move(node)); }

  const Timeline& timeline_;
  const TraceTables& tables_;
  std::vector<ThreadColumn> columns_;
  std::map<std::uint32_t, std::size_t> column_of_;
  std::vector<double> rows_;  ///< vertical middle of each row
  double bottom_ = 0;
  std::string file_;  ///< the file that contains all places; empty if there are several files
  std::vector<Bar> bars_;
  std::vector<Route> routes_;
  std::size_t gaps_ = 0;
  Drawing drawing_;
};

}  // namespace

std::string timeline_dot(const Timeline& timeline) { return drawing_dot(TimelineLayouter(timeline).draw()); }

std::string timeline_text(const Timeline& timeline) {
  std::string text;
  for (std::size_t i = 0; i < timeline.races.size(); ++i) {
    const RaceReport& race = timeline.races[i];
    const std::string where =
        race.location == kNoName ? std::string() : " on " + timeline.tables.locations()[race.location].name;
    const std::string number = timeline.races.size() == 1 ? "" : fmt::format(" {}", i + 1);
    text += wrapped(fmt::format("race{}{}: {}. {}", number, where, to_string(race.kind), race.sentence), 2) + "\n";
  }
  if (timeline.more_races > 0) text += fmt::format("And {}.\n", plural(timeline.more_races, "other race"));
  return text;
}

}  // namespace ambit::report
