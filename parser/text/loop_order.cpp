#include "parser/text/loop_order.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace ambit::parser {
namespace {

/// Returns whether control enters each loop only at the beginning of the loop. A loop is the range from the target of a
/// backward jump to the last jump to this target.
bool has_loop_form(const std::vector<Instruction>& code) {
  std::map<std::size_t, std::size_t> ends;  // maps the beginning of each loop to its end
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (const std::size_t* target = jump_target(code[i].operation); target != nullptr && *target <= i)
      ends[*target] = i;
  }
  if (ends.empty()) return true;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::size_t* target = jump_target(code[i].operation);
    if (target == nullptr) continue;
    for (const auto& [begin, end] : ends) {
      const bool is_inside = begin <= i && i <= end;
      if (!is_inside && *target > begin && *target <= end) return false;
    }
  }
  return true;
}

using Node = std::uint32_t;
constexpr Node kNoNode = 0xffffffff;
/// The end of the thread.
constexpr Node kEnd = 0xfffffffe;

/// A basic block, or a copy of a basic block.
struct Block {
  std::size_t begin = 0;
  std::size_t end = 0;     ///< end of the block, without the final jump
  Node taken = kNoNode;    ///< target of the jump or branch at `end`
  Node follows = kNoNode;  ///< successor if the jump is not taken
  std::vector<Node> successors() const {
    std::vector<Node> result;
    for (const Node node : {follows, taken}) {
      if (node != kNoNode && node != kEnd) result.push_back(node);
    }
    return result;
  }
};

class LoopOrder {
 public:
  LoopOrder(const Thread& thread, std::size_t max_instructions) : code_(thread.code), left_(max_instructions) {
    find_blocks();
  }

  std::optional<std::vector<Instruction>> ordered() {
    if (!place(reached(), 0, false)) return std::nullopt;
    return written();
  }

 private:
  using Nodes = std::set<Node>;

  void find_blocks() {
    std::vector<bool> begins(code_.size() + 1, false);
    begins[0] = true;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const std::size_t* target = jump_target(code_[i].operation);
      if (target == nullptr) continue;
      begins[*target] = true;
      begins[i + 1] = true;
    }
    std::vector<Node> at(code_.size() + 1, kEnd);
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (begins[i]) {
        blocks_.emplace_back();
        blocks_.back().begin = i;
      }
      at[i] = static_cast<Node>(blocks_.size() - 1);
    }
    for (std::size_t i = 0, next = 0; i < blocks_.size(); ++i, next = 0) {
      Block& block = blocks_[i];
      next = i + 1 < blocks_.size() ? blocks_[i + 1].begin : code_.size();
      const std::size_t* target = jump_target(code_[next - 1].operation);
      block.end = target != nullptr ? next - 1 : next;
      const bool is_jump = std::holds_alternative<Jump>(code_[next - 1].operation);
      block.follows = is_jump ? at[*target] : at[next];
      if (target && !is_jump) block.taken = at[*target];
    }
  }

  Nodes reached() const {
    Nodes found = {0};
    std::vector<Node> open = {0};
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      for (const Node next : blocks_[node].successors()) {
        if (found.insert(next).second) open.push_back(next);
      }
    }
    return found;
  }

  /// Returns the strongly connected components of the nodes. Ignores edges to `header`.
  std::vector<Nodes> components(const Nodes& nodes, Node header) const {
    std::vector<Nodes> result;
    std::map<Node, std::uint32_t> number;
    std::map<Node, std::uint32_t> low;
    std::set<Node> closed;
    std::vector<Node> stack;
    struct Visit {
      Node node;
      std::vector<Node> next;
      std::size_t done = 0;
    };
    const auto begin = [&](Node node, std::vector<Visit>& visits) {
      number[node] = low[node] = static_cast<std::uint32_t>(number.size());
      stack.push_back(node);
      std::vector<Node> next;
      for (const Node other : blocks_[node].successors()) {
        if (nodes.contains(other) && other != header) next.push_back(other);
      }
      visits.push_back({node, std::move(next)});
    };
    for (const Node root : nodes) {
      if (number.contains(root)) continue;
      std::vector<Visit> visits;
      begin(root, visits);
      while (!visits.empty()) {
        Visit& visit = visits.back();
        if (visit.done < visit.next.size()) {
          const Node next = visit.next[visit.done++];
          if (!number.contains(next)) {
            begin(next, visits);
          } else if (!closed.contains(next)) {
            low[visit.node] = std::min(low[visit.node], number[next]);
          }
          continue;
        }
        const Node node = visit.node;
        visits.pop_back();
        if (!visits.empty()) low[visits.back().node] = std::min(low[visits.back().node], low[node]);
        if (low[node] != number[node]) continue;
        Nodes component;
        for (Node last = kNoNode; last != node;) {
          last = stack.back();
          stack.pop_back();
          closed.insert(last);
          component.insert(last);
        }
        result.push_back(std::move(component));
      }
    }
    return result;
  }

  /// Returns the entries of a component: each node of the component that has an edge from a node in `nodes` outside the
  /// component, and `first` if the component contains `first`.
  Nodes entries(const Nodes& nodes, const Nodes& component, Node first) const {
    Nodes result;
    if (component.contains(first)) result.insert(first);
    for (const Node node : nodes) {
      if (component.contains(node)) continue;
      for (const Node next : blocks_[node].successors()) {
        if (component.contains(next)) result.insert(next);
      }
    }
    return result;
  }

  bool is_loop(const Nodes& component, Node header) const {
    if (component.size() > 1) return true;
    const Node only = *component.begin();
    const std::vector<Node> next = blocks_[only].successors();
    return only != header && std::ranges::find(next, only) != next.end();
  }

  /// For each entry other than `header`, copies the nodes that the entry reaches on paths without `header`. Redirects
  /// edges from outside of the component to the copies.
  bool split(Nodes& nodes, const Nodes& component, const Nodes& component_entries, Node header) {
    std::map<Node, Node> copies;
    std::vector<Node> open;
    const auto copy = [&](Node node) {
      if (copies.contains(node)) return true;
      const std::size_t size = blocks_[node].end - blocks_[node].begin + 1;
      if (size > left_) return false;
      left_ -= size;
      copies[node] = static_cast<Node>(blocks_.size());
      blocks_.push_back(Block(blocks_[node]));
      open.push_back(node);
      return true;
    };
    for (const Node entry : component_entries) {
      if (entry != header && !copy(entry)) return false;
    }
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      for (const Node next : blocks_[node].successors()) {
        if (component.contains(next) && next != header && !copy(next)) return false;
      }
    }
    const auto redirect = [&](Node& next) {
      if (const auto found = copies.find(next); found != copies.end()) next = found->second;
    };
    for (const Node node : nodes) {
      if (component.contains(node)) continue;
      redirect(blocks_[node].taken);
      redirect(blocks_[node].follows);
    }
    for (const auto& [node, its_copy] : copies) {
      redirect(blocks_[its_copy].taken);
      redirect(blocks_[its_copy].follows);
      nodes.insert(its_copy);
    }
    return true;
  }

  /// Appends the nodes to the order: the nodes of a loop are consecutive, and the other nodes are in the order of
  /// execution. `first` is the entry of the nodes. If `is_body` is set, the nodes are the body of a loop.
  bool place(Nodes nodes, Node first, bool is_body) {
    const Node header = is_body ? first : kNoNode;
    std::vector<Nodes> parts;
    do {
      parts = components(nodes, header);
      const auto irreducible = std::ranges::find_if(
          parts, [&](const Nodes& part) { return is_loop(part, header) && entries(nodes, part, first).size() > 1; });
      if (irreducible == parts.end()) break;
      const Nodes its_entries = entries(nodes, *irreducible, first);
      if (!split(nodes, *irreducible, its_entries, chosen_header(its_entries, first))) return false;
    } while (true);
    for (const std::size_t part : sorted(nodes, parts, header)) {
      if (!is_loop(parts[part], header)) {
        order_.push_back(*parts[part].begin());
      } else if (!place(parts[part], *entries(nodes, parts[part], first).begin(), true)) {
        return false;
      }
    }
    return true;
  }

  /// Returns the parts in an order of execution (a topological order). If several orders are possible, the parts keep
  /// the order of the text. Ignores edges to `header`.
  std::vector<std::size_t> sorted(const Nodes& nodes, const std::vector<Nodes>& parts, Node header) const {
    std::map<Node, std::size_t> part_of;
    std::vector<std::size_t> text_positions(parts.size(), code_.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (const Node node : parts[i]) {
        part_of[node] = i;
        text_positions[i] = std::min(text_positions[i], blocks_[node].begin);
      }
    }
    std::vector<std::set<std::size_t>> next(parts.size());
    std::vector<std::size_t> waits_for(parts.size(), 0);
    for (const Node node : nodes) {
      for (const Node other : blocks_[node].successors()) {
        if (!nodes.contains(other) || other == header || part_of[other] == part_of[node]) continue;
        if (next[part_of[node]].insert(part_of[other]).second) ++waits_for[part_of[other]];
      }
    }
    std::set<std::pair<std::size_t, std::size_t>> ready;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (waits_for[i] == 0) ready.emplace(text_positions[i], i);
    }
    std::vector<std::size_t> result;
    while (!ready.empty()) {
      result.push_back(ready.begin()->second);
      ready.erase(ready.begin());
      for (const std::size_t other : next[result.back()]) {
        if (--waits_for[other] == 0) ready.emplace(text_positions[other], other);
      }
    }
    return result;
  }

  /// Chooses the entry that remains the only entry of a loop. Prefers `first`. Otherwise, chooses the first entry in
  /// the text, because compilers place the head of a loop first.
  Node chosen_header(const Nodes& component_entries, Node first) const {
    if (component_entries.contains(first)) return first;
    return *std::ranges::min_element(component_entries, {}, [&](Node node) { return blocks_[node].begin; });
  }

  std::vector<Instruction> written() const {
    std::vector<Instruction> result;
    std::map<Node, std::size_t> positions;
    std::vector<std::pair<std::size_t, Node>> open;  // jumps and their targets
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Block& block = blocks_[order_[i]];
      positions[order_[i]] = result.size();
      for (std::size_t at = block.begin; at < block.end; ++at) result.push_back(code_[at]);
      if (block.taken != kNoNode) {
        open.emplace_back(result.size(), block.taken);
        result.push_back(code_[block.end]);
      }
      const Node next = i + 1 < order_.size() ? order_[i + 1] : kEnd;
      if (block.follows == next) continue;
      open.emplace_back(result.size(), block.follows);
      result.push_back({Jump{}, code_[std::min(block.end, code_.size() - 1)].span});
    }
    for (const auto& [at, node] : open) {
      const std::size_t target = node == kEnd ? result.size() : positions.at(node);
      if (auto* branch = std::get_if<Branch>(&result[at].operation)) branch->target = target;
      if (auto* jump = std::get_if<Jump>(&result[at].operation)) jump->target = target;
    }
    return result;
  }

  const std::vector<Instruction>& code_;
  std::vector<Block> blocks_;
  std::vector<Node> order_;
  std::size_t left_;
};

}  // namespace

bool order_loops(Thread& thread, std::size_t max_instructions) {
  if (has_loop_form(thread.code)) return true;
  std::optional<std::vector<Instruction>> code = LoopOrder(thread, max_instructions).ordered();
  if (!code) return false;
  thread.code = *std::move(code);
  return true;
}

}  // namespace ambit::parser
