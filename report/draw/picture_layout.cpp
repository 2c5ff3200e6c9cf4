#include "report/draw/picture_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "report/results/words.h"

namespace ambit::report {
namespace {

using events::Event;
using events::EventGraph;
using events::EventId;
using events::EventKind;
using events::kNoEvent;

constexpr double kEventHeight = 32;
constexpr double kRow = 58;
constexpr double kPadding = 16;
constexpr double kNarrowestGutter = 56;
constexpr double kLabelHeight = 14;

/// The minimum distance between two boxes. If two boxes are closer than this distance, Graphviz draws lines through the
/// boxes.
constexpr double kClearance = 7;

bool meet(const Box& a, const Box& b) {
  return a.left() < b.right() + kClearance && b.left() < a.right() + kClearance && a.bottom() < b.top() + kClearance &&
         b.bottom() < a.top() + kClearance;
}

/// One cell of a column: an event (both halves of a read-modify-write) or a missing fence.
struct Cell {
  EventId event = kNoEvent;
  const Ghost* ghost = nullptr;
};

struct Column {
  std::uint32_t thread = 0;
  std::vector<Cell> cells;
  double x = 0;
  double width = 0;
  double loops = 0;  ///< space on the right for arrows between two events of this column
};

class Layouter {
 public:
  explicit Layouter(const Picture& picture) : picture_(picture), graph_(*picture.graph) {}

  Layout lay_out() {
    make_columns();
    place_columns();
    place_events();
    place_initial();
    place_groups();
    place_transactions();
    place_arrows();
    layout_.bound();
    return std::move(layout_);
  }

 private:
  EventId shown(EventId event) const {
    const Event& e = graph_.events[event];
    const bool is_second_half = e.kind == EventKind::Write && e.is_rmw && e.rmw_partner != kNoEvent &&
                                picture_.execution.executed.contains(e.rmw_partner);
    return is_second_half ? e.rmw_partner : event;
  }

  const ThreadPlace& place(const Column& column) const { return graph_.program->threads[column.thread].place; }

  void make_columns() {
    for (std::uint32_t t = 0; t < graph_.program->threads.size(); ++t) columns_.push_back({t, {}, 0, 0, 0});
    std::stable_sort(columns_.begin(), columns_.end(), [&](const Column& a, const Column& b) {
      const auto key = [](const ThreadPlace& p) { return std::tuple(p.gpu, p.cluster, p.block, p.warp, p.lane); };
      return key(place(a)) < key(place(b));
    });
    for (std::size_t c = 0; c < columns_.size(); ++c) column_of_[columns_[c].thread] = c;
    picture_.execution.executed.for_each([&](EventId e) {
      if (graph_.events[e].kind == EventKind::InitialWrite || shown(e) != e) return;
      Column& column = columns_[column_of_.at(graph_.events[e].thread)];
      for (const Ghost& ghost : picture_.ghosts) {
        if (shown(ghost.before) == e) column.cells.push_back({kNoEvent, &ghost});
      }
      column.cells.push_back({e, nullptr});
    });
  }

  std::string cell_text(const Cell& cell) const {
    if (cell.ghost != nullptr) return cell.ghost->text;
    const Event& event = graph_.events[cell.event];
    std::string text = event_text(graph_, picture_.execution, cell.event);
    const EventId source = event.is_read() ? picture_.execution.reads_from[cell.event] : kNoEvent;
    const bool initial = source != kNoEvent && graph_.events[source].kind == EventKind::InitialWrite;
    std::string below = event.span.line == 0 ? std::string() : fmt::format("line {}", event.span.line);
    if (initial) below += below.empty() ? "initial value" : ", initial value";
    return below.empty() ? text : text + "\n" + below;
  }

  std::string thread_text(const Column& column) const {
    const Thread& thread = graph_.program->threads[column.thread];
    const bool many_warps = std::any_of(columns_.begin(), columns_.end(), [&](const Column& other) {
      return same_instance(place(other), thread.place, Scope::Block) && other.thread != column.thread;
    });
    return many_warps ? fmt::format("{}  (warp {})", thread.name, thread.place.warp) : thread.name;
  }

  /// Returns the width of the space between two columns. The space contains the padding of groups that begin or end
  /// between the columns, and the widest label.
  double gutter(const Column& left, const Column& right) const {
    double label = 0;
    for (const Arrow& arrow : picture_.arrows) label = std::max(label, text_width(arrow.label));
    double room = std::max(kNarrowestGutter, label + 24);
    if (!same_instance(place(left), place(right), Scope::Block)) room += 2 * kPadding;
    if (!same_instance(place(left), place(right), Scope::Device)) room += 2 * kPadding;
    return room;
  }

  void place_columns() {
    for (const Arrow& arrow : picture_.arrows) {
      const std::uint32_t thread = graph_.events[arrow.from].thread;
      if (arrow.kind == ArrowKind::ProgramOrder || thread == events::kNoThread) continue;
      if (thread != graph_.events[arrow.to].thread) continue;
      double& loops = columns_[column_of_.at(thread)].loops;
      loops = std::max(loops, text_width(arrow.label) + 24);
    }
    double x = 0;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      Column& column = columns_[c];
      column.width = text_width(thread_text(column));
      for (const Cell& cell : column.cells) column.width = std::max(column.width, text_width(cell_text(cell)));
      if (c > 0) x += gutter(columns_[c - 1], column);
      column.x = x + column.width / 2;
      x += column.width + column.loops;
    }
  }

  void place_events() {
    for (const Column& column : columns_) {
      const std::string thread_id = fmt::format("t{}", column.thread);
      add_node({thread_id, {column.x, 0, column.width, 20}, thread_text(column), PlacedNode::Look::Thread, {}, false});
      std::string last;
      for (std::size_t row = 0; row < column.cells.size(); ++row) {
        const Cell& cell = column.cells[row];
        const double y = -kRow * static_cast<double>(row) - 44;
        const bool ghost = cell.ghost != nullptr;
        const std::string id = ghost ? fmt::format("g{}_{}", column.thread, row) : fmt::format("e{}", cell.event);
        const bool marked =
            !ghost && std::find(picture_.marked.begin(), picture_.marked.end(), cell.event) != picture_.marked.end();
        const PlacedNode::Look look = ghost    ? PlacedNode::Look::Ghost
                                      : marked ? PlacedNode::Look::Marked
                                               : PlacedNode::Look::Event;
        const std::string text = cell_text(cell);
        add_node({id, {column.x, y, text_width(text), kEventHeight}, text, look, {}, false});
        if (!last.empty()) layout_.lines.push_back({.from = last, .to = id, .kind = ArrowKind::ProgramOrder});
        last = id;
        lowest_ = std::min(lowest_, y - kEventHeight / 2);
      }
    }
  }

  /// Places initial writes in a row above all other events. Omits an initial write if no arrow begins or ends at this
  /// write.
  void place_initial() {
    std::vector<EventId> used;
    for (const Arrow& arrow : picture_.arrows) {
      for (const EventId e : {arrow.from, arrow.to}) {
        if (graph_.events[e].kind == EventKind::InitialWrite) used.push_back(e);
      }
    }
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    double x = 0;
    for (const EventId e : used) {
      const std::string text = event_text(graph_, picture_.execution, e);
      const double width = text_width(text);
      add_node({fmt::format("e{}", e), {x + width / 2, 100, width, 22}, text, PlacedNode::Look::Initial, {}, false});
      x += width + 40;
    }
  }

  void place_groups() {
    const double top = 16;
    const double bottom = lowest_;
    const bool clusters = std::any_of(columns_.begin(), columns_.end(), [&](const Column& a) {
      return std::any_of(columns_.begin(), columns_.end(), [&](const Column& b) {
        return same_instance(place(a), place(b), Scope::Cluster) && !same_instance(place(a), place(b), Scope::Block);
      });
    });
    group(Scope::Device, 0, top + (clusters ? 70 : 46), bottom - (clusters ? 42 : 28));
    if (clusters) group(Scope::Cluster, 1, top + 46, bottom - 28);
    group(Scope::Block, 2, top + 20, bottom - 14);
  }

  void group(Scope scope, int depth, double top, double bottom) {
    const double side = depth == 2 ? 12 : depth == 1 ? 20 : 28;
    for (std::size_t first = 0; first < columns_.size();) {
      std::size_t last = first;
      while (last + 1 < columns_.size() && same_instance(place(columns_[first]), place(columns_[last + 1]), scope)) {
        ++last;
      }
      const ThreadPlace& at = place(columns_[first]);
      const std::string name = scope == Scope::Device    ? fmt::format("gpu {}", at.gpu)
                               : scope == Scope::Cluster ? fmt::format("cluster {}", at.cluster)
                                                         : fmt::format("block {}", at.block);
      const double left = columns_[first].x - columns_[first].width / 2 - side;
      const double right = columns_[last].x + columns_[last].width / 2 + columns_[last].loops + side;
      layout_.groups.push_back({name, {(left + right) / 2, (top + bottom) / 2, right - left, top - bottom}, depth});
      // This invisible node keeps lines and labels away from the group's name.
      const Box taken{(left + right) / 2, top - kGroupName, text_width(name) - 12, 12};
      add_node({fmt::format("n{}", layout_.groups.size()), taken, "", PlacedNode::Look::Corner, {}, false});
      first = last + 1;
    }
  }

  /// Draws a box around the events of each transaction.
  void place_transactions() {
    if (graph_.transactions.empty()) return;
    std::vector<Value> nodes;
    events::evaluate(graph_.values, picture_.execution.values, nodes);
    for (const Column& column : columns_) {
      for (std::size_t first = 0; first < column.cells.size();) {
        const std::uint32_t transaction = transaction_of(column.cells[first]);
        std::size_t last = first;
        while (last + 1 < column.cells.size() && transaction_of(column.cells[last + 1]) == transaction) ++last;
        if (transaction != events::kNoTransaction) {
          box_transaction(column, graph_.transactions[transaction].scope,
                          nodes[graph_.transactions[transaction].commits] != 0, first, last);
        }
        first = last + 1;
      }
    }
  }

  std::uint32_t transaction_of(const Cell& cell) const {
    return cell.event == kNoEvent ? events::kNoTransaction : graph_.events[cell.event].transaction;
  }

  void box_transaction(const Column& column, Scope scope, bool commits, std::size_t first, std::size_t last) {
    const std::string name = fmt::format("{} transaction{}", to_string(scope), commits ? "" : ", aborted");
    const double top = -kRow * static_cast<double>(first) - 44 + kEventHeight / 2 + 16;
    const double bottom = -kRow * static_cast<double>(last) - 44 - kEventHeight / 2 - 4;
    const double width = std::max(column.width, text_width(name)) + 12;
    layout_.groups.push_back({name, {column.x, (top + bottom) / 2, width, top - bottom}, 3});
  }

  // ---- arrows ----

  void place_arrows() {
    for (const Arrow& arrow : picture_.arrows) {
      const std::string from = fmt::format("e{}", shown(arrow.from));
      const std::string to = fmt::format("e{}", shown(arrow.to));
      if (from == to || !boxes_.contains(from) || !boxes_.contains(to)) continue;
      if (arrow.kind == ArrowKind::ProgramOrder) {
        emphasise(from, to);
        continue;
      }
      labelled(arrow, from, to);
    }
  }

  /// Makes the program-order lines between two events thick.
  void emphasise(const std::string& from, const std::string& to) {
    std::string at = from;
    while (at != to) {
      const auto next = std::find_if(layout_.lines.begin(), layout_.lines.end(), [&](const PlacedLine& line) {
        return line.from == at && line.kind == ArrowKind::ProgramOrder;
      });
      if (next == layout_.lines.end()) return;
      next->matters = true;
      at = next->to;
    }
  }

  void labelled(const Arrow& arrow, const std::string& from, const std::string& to) {
    const Box& a = boxes_.at(from);
    const Box& b = boxes_.at(to);
    const double width = text_width(arrow.label) - 6;
    const bool same_column = std::abs(a.x - b.x) < 1;
    double x = 0;
    if (same_column) {
      x = std::max(a.right(), b.right()) + 14 + width / 2;
    } else {
      x = a.x < b.x ? between(a.x, a, b) : between(b.x, b, a);
    }
    const double slope = same_column ? 0.5 : (x - a.x) / (b.x - a.x);
    double y = a.y + (b.y - a.y) * slope;
    y = free_place(x, y, width);
    const std::string id = fmt::format("l{}", labels_++);
    add_node({id, {x, y, width, kLabelHeight}, arrow.label, PlacedNode::Look::Label, arrow.kind, arrow.matters});
    const bool is_race = arrow.kind == ArrowKind::Race;
    layout_.lines.push_back({from, id, arrow.kind, arrow.matters, false, same_column});
    layout_.lines.push_back({id, to, arrow.kind, arrow.matters, !is_race, same_column});
  }

  /// Returns a horizontal position for a label: the middle of a gap between columns. If several gaps are between the
  /// two boxes, chooses the middle gap.
  double between(double left_x, const Box& left, const Box& right) const {
    std::vector<double> middles;
    for (std::size_t c = 0; c + 1 < columns_.size(); ++c) {
      const double left_end = columns_[c].x + columns_[c].width / 2 + columns_[c].loops;
      const double middle = (left_end + columns_[c + 1].x - columns_[c + 1].width / 2) / 2;
      if (middle > left_x && middle < right.x) middles.push_back(middle);
    }
    return middles.empty() ? (left.x + right.x) / 2 : middles[middles.size() / 2];
  }

  /// Returns the vertical position at `x` that is nearest to `y` and has space for a label.
  double free_place(double x, double y, double width) const {
    constexpr double kStep = kLabelHeight + kClearance;
    for (int distance = 0; distance < 200; ++distance) {
      for (const int sign : {1, -1}) {
        const double candidate = y + kStep * distance * sign / 2;
        const Box box{x, candidate, width, kLabelHeight};
        const bool taken = std::any_of(layout_.nodes.begin(), layout_.nodes.end(), [&](const PlacedNode& node) {
          const Box& other = node.box;
          return meet(box, other);
        });
        if (!taken) return candidate;
      }
    }
    return y;
  }

  void add_node(PlacedNode node) {
    boxes_[node.id] = node.box;
    layout_.nodes.push_back(std::move(node));
  }

  const Picture& picture_;
  const EventGraph& graph_;
  Layout layout_;
  std::vector<Column> columns_;
  std::map<std::uint32_t, std::size_t> column_of_;
  std::map<std::string, Box> boxes_;
  double lowest_ = -60;
  std::size_t labels_ = 0;
};

}  // namespace

Layout lay_out(const Picture& picture) { return Layouter(picture).lay_out(); }

}  // namespace ambit::report
