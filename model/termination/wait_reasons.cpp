#include "model/termination/wait_reasons.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/overloaded.h"

namespace ambit::termination {
namespace {

/// Limit on the number of instructions that one thread, or one iteration, executes.
constexpr std::size_t kMaxSteps = std::size_t{1} << 20U;
constexpr std::size_t kMaxIterationSteps = 4096;

using Registers = std::vector<Value>;
using Memory = std::vector<Value>;  ///< the value of each location

/// Returns the value that a read-modify-write of the old value `old` leaves in memory.
Value updated(const Rmw& rmw, Value old, const Registers& registers) {
  const ScalarType type = rmw.access.type;
  const Value operand = type.wrap(evaluate(rmw.operand, registers));
  const bool stores = rmw.op != RmwOp::CompareExchange || old == type.wrap(evaluate(rmw.compare, registers));
  return stores ? stored_value(rmw.op, type, old, operand) : old;
}

/// Executes a thread's code instruction by instruction.
class Interpreter {
 public:
  explicit Interpreter(const Thread& thread) : thread_(thread) {}

  /// Executes the instruction at `at` and returns the next instruction. read(access) returns the value of a read.
  /// write(access, value) receives the value of a write.
  template <typename Read, typename Write>
  std::size_t step(std::size_t at, Registers& registers, Read read, Write write) const {
    const Operation& operation = thread_.code[at].operation;
    const auto set = [&](RegisterId target, Value value) {
      registers[target] = thread_.registers[target].type.wrap(value);
    };
    std::size_t next = at + 1;
    std::visit(Overloaded{[&](const Assign& assign) { set(assign.target, evaluate(assign.value, registers)); },
                          [&](const Load& load) { set(load.target, read(load.access)); },
                          [&](const Store& store) {
                            write(store.access, store.access.type.wrap(evaluate(store.value, registers)));
                          },
                          [&](const Rmw& rmw) {
                            const Value old = read(rmw.access);
                            if (rmw.op == RmwOp::Update) set(*rmw.target, old);
                            write(rmw.access, updated(rmw, old, registers));
                            if (rmw.target) set(*rmw.target, old);
                          },
                          [&](const Branch& branch) {
                            if (evaluate(branch.condition, registers) != 0) next = branch.target;
                          },
                          [&](const Jump& jump) { next = jump.target; },
                          [](const OneOf<Fence, ProxyFence, Barrier, Assume, Assert, AsyncStep, TransactionBegin,
                                         TransactionEnd> auto&) {}},
               operation);
    return next;
  }

 private:
  const Thread& thread_;
};

/// The state of a thread of the question's program at the end of the witness.
struct Replay {
  Registers end;
  /// For each element of ThreadProbe::loops, the registers at the beginning of its last iteration.
  std::vector<Registers> iterations;
};

/// Returns the barrier at which the thread waits forever, or null if the thread does not wait at a barrier.
const events::BarrierWait* find_stay(const events::EventGraph& graph, const std::vector<Value>& nodes,
                                     std::uint32_t t) {
  for (const events::BarrierWait& wait : graph.waits) {
    if (graph.events[wait.event].thread == t && nodes[wait.stays] != 0) return &wait;
  }
  return nullptr;
}

/// Executes a thread with the values of the witness. `nodes` has the values of the graph's nodes in the witness.
Replay replay(const events::EventGraph& graph, const events::Execution& witness, const std::vector<Value>& nodes,
              std::uint32_t t, const ThreadProbe& probe) {
  const Thread& thread = graph.program->threads[t];
  std::vector<std::pair<std::uint32_t, Value>> reads;  // pairs of an instruction and the value it read
  witness.executed.for_each([&](events::EventId e) {
    const events::Event& event = graph.events[e];
    if (event.thread == t && event.is_read() && !event.is_async())
      reads.emplace_back(event.instruction, witness.values[e]);
  });
  Replay result;
  result.end.assign(thread.registers.size(), 0);
  std::vector<events::EventId> arrivals;
  witness.executed.for_each([&](events::EventId e) {
    if (graph.events[e].thread == t && graph.events[e].kind == events::EventKind::Barrier) arrivals.push_back(e);
  });
  const bool is_stuck = find_stay(graph, nodes, t) != nullptr;
  result.iterations.assign(probe.loops.size(), result.end);
  const Interpreter interpreter(thread);
  std::size_t next_read = 0;
  std::size_t next_arrival = 0;
  std::size_t at = 0;
  for (std::size_t steps = 0; at < thread.code.size() && steps < kMaxSteps; ++steps) {
    for (std::size_t loop = 0; loop < probe.loops.size(); ++loop) {
      if (probe.loops[loop].position == at) result.iterations[loop] = result.end;
    }
    if (const auto* barrier = std::get_if<Barrier>(&thread.code[at].operation); barrier != nullptr) {
      const events::EventId arrival = next_arrival < arrivals.size() ? arrivals[next_arrival] : events::kNoEvent;
      if (++next_arrival == arrivals.size() && is_stuck) break;
      if (barrier->exchange && arrival != events::kNoEvent) {
        result.end[barrier->exchange->target] = nodes[graph.events[arrival].value];
      }
    }
    // An out-of-bounds access is not an event. Its result is 0.
    const auto read = [&](const MemoryAccess&) -> Value {
      const bool took_place = next_read < reads.size() && reads[next_read].first == at;
      return took_place ? reads[next_read++].second : 0;
    };
    at = interpreter.step(at, result.end, read, [](const MemoryAccess&, Value) {});
  }
  return result;
}

/// Executes one iteration of a loop with the given memory. Returns whether control leaves the loop.
bool leaves(const Program& program, const Thread& thread, const events::Loop& loop, Registers registers,
            Memory memory) {
  registers.resize(thread.registers.size());
  const Interpreter interpreter(thread);
  std::size_t at = loop.begin;
  for (std::size_t steps = 0; steps < kMaxIterationSteps; ++steps) {
    const auto cell = [&](const MemoryAccess& access) {
      return program.location_at(evaluate(access.address, registers));
    };
    const auto read = [&](const MemoryAccess& access) -> Value {
      const auto location = cell(access);
      return location ? memory[*location] : 0;
    };
    const auto write = [&](const MemoryAccess& access, Value value) {
      if (const auto location = cell(access)) memory[*location] = value;
    };
    at = interpreter.step(at, registers, read, write);
    if (at == loop.begin) return false;
    if (at < loop.begin || at > loop.end) return true;
  }
  return false;
}

void collect_constants(const Expr& expr, std::set<Value>& values) {
  if (expr.is_constant()) values.insert(expr.constant);
  for (const Expr& argument : expr.arguments) collect_constants(argument, values);
}

/// Returns the values to try for a cell: all values in the loop's code, in the thread's registers, in the program's
/// writes and in the witness.
std::set<Value> candidate_values(const Program& program, const Thread& thread, const events::Loop& loop,
                                 const Registers& registers, const events::Execution& witness, LocationId location) {
  std::set<Value> values(registers.begin(), registers.begin() + static_cast<std::ptrdiff_t>(thread.registers.size()));
  for (std::size_t i = loop.begin; i <= loop.end; ++i) {
    const Operation& operation = thread.code[i].operation;
    if (const auto* assign = std::get_if<Assign>(&operation)) collect_constants(assign->value, values);
    if (const auto* branch = std::get_if<Branch>(&operation)) collect_constants(branch->condition, values);
    if (const auto* rmw = std::get_if<Rmw>(&operation)) collect_constants(rmw->compare, values);
  }
  for (const Thread& writer : program.threads) {
    for (const Instruction& instruction : writer.code) {
      if (const auto* store = std::get_if<Store>(&instruction.operation)) collect_constants(store->value, values);
      if (const auto* rmw = std::get_if<Rmw>(&instruction.operation)) collect_constants(rmw->operand, values);
    }
  }
  for (const events::EventId write : witness.coherence[location]) values.insert(witness.values[write]);
  std::set<Value> wrapped;
  for (const Value value : values) wrapped.insert(program.locations[location].type.wrap(value));
  return wrapped;
}

class Explainer {
 public:
  Explainer(const Program& program, const TerminationQuestion& question, const events::EventGraph& graph,
            const events::Execution& witness)
      : program_(program), question_(question), graph_(graph), witness_(witness) {
    events::evaluate(graph.values, witness.values, nodes_);
    for (std::uint32_t t = 0; t < question.threads.size(); ++t) {
      replays_.push_back(replay(graph, witness, nodes_, t, question.threads[t]));
    }
    for (LocationId l = 0; l < program.locations.size(); ++l) {
      memory_.push_back(witness.values[witness.coherence[l].back()]);
    }
  }

  std::vector<Wait> explain() const {
    std::vector<Wait> waits;
    for (std::uint32_t t = 0; t < question_.threads.size(); ++t) {
      const ThreadProbe& probe = question_.threads[t];
      const Value stop = replays_[t].end[probe.stop];
      if (stop != 0) waits.push_back(explain_stop(t, probe.stops[static_cast<std::size_t>(stop - 1)]));
    }
    std::stable_sort(waits.begin(), waits.end(), [](const Wait& a, const Wait& b) {
      return (a.kind > Wait::Kind::Barrier) < (b.kind > Wait::Kind::Barrier);
    });
    return waits;
  }

 private:
  Wait explain_stop(std::uint32_t t, const Stop& stop) const {
    Wait wait;
    wait.thread = t;
    wait.span = stop.span;
    switch (stop.kind) {
      case Stop::Kind::Loop: explain_loop(question_.threads[t].loops[stop.index], stop.index, wait); break;
      case Stop::Kind::Barrier: explain_barrier(wait); break;
      case Stop::Kind::NotStarted:
      case Stop::Kind::Reconvergence: wait.kind = Wait::Kind::Reconvergence; break;
      case Stop::Kind::Suspended: wait.kind = Wait::Kind::Suspended; break;
      case Stop::Kind::NeverStarted: wait.kind = Wait::Kind::NeverStarted; break;
    }
    return wait;
  }

  void explain_loop(const LoopProbe& probe, std::size_t index, Wait& wait) const {
    const Thread& thread = program_.threads[wait.thread];
    const Replay& replayed = replays_[wait.thread];
    const Registers& registers = replayed.iterations[index];
    for (const CellProbe& cell : probe.cells) {
      if (replayed.end[cell.was_read] == 0) continue;
      PolledCell polled;
      polled.location = cell.location;
      polled.seen = replayed.end[cell.value];
      Memory memory = memory_;
      std::size_t tried = 0;
      for (const Value value : candidate_values(program_, thread, probe.loop, registers, witness_, cell.location)) {
        if (value == polled.seen) continue;
        ++tried;
        memory[cell.location] = value;
        if (leaves(program_, thread, probe.loop, registers, memory)) polled.awaited.push_back(value);
      }
      polled.awaits_change = tried > 1 && polled.awaited.size() == tried;
      wait.polled.push_back(std::move(polled));
    }
  }

  void explain_barrier(Wait& wait) const {
    wait.kind = Wait::Kind::Barrier;
    const events::BarrierWait* stay = find_stay(graph_, nodes_, wait.thread);
    if (stay == nullptr) return;
    wait.barrier = stay->barrier;
    std::vector<std::uint32_t> exited;
    for (const std::uint32_t other : stay->threads) {
      if (other == wait.thread || events::has_arrived(graph_, nodes_, *stay, other)) continue;
      const bool stays = replays_[other].end[question_.threads[other].stop] != 0;
      (stays ? wait.absent : exited).push_back(other);
    }
    // Exited threads are the reason only at barriers with a thread count, or at barriers that they have skipped.
    if (wait.absent.empty()) wait.absent = std::move(exited);
  }

  const Program& program_;
  const TerminationQuestion& question_;
  const events::EventGraph& graph_;
  const events::Execution& witness_;
  std::vector<Value> nodes_;  ///< values of the graph's nodes
  std::vector<Replay> replays_;
  Memory memory_;
};

}  // namespace

std::vector<Wait> explain(const Program& program, const TerminationQuestion& question, const events::EventGraph& graph,
                          const events::Execution& witness) {
  return Explainer(program, question, graph, witness).explain();
}

}  // namespace ambit::termination
