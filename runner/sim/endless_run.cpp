#include "runner/sim/endless_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "runner/sim/engine.h"

namespace ambit::sim {
namespace {

using NodeId = std::uint32_t;
using ThreadSet = std::uint64_t;  ///< one bit for each thread
constexpr NodeId kNoNode = 0xffffffffU;
constexpr std::size_t kMostThreads = 64;

ThreadSet only(std::uint32_t thread) { return ThreadSet{1} << thread; }

struct StateHash {
  std::size_t operator()(const Fingerprint& print) const { return print.low; }
};

/// A step from one state to another.
struct Edge {
  NodeId to = kNoNode;
  std::uint32_t thread = 0;
};

struct Node {
  NodeId parent = kNoNode;       ///< the state from which the search first reached this state
  std::uint32_t by = 0;          ///< thread that takes the step from the parent
  std::vector<Edge> edges = {};  ///< one edge for each thread that can take a step
};

/// All states that a program can reach, found breadth-first.
class StateGraph {
 public:
  StateGraph(const Engine& engine, std::size_t most_states, Context& context)
      : engine_(engine), most_states_(most_states), context_(context) {}

  void explore(EndlessRunSearch& result) {
    State first;
    engine_.reset(first);
    add(std::move(first), kNoNode, 0);
    std::vector<Choice> choices;
    while (!open_.empty()) {
      if (nodes.size() > most_states_)
        return give_up(result, fmt::format("there are more than {} states", most_states_));
      if (const auto reason = context_.should_stop(20)) return give_up(result, std::string(to_string(*reason)));
      const auto [node, state] = std::move(open_.front());
      open_.pop_front();
      if (state.is_dropped) continue;  // an assume() excludes the run
      if (state.is_endless) return give_up(result, "a thread computes for too long between two steps");
      if (state.is_out_of_bounds) return give_up(result, "an access is out of bounds");
      choices.clear();
      engine_.find_choices(state, choices);
      result.has_deadlock = result.has_deadlock || (choices.empty() && !engine_.all_exited(state));
      for (const Choice& choice : choices) {
        State next = state;
        engine_.apply(next, choice);
        const NodeId to = add(std::move(next), node, choice.unit);
        nodes[node].edges.push_back({to, choice.unit});
      }
    }
    result.is_complete = true;
  }

  std::vector<Node> nodes;

 private:
  void give_up(EndlessRunSearch& result, std::string why) {
    result.why_not = std::move(why);
    // Unexplored states have no edges, so they are in no cycle.
    open_.clear();
  }

  /// Returns the node of a state. Adds a node if the state is new.
  NodeId add(State state, NodeId parent, std::uint32_t by) {
    engine_.machine().rebase_barriers(state);
    const auto [found, is_new] = known_.emplace(fingerprint(state), static_cast<NodeId>(nodes.size()));
    if (!is_new) return found->second;
    nodes.push_back({parent, by});
    open_.emplace_back(found->second, std::move(state));
    return found->second;
  }

  const Engine& engine_;
  std::size_t most_states_;
  Context& context_;
  std::unordered_map<Fingerprint, NodeId, StateHash> known_;
  std::deque<std::pair<NodeId, State>> open_;
};

/// Finds the strongly connected components (Tarjan, "Depth-first search and linear graph algorithms", SIAM Journal on
/// Computing 1(2), 1972). `visit` receives the nodes of one component at a time and returns true to end the search.
class Components {
 public:
  using Visit = std::function<bool(const std::vector<NodeId>&)>;

  Components(const std::vector<Node>& nodes, Visit visit)
      : nodes_(nodes),
        visit_(std::move(visit)),
        number_(nodes.size(), 0),
        low_(nodes.size(), 0),
        is_open_(nodes.size(), false) {}

  void find() {
    for (NodeId node = 0; node < nodes_.size() && !is_over_; ++node) {
      if (number_[node] == 0) search(node);
    }
  }

 private:
  struct Frame {
    NodeId node = 0;
    std::size_t next = 0;  ///< index of the next edge
  };

  void enter(NodeId node) {
    number_[node] = low_[node] = ++count_;
    stack_.push_back(node);
    is_open_[node] = true;
    frames_.push_back({node});
  }

  void search(NodeId root) {
    enter(root);
    while (!frames_.empty() && !is_over_) {
      Frame& frame = frames_.back();
      const NodeId node = frame.node;
      if (frame.next < nodes_[node].edges.size()) {
        const NodeId to = nodes_[node].edges[frame.next++].to;
        if (number_[to] == 0) {
          enter(to);
        } else if (is_open_[to]) {
          low_[node] = std::min(low_[node], number_[to]);
        }
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) low_[frames_.back().node] = std::min(low_[frames_.back().node], low_[node]);
      if (low_[node] == number_[node]) finish(node);
    }
  }

  void finish(NodeId root) {
    std::vector<NodeId> component;
    NodeId node = kNoNode;
    do {
      node = stack_.back();
      stack_.pop_back();
      is_open_[node] = false;
      component.push_back(node);
    } while (node != root);
    is_over_ = visit_(component);
  }

  const std::vector<Node>& nodes_;
  Visit visit_;
  std::vector<std::uint32_t> number_;
  std::vector<std::uint32_t> low_;
  std::vector<bool> is_open_;
  std::vector<NodeId> stack_;
  std::vector<Frame> frames_;
  std::uint32_t count_ = 0;
  bool is_over_ = false;
};

/// A component of the graph. Finds walks in the component.
class FairComponent {
 public:
  FairComponent(const std::vector<Node>& nodes, const std::vector<NodeId>& members)
      : nodes_(nodes), members_(members), is_member_(nodes.size(), false) {
    for (const NodeId node : members) is_member_[node] = true;
    for (const NodeId node : members) {
      ThreadSet enabled = 0;
      for (const Edge& edge : nodes[node].edges) {
        enabled |= only(edge.thread);
        if (is_member_[edge.to]) stepping_ |= only(edge.thread);
      }
      pausing_ |= ~enabled;
    }
  }

  /// Returns whether a weakly fair run can stay in the component forever.
  bool is_fair(std::size_t threads) const {
    const ThreadSet all = threads == kMostThreads ? ~ThreadSet{0} : only(static_cast<std::uint32_t>(threads)) - 1;
    return stepping_ != 0 && ((stepping_ | pausing_) & all) == all;
  }

  /// Returns the steps of a closed walk from the first state that the search has found. Each thread that can step in
  /// the component steps. For every other thread, the walk visits a state where the thread cannot step.
  std::pair<NodeId, std::vector<std::uint32_t>> closed_walk(std::size_t threads) const {
    const NodeId start = *std::ranges::min_element(members_);
    NodeId at = start;
    std::vector<std::uint32_t> walk;
    ThreadSet stepped = 0;
    for (std::uint32_t t = 0; t < threads; ++t) {
      const bool steps = (stepping_ & only(t)) != 0;
      if (!steps || (stepped & only(t)) != 0) continue;
      go(at, walk, stepped, [&](NodeId node) { return edge_by(node, t) != nullptr; });
      const Edge* edge = edge_by(at, t);
      walk.push_back(t);
      stepped |= only(t);
      at = edge->to;
    }
    for (std::uint32_t t = 0; t < threads; ++t) {
      if ((stepping_ & only(t)) != 0) continue;
      go(at, walk, stepped, [&](NodeId node) { return !can_step(node, t); });
    }
    go(at, walk, stepped, [&](NodeId node) { return node == start; });
    return {start, walk};
  }

 private:
  const Edge* edge_by(NodeId node, std::uint32_t thread) const {
    const auto& edges = nodes_[node].edges;
    const auto found =
        std::ranges::find_if(edges, [&](const Edge& edge) { return edge.thread == thread && is_member_[edge.to]; });
    return found == edges.end() ? nullptr : &*found;
  }
  bool can_step(NodeId node, std::uint32_t thread) const {
    return std::ranges::any_of(nodes_[node].edges, [&](const Edge& edge) { return edge.thread == thread; });
  }

  /// Appends a shortest walk from `at` to a state that `is_goal` accepts, and moves `at` there.
  template <typename IsGoal>
  void go(NodeId& at, std::vector<std::uint32_t>& walk, ThreadSet& stepped, IsGoal is_goal) const {
    std::unordered_map<NodeId, std::pair<NodeId, std::uint32_t>> from;
    std::deque<NodeId> open = {at};
    from.emplace(at, std::pair(kNoNode, 0U));
    NodeId goal = kNoNode;
    while (goal == kNoNode && !open.empty()) {
      const NodeId node = open.front();
      open.pop_front();
      if (is_goal(node)) {
        goal = node;
        break;
      }
      for (const Edge& edge : nodes_[node].edges) {
        const bool is_new = is_member_[edge.to] && from.emplace(edge.to, std::pair(node, edge.thread)).second;
        if (is_new) open.push_back(edge.to);
      }
    }
    AMBIT_ASSERT(goal != kNoNode);  // the component is strongly connected
    std::vector<std::uint32_t> steps;
    for (NodeId node = goal; node != at; node = from.at(node).first) steps.push_back(from.at(node).second);
    for (const std::uint32_t thread : steps) stepped |= only(thread);
    walk.insert(walk.end(), steps.rbegin(), steps.rend());
    at = goal;
  }

  const std::vector<Node>& nodes_;
  const std::vector<NodeId>& members_;
  std::vector<bool> is_member_;
  ThreadSet stepping_ = 0;  ///< threads that step from one state of the component to another
  ThreadSet pausing_ = 0;   ///< threads that cannot step in some state of the component
};

EndlessRun::Step described(const StepEvent& event) {
  EndlessRun::Step step{event.thread, event.instruction};
  if (!event.is_access()) return step;
  step.location = event.location;
  if (event.kind == StepEvent::Kind::Load) step.read = event.value;
  if (event.kind == StepEvent::Kind::Update) step.read = event.old_value;
  if (event.writes()) step.written = event.value;
  return step;
}

/// Takes the steps and appends them to `steps`. Omits steps that only leave a barrier.
void replay(const Engine& engine, State& state, const std::vector<std::uint32_t>& threads,
            std::vector<EndlessRun::Step>& steps) {
  for (const std::uint32_t thread : threads) {
    const StepEvent event = engine.apply(state, {.kind = Choice::Kind::Step, .unit = thread, .action = {}});
    if (event.kind != StepEvent::Kind::Pass) steps.push_back(described(event));
  }
}

}  // namespace

Result<EndlessRunSearch> find_endless_run(const std::shared_ptr<const Program>& program, std::size_t most_states,
                                          Context& context) {
  EndlessRunSearch result;
  if (program->threads.size() > kMostThreads) {
    result.why_not = fmt::format("there are more than {} threads", kMostThreads);
    return result;
  }
  if (program->first_asynchronous() != nullptr) {
    result.why_not = "the program has asynchronous operations";
    return result;
  }
  Options options;
  options.memory = MemoryKind::Sc;
  auto created = Engine::create(program, options);
  if (!created.ok()) return created.errors();
  const Engine& engine = *created.value();
  StateGraph graph(engine, most_states, context);
  graph.explore(result);

  const std::size_t threads = program->threads.size();
  std::optional<std::pair<NodeId, std::vector<std::uint32_t>>> found;
  Components components(graph.nodes, [&](const std::vector<NodeId>& members) {
    const FairComponent component(graph.nodes, members);
    if (component.is_fair(threads)) found = component.closed_walk(threads);
    return found.has_value();
  });
  components.find();
  if (!found) return result;
  std::vector<std::uint32_t> before;
  for (NodeId node = found->first; graph.nodes[node].parent != kNoNode; node = graph.nodes[node].parent) {
    before.push_back(graph.nodes[node].by);
  }
  std::ranges::reverse(before);
  State state;
  engine.reset(state);
  result.run.emplace();
  replay(engine, state, before, result.run->before);
  replay(engine, state, found->second, result.run->cycle);
  return result;
}

}  // namespace ambit::sim
