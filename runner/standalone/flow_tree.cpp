#include "runner/standalone/flow_tree.h"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

namespace ambit::standalone {
namespace {

using Kind = FlowNode::Kind;

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
constexpr int kMaxAttempts = 100'000;

/// The targets of `break` and `continue` in the innermost loop.
struct Exits {
  std::size_t break_to = kNowhere;
  std::size_t continue_to = kNowhere;
};

/// A range of instructions, and the instruction that runs after it.
struct Stretch {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t next = 0;
  Exits exits;
};

class FlowBuilder {
 public:
  explicit FlowBuilder(const Thread& thread) : code_(thread.code) {}

  std::optional<Flow> build() { return stretch({0, code_.size(), code_.size(), {}}, kNowhere); }

 private:
  const Branch* branch(std::size_t i) const { return std::get_if<Branch>(&code_[i].operation); }
  const Jump* jump(std::size_t i) const { return std::get_if<Jump>(&code_[i].operation); }
  std::optional<std::size_t> target(std::size_t i) const {
    if (const Branch* at = branch(i)) return at->target;
    if (const Jump* at = jump(i)) return at->target;
    return std::nullopt;
  }

  /// Returns the last instruction before `end` that jumps back to `head`.
  std::optional<std::size_t> last_jump_to(std::size_t head, std::size_t end) const {
    for (std::size_t i = end; i-- > head;) {
      if (target(i) == head) return i;
    }
    return std::nullopt;
  }

  /// Returns the statement (break, continue or return) that jumps to an instruction. Returns nothing if no such
  /// statement exists.
  std::optional<Kind> exit_to(std::size_t to, const Exits& exits) const {
    if (to == exits.break_to) return Kind::Break;
    if (to == exits.continue_to) return Kind::Continue;
    if (to == code_.size()) return Kind::Return;
    return std::nullopt;
  }

  static void append(Flow& flow, Flow more) {
    flow.insert(flow.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }

  /// Returns `flow`, followed by the flow of the rest of the range. The rest starts at `begin`.
  std::optional<Flow> followed(Flow flow, const Stretch& at, std::size_t begin) {
    std::optional<Flow> rest = stretch({begin, at.end, at.next, at.exits}, kNowhere);
    if (!rest) return std::nullopt;
    append(flow, std::move(*rest));
    return flow;
  }

  /// Converts a range. `open` is the head of a loop that the caller has already handled, or kNowhere.
  std::optional<Flow> stretch(const Stretch& at, std::size_t open) {
    if (++attempts_ > kMaxAttempts) return std::nullopt;
    Flow flow;
    for (std::size_t i = at.begin; i < at.end; ++i) {
      Stretch rest = at;
      rest.begin = i;
      std::optional<Flow> more;
      if (const auto last = i == open ? std::nullopt : last_jump_to(i, at.end)) {
        more = loop(rest, *last);
      } else if (jump(i) != nullptr) {
        more = jump_from(rest);
      } else if (branch(i) != nullptr) {
        more = branch_from(rest);
      } else {
        flow.push_back({Kind::Plain, i});
        continue;
      }
      if (!more) return std::nullopt;
      append(flow, std::move(*more));
      return flow;
    }
    return flow;
  }

  std::optional<Flow> loop(const Stretch& at, std::size_t last) {
    const std::size_t head = at.begin;
    const std::size_t after = last + 1;
    FlowNode node{Kind::Forever, head};
    const bool has_test_after = branch(last) != nullptr;
    // Tries do { ... } while (test). A do-while statement is possible if no other jump leads back to the head.
    if (has_test_after) {
      if (auto body = stretch({head, last, last, {after, kNowhere}}, head)) {
        node = {Kind::RepeatWhile, last, std::move(*body)};
        return followed({std::move(node)}, at, after);
      }
    }
    auto body = stretch({head, has_test_after ? last : after, has_test_after ? last : head, {after, head}}, head);
    if (!body) return std::nullopt;
    if (has_test_after) body->push_back({Kind::If, last, {{Kind::Break, last}}});
    node.then = std::move(*body);
    return followed({std::move(node)}, at, after);
  }

  std::optional<Flow> jump_from(const Stretch& at) {
    const std::size_t to = jump(at.begin)->target;
    const bool is_last = at.begin + 1 == at.end;
    if (is_last && to == at.next) return Flow{};
    if (is_last) {
      if (const auto exit = exit_to(to, at.exits)) return Flow{{*exit, at.begin}};
    }
    return wrapped(at);
  }

  std::optional<Flow> branch_from(const Stretch& at) {
    const std::size_t i = at.begin;
    const std::size_t to = branch(i)->target;
    const bool is_inside = to > i && to < at.end;
    if (!is_inside && to != at.next) {
      if (const auto exit = exit_to(to, at.exits)) {
        return followed({{Kind::IfJumps, i, {{*exit, i}}}}, at, i + 1);
      }
      return wrapped(at);
    }
    if (is_inside) {
      if (auto both = if_else(at, to)) return both;
    }
    const std::size_t then_end = is_inside ? to : at.end;
    if (auto then = stretch({i + 1, then_end, is_inside ? to : at.next, at.exits}, kNowhere)) {
      if (auto all = followed({{Kind::If, i, std::move(*then)}}, at, then_end)) return all;
    }
    return wrapped(at);
  }

  /// Converts a branch to if-else. Requires that the code before the target ends with a jump over the else part.
  std::optional<Flow> if_else(const Stretch& at, std::size_t to) {
    const Jump* over = to > at.begin + 1 ? jump(to - 1) : nullptr;
    if (over == nullptr || over->target < to) return std::nullopt;
    const bool is_inside = over->target > to && over->target < at.end;
    if (!is_inside && over->target != at.next) return std::nullopt;
    const std::size_t after = is_inside ? over->target : at.end;
    auto then = stretch({at.begin + 1, to - 1, over->target, at.exits}, kNowhere);
    if (!then) return std::nullopt;
    auto otherwise = stretch({to, after, over->target, at.exits}, kNowhere);
    if (!otherwise) return std::nullopt;
    return followed({{Kind::If, at.begin, std::move(*then), std::move(*otherwise)}}, at, after);
  }

  /// Encloses the first part of the range, up to the target of some jump, in a block that `break` leaves.
  std::optional<Flow> wrapped(const Stretch& at) {
    std::set<std::size_t> candidates;
    for (std::size_t i = at.begin; i < at.end; ++i) {
      const auto to = target(i);
      if (to && *to > at.begin && (*to < at.end || *to == at.next) && *to > i) candidates.insert(*to);
    }
    for (const std::size_t to : candidates) {
      if (to == at.exits.break_to && at.exits.continue_to == kNowhere) continue;
      const std::size_t end = to < at.end ? to : at.end;
      auto body = stretch({at.begin, end, to, {to, kNowhere}}, kNowhere);
      if (!body) continue;
      if (auto all = followed({{Kind::Once, at.begin, std::move(*body)}}, at, end)) return all;
    }
    return std::nullopt;
  }

  const std::vector<Instruction>& code_;
  int attempts_ = 0;
};

}  // namespace

std::optional<Flow> flow_tree(const Thread& thread) { return FlowBuilder(thread).build(); }

}  // namespace ambit::standalone
