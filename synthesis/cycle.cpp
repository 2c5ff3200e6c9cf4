#include "synthesis/cycle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "synthesis/skeleton_walk.h"

namespace ambit::synthesis {
namespace {

struct Edge {
  enum class Kind : std::uint8_t { Rf, Fr, Co, Po } kind = Kind::Po;
  bool is_external = false;
  bool changes_location = false;
  bool from_write = false;
  bool to_write = false;
  Scope distance = Scope::Device;  ///< for an external edge, the distance between its two threads
  std::optional<Act> fence;
  SourceSpan span;
};

/// An event of the cycle, and the edge to the next event.
struct Node {
  Edge edge;
  std::optional<Act> access;
  int thread = 0;
  std::size_t statement = 0;
  int location = 0;
};

std::optional<Act> access_in(const std::string& word) {
  const auto skeleton = skeleton_named(word == "plain" ? "Rx@0" : fmt::format("Rx.{}@0", word));
  if (!skeleton) return std::nullopt;
  return skeleton->threads[0].acts[0];
}

std::optional<Edge> communication_in(std::string_view word) {
  struct Row {
    std::string_view name;
    Edge::Kind kind;
    bool from_write, to_write;
  };
  static constexpr std::array<Row, 4> kRows = {{{"Rf", Edge::Kind::Rf, true, false},
                                                {"Fr", Edge::Kind::Fr, false, true},
                                                {"Co", Edge::Kind::Co, true, true},
                                                {"Ws", Edge::Kind::Co, true, true}}};
  for (const Row& row : kRows) {
    if (!word.starts_with(row.name)) continue;
    const std::string_view rest = word.substr(2);
    if (rest.empty() || (rest[0] != 'e' && rest[0] != 'i')) return std::nullopt;
    Edge edge{row.kind, rest[0] == 'e', false, row.from_write, row.to_write, Scope::Device, {}, {}};
    if (rest.substr(1) == ".cta") {
      edge.distance = Scope::Block;
    } else if (rest.substr(1) == ".sys") {
      edge.distance = Scope::System;
    } else if (!rest.substr(1).empty() && rest.substr(1) != ".gpu") {
      return std::nullopt;
    }
    return edge;
  }
  return std::nullopt;
}

/// Reads "dWR" or "sRR".
std::optional<Edge> order_in(std::string_view word) {
  if (word.size() != 3 || (word[0] != 'd' && word[0] != 's')) return std::nullopt;
  for (const char direction : word.substr(1)) {
    if (direction != 'R' && direction != 'W') return std::nullopt;
  }
  return Edge{Edge::Kind::Po, false, word[0] == 'd', word[1] == 'W', word[2] == 'W', Scope::Device, {}, {}};
}

std::optional<Edge> edge_in(const std::string& word) {
  if (auto edge = communication_in(word)) return edge;
  if (word.starts_with("Po")) return order_in(std::string_view(word).substr(2));
  const std::size_t dot = word.rfind('.');
  if (!word.starts_with("F.") || dot == std::string::npos) return std::nullopt;
  auto edge = order_in(std::string_view(word).substr(dot + 1));
  const auto fence = skeleton_named(word.substr(0, dot) + "@0");
  if (!edge || !fence) return std::nullopt;
  edge->fence = fence->threads[0].acts[0];
  return edge;
}

class Reader {
 public:
  Reader(const std::string& text, const std::string& origin)
      : source_(std::make_shared<const SourceFile>(SourceFile{origin, text})) {}

  Result<CycleTest> read(const std::string& usual) {
    usual_ = access_in(usual);
    if (!usual_)
      return fail({1, 1, 0}, fmt::format("unknown access '{}'", usual), "such as plain, vol, rlx.gpu, acq.cta");
    if (auto error = read_words()) return *std::move(error);
    if (auto error = check()) return *std::move(error);
    place();
    return made();
  }

 private:
  Diagnostic fail(SourceSpan span, std::string message, std::string hint) const {
    return {source_, span, std::move(message), std::move(hint)};
  }

  std::optional<Diagnostic> read_words() {
    const std::string& text = source_->text;
    std::optional<Act> before;  // access written before the first edge
    for (std::size_t at = text.find_first_not_of(" +"); at != std::string::npos;) {
      const std::size_t end = std::min(text.find_first_of(" +", at), text.size());
      const std::string word = text.substr(at, end - at);
      const SourceSpan span{1, static_cast<std::uint32_t>(at + 1), static_cast<std::uint32_t>(word.size())};
      if (auto edge = edge_in(word)) {
        edge->span = span;
        nodes_.push_back({*edge, std::exchange(before, std::nullopt)});
        words_.push_back(word);
      } else if (const auto access = access_in(word)) {
        before = access;
        words_.push_back(word);
      } else {
        return fail(span, fmt::format("unknown edge or access '{}'", word),
                    "examples of edges: Rfe, Fre.cta, Coe, PodWR, PosRR, F.sc.gpu.dWR; of accesses: rlx.gpu");
      }
      at = text.find_first_not_of(" +", end);
    }
    if (before && !nodes_.empty()) nodes_.front().access = before;
    return std::nullopt;
  }

  std::optional<Diagnostic> check() {
    if (nodes_.size() < 2) return fail({1, 1, 0}, "a cycle has at least two edges", "such as PodWW Rfe PodRR Fre");
    std::size_t changes = 0;
    std::size_t external = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Edge& edge = nodes_[i].edge;
      const Edge& next = nodes_[(i + 1) % nodes_.size()].edge;
      if (edge.to_write != next.from_write) {
        return fail(next.span,
                    fmt::format("this edge begins at a {}, but the previous edge ends at a {}",
                                next.from_write ? "write" : "read", edge.to_write ? "write" : "read"),
                    "choose W and R so that neighbours agree");
      }
      if (edge.changes_location) ++changes;
      if (edge.is_external) ++external;
    }
    if (external < 2) return fail({1, 1, 0}, "a cycle needs two edges between threads", "such as Rfe and Fre");
    if (changes == 1) return fail({1, 1, 0}, "one change of location does not lead back", "write Pos, or a second Pod");
    return std::nullopt;
  }

  /// Rotates the cycle so that it begins with the first event of a thread. Gives each event its thread and location.
  void place() {
    const auto begins = std::find_if(nodes_.rbegin(), nodes_.rend(), [](const Node& n) { return n.edge.is_external; });
    std::rotate(nodes_.begin(), begins.base(), nodes_.end());
    int changes = 0;
    for (const Node& node : nodes_) changes += node.edge.changes_location ? 1 : 0;
    int thread = 0;
    int location = 0;
    std::uint8_t gpu = 0;
    std::uint8_t block = 0;
    std::uint8_t blocks = 1;
    skeleton_.threads.push_back({0, 0, {}});
    for (Node& node : nodes_) {
      Act act = node.access.value_or(*usual_);
      act.kind = node.edge.from_write ? Act::Kind::Write : Act::Kind::Read;
      if (act.order == Order::Acquire && node.edge.from_write) act.order = Order::Release;
      if (act.order == Order::Release && !node.edge.from_write) act.order = Order::Acquire;
      act.cell = static_cast<std::uint8_t>(location);
      node.thread = thread;
      node.location = location;
      node.statement = skeleton_.threads.back().acts.size();
      skeleton_.threads.back().acts.push_back(act);
      if (node.edge.fence) skeleton_.threads.back().acts.push_back(*node.edge.fence);
      if (node.edge.changes_location) location = (location + 1) % changes;
      if (!node.edge.is_external || &node == &nodes_.back()) continue;
      if (node.edge.distance != Scope::Block) block = blocks++;
      if (node.edge.distance == Scope::System) ++gpu;
      skeleton_.threads.push_back({gpu, block, {}});
      ++thread;
    }
  }

  const ActDetail& detail(const Node& node) const {
    return details_[static_cast<std::size_t>(node.thread)][node.statement];
  }

  Result<CycleTest> made() {
    details_ = details_of(skeleton_);
    std::vector<std::string> clauses;
    const std::size_t count = nodes_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Node& node = nodes_[i];
      if (node.edge.from_write) continue;
      const Node& before = nodes_[(i + count - 1) % count];
      if (before.edge.kind == Edge::Kind::Rf) {
        clauses.push_back(fmt::format("P{}:r{} == {}", node.thread, *detail(node).target, detail(before).value));
      } else if (node.edge.kind == Edge::Kind::Fr) {
        clauses.push_back(
            fmt::format("P{}:r{} == {}", node.thread, *detail(node).target, value_before((i + 1) % count)));
      }
    }
    for (int location = 0; location < static_cast<int>(skeleton_.variables()); ++location) {
      if (const Node* last = last_write(location)) {
        clauses.push_back(fmt::format("{} == {}", "xyzwuv"[location], detail(*last).value));
      }
    }
    return CycleTest{skeleton_, fmt::format("{}", fmt::join(words_, "+")), communication(),
                     fmt::format("exists ({})", fmt::join(clauses, " && "))};
  }

  std::vector<Communication> communication() const {
    std::vector<Communication> list;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node& from = nodes_[i];
      const Node& to = nodes_[(i + 1) % nodes_.size()];
      using Kind = Communication::Kind;
      if (from.edge.kind == Edge::Kind::Po) continue;
      const Kind kind = from.edge.kind == Edge::Kind::Rf   ? Kind::Rf
                        : from.edge.kind == Edge::Kind::Fr ? Kind::Fr
                                                           : Kind::Co;
      list.push_back({kind, static_cast<std::size_t>(from.thread), from.statement, static_cast<std::size_t>(to.thread),
                      to.statement});
    }
    return list;
  }

  /// Returns the value that the write at `write` replaces: the value of the preceding write in the cycle, or 0 if the
  /// cycle changes its location in between.
  int value_before(std::size_t write) const {
    const std::size_t count = nodes_.size();
    for (std::size_t step = 1; step < count; ++step) {
      const std::size_t at = (write + count - step) % count;
      if (nodes_[at].edge.changes_location) return 0;
      if (nodes_[at].edge.from_write) return is_before(at, write) ? detail(nodes_[at]).value : 0;
    }
    return 0;
  }
  /// Returns whether only communication edges lead from `from` to `to`. Program order does not order writes if all
  /// events have the same location.
  bool is_before(std::size_t from, std::size_t to) const {
    const std::size_t count = nodes_.size();
    for (std::size_t at = from; at != to; at = (at + 1) % count) {
      if (nodes_[at].edge.kind == Edge::Kind::Po) return false;
    }
    return true;
  }

  /// Returns the last of several writes to a location, or null if the location has fewer than two writes.
  const Node* last_write(int location) const {
    const Node* last = nullptr;
    std::size_t writes = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].location != location || !nodes_[i].edge.from_write) continue;
      ++writes;
      const Node& before = nodes_[(i + nodes_.size() - 1) % nodes_.size()];
      if (before.edge.kind == Edge::Kind::Co || before.edge.kind == Edge::Kind::Fr) last = &nodes_[i];
    }
    return writes > 1 ? last : nullptr;
  }

  SourceFilePtr source_;
  std::optional<Act> usual_;
  std::vector<Node> nodes_;
  std::vector<std::string> words_;
  Skeleton skeleton_;
  std::vector<std::vector<ActDetail>> details_;
};

}  // namespace

Result<CycleTest> read_cycle(const std::string& text, const std::string& usual, const std::string& origin) {
  return Reader(text, origin).read(usual);
}

}  // namespace ambit::synthesis
