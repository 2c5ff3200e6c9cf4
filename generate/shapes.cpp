#include "generate/shapes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "synthesis/cycle.h"

namespace ambit::generate {
namespace {

constexpr int x = 0, y = 1, z = 2;

Step read(int location, int register_) {
  Step step;
  step.kind = Step::Kind::Read;
  step.location = location;
  step.register_ = register_;
  return step;
}
Step read_if(int guard, int location, int register_) {
  Step step = read(location, register_);
  step.guard = guard;
  return step;
}
Step write(int location, int value) {
  Step step;
  step.kind = Step::Kind::Write;
  step.location = location;
  step.value = value;
  return step;
}
Step write_if(int guard, int location, int value) {
  Step step = write(location, value);
  step.guard = guard;
  return step;
}

/// How the writes of a shape get their values.
enum class Values { ByCoherence, ByStatement };

/// A shape that is described by a cycle of relations (synthesis/cycle.h).
struct CycleShape {
  std::string name;
  std::string description;
  std::string cycle;
  Values values = Values::ByCoherence;
  /// The threads of the cycle, in the order of the shape's threads. Empty if the two orders are equal.
  std::vector<std::size_t> order = {};
};

Clause reg(int index, int value) { return {true, index, value}; }
Clause final_value(int location, int value) { return {false, location, value}; }

/// Numbers registers across the shape and gives values to the writes. A write gets the value 2 if it follows another
/// write in coherence or is its thread's second write.
void number(Shape& shape, const synthesis::CycleTest& cycle, const std::vector<std::size_t>& places, Values values) {
  int registers = 0;
  for (std::vector<Step>& thread : shape.threads) {
    for (std::size_t i = 0; i < thread.size(); ++i) {
      if (thread[i].kind == Step::Kind::Read) thread[i].register_ = registers++;
      if (thread[i].kind == Step::Kind::Write && values == Values::ByStatement)
        thread[i].value = static_cast<int>(i) + 1;
    }
  }
  for (const synthesis::Communication& edge : cycle.communication) {
    if (edge.kind == synthesis::Communication::Kind::Co && values == Values::ByCoherence) {
      shape.threads[places[edge.to_thread]][edge.to_statement].value = 2;
    }
  }
}

Shape shape_of(const CycleShape& given) {
  const synthesis::CycleTest cycle = synthesis::read_cycle(given.cycle, "plain", given.name).value();
  const auto& skeleton = cycle.skeleton.threads;
  std::vector<std::size_t> places(skeleton.size());  // for each thread of the cycle, the thread of the shape
  for (std::size_t i = 0; i < places.size(); ++i) places[given.order.empty() ? i : given.order[i]] = i;
  Shape shape{given.name, given.description, {}, {}, static_cast<int>(cycle.skeleton.variables())};
  shape.threads.resize(skeleton.size());
  for (std::size_t t = 0; t < skeleton.size(); ++t) {
    for (const synthesis::Act& act : skeleton[t].acts) {
      const bool is_read = act.kind == synthesis::Act::Kind::Read;
      shape.threads[places[t]].push_back(is_read ? read(act.cell, 0) : write(act.cell, 1));
    }
  }
  number(shape, cycle, places, given.values);

  using Kind = synthesis::Communication::Kind;
  std::vector<std::pair<std::size_t, Clause>> clauses;  // the clauses of the condition, each with its thread
  bool has_reads = false;
  for (const synthesis::Communication& edge : cycle.communication) {
    const Step& from = shape.threads[places[edge.from_thread]][edge.from_statement];
    const Step& to = shape.threads[places[edge.to_thread]][edge.to_statement];
    const bool is_seen = edge.kind == Kind::Rf;
    has_reads = has_reads || edge.kind != Kind::Co;
    const Clause clause = edge.kind == Kind::Co ? final_value(to.location, to.value)
                          : is_seen             ? reg(to.register_, from.value)
                                                : reg(from.register_, 0);
    clauses.emplace_back(places[is_seen ? edge.to_thread : edge.from_thread], clause);
  }
  std::ranges::stable_sort(
      clauses, {}, [&](const auto& one) { return has_reads ? one.first : static_cast<std::size_t>(one.second.index); });
  for (const auto& [thread, clause] : clauses) shape.condition.push_back(clause);
  return shape;
}

std::vector<Shape> shapes_of(const std::vector<CycleShape>& cycles) {
  std::vector<Shape> shapes;
  for (const CycleShape& cycle : cycles) shapes.push_back(shape_of(cycle));
  return shapes;
}

}  // namespace

std::vector<Shape> two_thread_shapes() {
  return shapes_of({
      {"MP", "Message passing: the reader sees the flag, but not the data.", "PodWW Rfe PodRR Fre"},
      {"SB", "Store buffering: each thread misses the other thread's write.", "PodWR Fre PodWR Fre"},
      {"LB", "Load buffering: each thread sees the other thread's later write.", "PodRW Rfe PodRW Rfe"},
      {"S", "A thread sees the flag, but its write comes before the data write in coherence.", "PodWW Rfe PodRW Coe"},
      {"R", "The second thread's write of y comes last, but its read misses the write of x.", "PodWW Coe PodWR Fre"},
      {"2+2W", "Each thread writes both locations; each first write comes last.", "PodWW Coe PodWW Coe",
       Values::ByStatement},
  });
}

std::vector<Shape> wide_shapes() {
  return shapes_of({
      {"WRC", "Write-to-read causality.", "Rfe PodRW Rfe PodRR Fre"},
      {"RWC", "Read-to-write causality.", "Rfe PodRR Fre PodWR Fre"},
      {"ISA2", "Message passing through a third thread.", "PodWW Rfe PodRW Rfe PodRR Fre"},
      {"Z6.0", "A flag is seen, a write is overwritten, and a read misses a write.", "PodWW Rfe PodRW Coe PodWR Fre"},
      {"Z6.1", "Two writes are overwritten, and a flag is seen.", "PodWW Coe PodWW Rfe PodRW Coe"},
      {"Z6.2", "Two flags are seen, and a write is overwritten.", "PodWW Rfe PodRW Rfe PodRW Coe"},
      {"Z6.3", "A write is overwritten, a flag is seen, and a read misses a write.", "PodWW Coe PodWW Rfe PodRR Fre"},
      {"Z6.4", "A write is overwritten, and two reads each miss a write.", "PodWW Coe PodWR Fre PodWR Fre"},
      {"Z6.5", "Two writes are overwritten, and a read misses a write.", "PodWW Coe PodWW Coe PodWR Fre"},
      {"IRIW",
       "Independent reads of independent writes: two readers see them in opposite orders.",
       "Rfe PodRR Fre Rfe PodRR Fre",
       Values::ByCoherence,
       {0, 2, 1, 3}},
  });
}

std::vector<Shape> further_shapes() {
  return shapes_of({
      {"WWC", "Write-to-write causality.", "Rfe PodRW Rfe PodRW Coe"},
      {"WRW+2W", "A write is seen, and two writes are overwritten.", "Rfe PodRW Coe PodWW Coe"},
      {"3.2W", "Each thread writes two locations; each first write comes last.", "PodWW Coe PodWW Coe PodWW Coe"},
  });
}

std::vector<Shape> coherence_shapes() {
  return {
      {"CoRR",
       "Two reads of one location go back in time.",
       {{write(x, 1)}, {read(x, 0), read(x, 1)}},
       {reg(0, 1), reg(1, 0)},
       1},
      {"CoWR",
       "A thread reads a write that its own write has overwritten.",
       {{write(x, 1), read(x, 0)}, {write(x, 2)}},
       {reg(0, 2), final_value(x, 1)},
       1},
      {"CoRW1", "A thread reads its own later write.", {{read(x, 0), write(x, 1)}}, {reg(0, 1)}, 1},
      {"CoRW2",
       "A thread reads a write that comes after the thread's own later write in coherence.",
       {{read(x, 0), write(x, 1)}, {write(x, 2)}},
       {reg(0, 2), final_value(x, 2)},
       1},
      {"CoWW",
       "A thread's two writes take effect in the wrong order.",
       {{write(x, 1), write(x, 2)}},
       {final_value(x, 1)},
       1},
  };
}

std::vector<Shape> guarded_shapes() {
  return {
      {"MP+if",
       "Message passing; the reader reads the data only if it sees the flag.",
       {{write(x, 1), write(y, 1)}, {read(y, 0), read_if(0, x, 1)}},
       {reg(0, 1), reg(1, 0)}},
      {"S+if",
       "The second thread overwrites the data only if it sees the flag.",
       {{write(x, 2), write(y, 1)}, {read(y, 0), write_if(0, x, 1)}},
       {reg(0, 1), final_value(x, 2)}},
      {"ISA2+if",
       "Message passing through a third thread; each thread continues only if it sees the previous flag.",
       {{write(x, 1), write(y, 1)}, {read(y, 0), write_if(0, z, 1)}, {read(z, 1), read_if(1, x, 2)}},
       {reg(0, 1), reg(1, 1), reg(2, 0)},
       3},
  };
}

}  // namespace ambit::generate
