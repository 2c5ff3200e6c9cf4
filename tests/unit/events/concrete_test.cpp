// Tests random structured programs. For any values of the reads, the event graph and a plain interpreter of the
// instructions must agree on the executed events, their addresses and values, and the final registers.

#include <random>

#include "tests/unit/events/graph_helpers.h"

namespace ambit::events {
namespace {

class RandomThread {
 public:
  RandomThread(ThreadBuilder& thread, std::vector<Expr> cells, Expr array, unsigned seed)
      : t_(thread), cells_(std::move(cells)), array_(std::move(array)), random_(seed) {
    for (int i = 0; i < 3; ++i) registers_.push_back(t_.declare("v" + std::to_string(i)));
    end_ = t_.later();
    for (int i = 0; i < 5; ++i) statement(3);
    t_.place(end_);
  }

  const std::vector<RegisterId>& registers() const { return registers_; }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  RegisterId reg() { return registers_[pick(3)]; }
  Expr value() { return pick(3) == 0 ? constant(pick(3)) : t_.value(reg()); }
  Expr condition() {
    const Expr a = t_.value(reg());
    const Value c = pick(3);
    switch (pick(4)) {
      case 0: return a == c;
      case 1: return a != c;
      case 2: return a < c;
      default: return a == c || t_.value(reg()) != static_cast<Value>(pick(2));
    }
  }
  Expr place() {
    if (pick(4) == 0) return element(array_, t_.value(reg()));
    return cells_[pick(static_cast<unsigned>(cells_.size()))];
  }

  void statement(unsigned depth) {
    switch (pick(depth > 0 ? 13 : 7)) {
      case 0: t_.assign(reg(), value() + value()); break;
      case 1: t_.load_into(reg(), place()); break;
      case 2: t_.load_into(reg(), place(), relaxed()); break;
      case 3: t_.store(place(), value()); break;
      case 4: t_.rmw(reg(), pick(2) == 0 ? RmwOp::Add : RmwOp::Exchange, place(), value()); break;
      case 5: t_.cas_into(reg(), place(), pick(2), pick(3)); break;
      case 6: t_.fence(); break;
      case 7: counted(depth); break;
      case 8: polling(depth); break;
      case 9: spin(); break;
      case 10:
        if (pick(4) == 0) t_.branch(condition(), end_);
        break;
      default: if_else(depth); break;
    }
  }
  void block(unsigned depth) {
    for (unsigned i = pick(3); i-- > 0;) statement(depth - 1);
  }
  void if_else(unsigned depth) {
    const Label otherwise = t_.later();
    const Label join = t_.later();
    t_.branch(condition(), otherwise);
    block(depth);
    t_.jump(join);
    t_.place(otherwise);
    if (pick(2) == 0) block(depth);
    t_.place(join);
  }
  void counted(unsigned depth) {
    const RegisterId i = t_.declare("i");
    t_.assign(i, 0);
    const Label top = t_.here();
    block(depth);
    t_.assign(i, t_.value(i) + 1);
    t_.branch(t_.value(i) < 2, top);
  }
  void polling(unsigned depth) {
    const Label out = t_.later();
    const Label top = t_.here();
    const RegisterId r = reg();
    t_.load_into(r, place(), relaxed());
    t_.branch(t_.value(r) == 1, out);
    block(depth);
    t_.branch(condition(), top);
    t_.place(out);
  }
  void spin() {
    const RegisterId r = reg();
    const Label top = t_.here();
    switch (pick(3)) {
      case 0: t_.load_into(r, cells_[0], relaxed()); break;
      case 1: t_.cas_into(r, cells_[1], 1, 2); break;
      default: t_.rmw(r, RmwOp::Exchange, cells_[2], constant(0)); break;
    }
    t_.branch(t_.value(r) != 1, top);
  }

  ThreadBuilder& t_;
  std::vector<Expr> cells_;
  Expr array_;
  std::mt19937 random_;
  std::vector<RegisterId> registers_;
  Label end_ = 0;
};

/// Interprets the instructions of a thread, and compares each step with the next executed event of the graph.
class Interpreter {
 public:
  Interpreter(const EventGraph& graph, std::uint32_t thread, const std::vector<Value>& reads,
              const std::vector<Value>& nodes)
      : graph_(graph), code_(graph.program->threads[thread].code), reads_(reads), nodes_(nodes) {
    registers_.resize(graph.program->threads[thread].registers.size());
    for (EventId e = 0; e < graph.size(); ++e) {
      if (graph.events[e].thread == thread && nodes[graph.events[e].guard] != 0) executed_.push_back(e);
    }
  }

  /// Returns the first difference, or nothing.
  std::string run() {
    std::size_t steps = 0;
    for (std::size_t pc = 0; pc < code_.size() && difference_.empty();) {
      if (++steps > 10000) return "does not end";
      pc = step(pc);
    }
    if (difference_.empty() && next_ != executed_.size()) return "an event is left over";
    return difference_;
  }
  const std::vector<Value>& registers() const { return registers_; }

 private:
  Value eval(const Expr& expr) const { return ambit::evaluate(expr, registers_); }

  /// Returns the next executed event. Records a difference if the event has another kind or another instruction.
  std::optional<EventId> event(std::size_t pc, EventKind kind) {
    if (!difference_.empty()) return std::nullopt;
    if (next_ == executed_.size()) {
      difference_ = "no event for instruction " + std::to_string(pc);
      return std::nullopt;
    }
    const EventId e = executed_[next_++];
    if (graph_.events[e].instruction != pc || graph_.events[e].kind != kind) {
      difference_ = "event " + std::to_string(e) + " instead of one of instruction " + std::to_string(pc);
      return std::nullopt;
    }
    return e;
  }
  std::optional<EventId> access(std::size_t pc, EventKind kind, Value address) {
    const auto e = event(pc, kind);
    if (!e) return std::nullopt;
    const auto location = graph_.program->location_at(address);
    const auto& possible = graph_.events[*e].locations;
    if (nodes_[graph_.events[*e].address] != address || !location ||
        std::find(possible.begin(), possible.end(), *location) == possible.end()) {
      difference_ = "address of event " + std::to_string(*e);
    }
    return e;
  }
  void written(EventId e, Value value) {
    if (nodes_[graph_.events[e].value] != value) difference_ = "value of event " + std::to_string(e);
  }

  std::size_t step(std::size_t pc) {
    const Operation& operation = code_[pc].operation;
    if (const auto* assign = std::get_if<Assign>(&operation)) {
      registers_[assign->target] = eval(assign->value);
    } else if (const auto* load = std::get_if<Load>(&operation)) {
      registers_[load->target] = read(pc, eval(load->access.address));
    } else if (const auto* store = std::get_if<Store>(&operation)) {
      const Value address = eval(store->access.address);
      if (graph_.program->location_at(address)) {
        if (const auto e = access(pc, EventKind::Write, address)) written(*e, eval(store->value));
      }
    } else if (const auto* rmw = std::get_if<Rmw>(&operation)) {
      const Value address = eval(rmw->access.address);
      const Value operand = eval(rmw->operand);
      const Value old = read(pc, address);
      const bool writes = rmw->op != RmwOp::CompareExchange || old == eval(rmw->compare);
      if (graph_.program->location_at(address) && writes) {
        const Value added = kInt.wrap(old + operand);
        if (const auto e = access(pc, EventKind::Write, address)) written(*e, rmw->op == RmwOp::Add ? added : operand);
      }
      registers_[*rmw->target] = old;
    } else if (std::holds_alternative<Fence>(operation)) {
      event(pc, EventKind::Fence);
    } else if (const auto* branch = std::get_if<Branch>(&operation)) {
      if (eval(branch->condition) != 0) return branch->target;
    } else if (const auto* jump = std::get_if<Jump>(&operation)) {
      return jump->target;
    }
    return pc + 1;
  }
  Value read(std::size_t pc, Value address) {
    if (!graph_.program->location_at(address)) return 0;
    const auto e = access(pc, EventKind::Read, address);
    return e ? reads_[*e] : 0;
  }

  const EventGraph& graph_;
  const std::vector<Instruction>& code_;
  const std::vector<Value>& reads_;
  const std::vector<Value>& nodes_;
  std::vector<EventId> executed_;
  std::size_t next_ = 0;
  std::vector<Value> registers_;
  std::string difference_;
};

/// Returns a random value for a read. Chooses among the values that the cell can hold, because the static analysis
/// relies on these values.
Value random_value(const EventGraph& graph, EventId e, std::mt19937& random) {
  const bool is_flag = graph.events[e].locations == std::vector<LocationId>{2};
  return static_cast<Value>(random() % (is_flag ? 2 : 4));
}

TEST(Concrete, GuardsAndValuesAgreeWithAnInterpreter) {
  std::size_t compared = 0;
  std::size_t awaits = 0;
  std::size_t bounds = 0;
  std::mt19937 random(1);
  for (unsigned seed = 0; seed < 600; ++seed) {
    ProgramBuilder p;
    std::vector<Expr> cells = {p.global("x"), p.global("y"), p.global("z")};
    const Expr array = p.array("a", 2);
    ThreadBuilder& t = p.thread("P0", {});
    const RandomThread made(t, cells, array, seed);
    // The test chooses random values for the reads of these cells. The static analysis must not know the cells' values,
    // so another thread increments the cells.
    ThreadBuilder& others = p.thread("P1", {});
    for (const Expr& cell : {cells[0], cells[1], array, element(array, constant(1))}) others.fetch(RmwOp::Add, cell, 1);
    others.exchange(cells[2], 1);
    for (const RegisterId r : made.registers()) p.observe(t, r);
    const EventGraph graph = graph_of(p, {.unroll = 2, .mappings = {}});
    for (const Event& event : graph.events) awaits += event.is_await ? 1 : 0;
    bounds += graph.bound_reached == ValueGraph::kFalse ? 0 : 1;
    for (int round = 0; round < 30; ++round) {
      std::vector<Value> reads(graph.size());
      for (EventId e = 0; e < graph.size(); ++e) reads[e] = random_value(graph, e, random);
      std::vector<Value> nodes;
      evaluate(graph.values, reads, nodes);
      const bool complete =
          nodes[graph.bound_reached] == 0 && std::all_of(graph.requirements.begin(), graph.requirements.end(),
                                                         [&](NodeId requirement) { return nodes[requirement] != 0; });
      if (!complete) continue;
      ++compared;
      Interpreter interpreter(graph, 0, reads, nodes);
      ASSERT_EQ(interpreter.run(), "") << "seed " << seed;
      for (std::size_t i = 0; i < made.registers().size(); ++i) {
        ASSERT_EQ(nodes[graph.observables[i]], interpreter.registers()[made.registers()[i]]) << "seed " << seed;
      }
    }
  }
  // The random programs must contain many awaits, and many loops that may need more iterations than the bound.
  EXPECT_GT(compared, 3000U);
  EXPECT_GT(awaits, 50U);
  EXPECT_GT(bounds, 50U);
}

}  // namespace
}  // namespace ambit::events
