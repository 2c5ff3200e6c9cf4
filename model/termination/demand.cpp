// Builds the condition of the termination question, over the final registers and the final memory.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "model/termination/termination_question.h"

namespace ambit::termination {
namespace {

Expr conjunction(const std::vector<Expr>& parts) {
  Expr result = Expr::make_constant(1);
  for (const Expr& part : parts) {
    result = &part == parts.data() ? part : Expr::make(Op::LogicalAnd, kInt, {std::move(result), part});
  }
  return result;
}

Expr disjunction(const std::vector<Expr>& parts) {
  Expr result = Expr::make_constant(0);
  for (const Expr& part : parts) {
    result = &part == parts.data() ? part : Expr::make(Op::LogicalOr, kInt, {std::move(result), part});
  }
  return result;
}

Expr implies(Expr a, Expr b) { return Expr::make(Op::LogicalOr, kInt, {negated(std::move(a)), std::move(b)}); }
Expr compare(Op op, Expr a, Expr b) { return Expr::make(op, kInt, {std::move(a), std::move(b)}); }

class DemandBuilder {
 public:
  DemandBuilder(Program& program, const TerminationQuestion& question, Scheduler scheduler)
      : program_(program), question_(question), scheduler_(scheduler), units_(scheduling_units(program)) {}

  void build() {
    std::vector<Expr> demands = {someone_is_stuck()};
    for (std::uint32_t t = 0; t < question_.threads.size(); ++t) {
      const ThreadProbe& probe = question_.threads[t];
      for (std::size_t s = 0; s < probe.stops.size(); ++s) {
        for (const Expr& needed : needed_for(t, probe.stops[s])) {
          if (needed.is_constant() && needed.constant != 0) continue;
          demands.push_back(implies(stopped_at(t, s), needed));
        }
      }
      passed_divergences(t, demands);
    }
    if (scheduler_ == Scheduler::Obe || scheduler_ == Scheduler::Lobe) starts_together(demands);
    program_.condition = {};
    program_.condition.filter = conjunction(demands);
  }

 private:
  // ---- leaves ----
  Expr leaf(const Observable& observable) {
    const auto key = std::pair(observable.kind == Observable::Kind::Memory ? kMemory : observable.thread,
                               observable.kind == Observable::Kind::Memory ? observable.location : observable.reg);
    const auto [found, is_new] = leaves_.try_emplace(key, static_cast<RegisterId>(program_.observables.size()));
    if (is_new) program_.observables.push_back(observable);
    return Expr::make_register(found->second, observable.type);
  }

  Expr value_of(std::uint32_t thread, RegisterId reg) {
    Observable observable;
    observable.kind = Observable::Kind::Register;
    observable.thread = thread;
    observable.reg = reg;
    observable.type = program_.threads[thread].registers[reg].type;
    observable.name = fmt::format("{}:{}", program_.threads[thread].name, program_.threads[thread].registers[reg].name);
    return leaf(observable);
  }

  Expr final_value(LocationId location) {
    Observable observable;
    observable.location = location;
    observable.type = program_.locations[location].type;
    observable.name = program_.locations[location].name;
    return leaf(observable);
  }

  Expr stopped_at(std::uint32_t thread, std::size_t stop) {
    return compare(Op::Equal, value_of(thread, question_.threads[thread].stop),
                   Expr::make_constant(static_cast<Value>(stop + 1)));
  }

  Expr is_unfinished(std::uint32_t thread) {
    const ThreadProbe& probe = question_.threads[thread];
    if (probe.stops.empty()) return Expr::make_constant(0);
    return compare(Op::NotEqual, value_of(thread, probe.stop), Expr::make_constant(0));
  }

  Expr stopped_for(std::uint32_t thread, Stop::Kind kind) {
    std::vector<Expr> ways;
    const auto& stops = question_.threads[thread].stops;
    for (std::size_t s = 0; s < stops.size(); ++s) {
      if (stops[s].kind == kind) ways.push_back(stopped_at(thread, s));
    }
    return disjunction(ways);
  }

  // ---- the question ----
  /// Requires that some thread is truly stuck. Under hsa, an unfinished thread is enough: the lowest unit with an
  /// unfinished thread has a progress guarantee, so this unit is truly stuck (needed_for()).
  Expr someone_is_stuck() {
    std::vector<Expr> ways;
    for (std::uint32_t t = 0; t < question_.threads.size(); ++t) {
      if (scheduler_ == Scheduler::Hsa) {
        ways.push_back(is_unfinished(t));
      } else {
        ways.push_back(stopped_for(t, Stop::Kind::Loop));
        ways.push_back(stopped_for(t, Stop::Kind::Barrier));
      }
    }
    std::erase_if(ways, [](const Expr& way) { return way.is_constant(); });
    return disjunction(ways);
  }

  /// Returns conditions that must all be true. Many small conditions are better than one large condition, because
  /// solvers assert them one by one.
  std::vector<Expr> needed_for(std::uint32_t thread, const Stop& stop) {
    const ThreadProbe& probe = question_.threads[thread];
    switch (stop.kind) {
      case Stop::Kind::Loop: return unless_unguaranteed(thread, reads_are_final(thread, probe.loops[stop.index]));
      case Stop::Kind::Barrier: return {};  // a thread ends at a barrier only if the barrier's phase never completes
      case Stop::Kind::NotStarted: return {others_go_first(thread, probe.divergences[stop.index])};
      case Stop::Kind::Reconvergence: return {others_are_inside(thread, probe.divergences[stop.index])};
      case Stop::Kind::Suspended: return unless_unguaranteed(thread, {Expr::make_constant(0)});
      case Stop::Kind::NeverStarted: return {};  // starts_together() adds the conditions
    }
    return {};
  }

  /// Weakens the conditions, so that they apply only if the thread's unit has a progress guarantee. Under hsa, a unit
  /// has no guarantee while a unit with a lower number is unfinished.
  std::vector<Expr> unless_unguaranteed(std::uint32_t thread, std::vector<Expr> needed) {
    if (scheduler_ != Scheduler::Hsa) return needed;
    std::vector<Expr> below;
    for (const SchedulingUnit& unit : units_) {
      if (std::find(unit.threads.begin(), unit.threads.end(), thread) != unit.threads.end()) break;
      if (unit.gpu != program_.threads[thread].place.gpu) continue;
      for (const std::uint32_t other : unit.threads) {
        if (other < question_.threads.size()) below.push_back(is_unfinished(other));
      }
    }
    std::erase_if(below, [](const Expr& way) { return way.is_constant(); });
    const Expr unguaranteed = disjunction(below);
    for (Expr& part : needed) part = Expr::make(Op::LogicalOr, kInt, {unguaranteed, part});
    return needed;
  }

  /// Requires that the reads return final values. With fair memory, a read that repeats forever eventually returns the
  /// last value.
  std::vector<Expr> reads_are_final(std::uint32_t thread, const LoopProbe& loop) {
    std::vector<Expr> parts;
    for (const CellProbe& cell : loop.cells) {
      const ScalarType type = program_.locations[cell.location].type;
      const Expr is_final = Expr::make(Op::Equal, type, {value_of(thread, cell.value), final_value(cell.location)});
      parts.push_back(implies(value_of(thread, cell.was_read), is_final));
    }
    if (loop.conflict) parts.push_back(negated(value_of(thread, *loop.conflict)));
    return parts;
  }

  // ---- lockstep ----
  bool same_warp(std::uint32_t a, std::uint32_t b) const {
    const ThreadPlace& mine = program_.threads[a].place;
    const ThreadPlace& other = program_.threads[b].place;
    return same_instance(mine, other, Scope::Block) && mine.warp == other.warp;
  }

  /// Calls action(lane, probe) for each other lane of the warp and this lane's probe of the same divergence.
  template <typename Action>
  void for_each_partner(std::uint32_t thread, const DivergenceProbe& mine, Action action) {
    for (std::uint32_t other = 0; other < question_.threads.size(); ++other) {
      if (other == thread || !same_warp(thread, other)) continue;
      for (const DivergenceProbe& probe : question_.threads[other].divergences) {
        if (probe.divergence.key == mine.divergence.key) action(other, probe);
      }
    }
  }

  /// Requires that some lane took another direction and has not yet reconverged. Lanes that wait for their own turn do
  /// not count.
  Expr others_go_first(std::uint32_t thread, const DivergenceProbe& mine) {
    std::vector<Expr> ways;
    for_each_partner(thread, mine, [&](std::uint32_t other, const DivergenceProbe& probe) {
      ways.push_back(
          conjunction({value_of(other, probe.inside),
                       compare(Op::NotEqual, value_of(other, probe.direction), value_of(thread, mine.direction)),
                       compare(Op::Equal, value_of(other, probe.passed), value_of(thread, mine.passed)),
                       negated(waits_for_turn(other, probe))}));
    });
    return disjunction(ways);
  }

  Expr waits_for_turn(std::uint32_t thread, const DivergenceProbe& probe) {
    std::vector<Expr> ways;
    const ThreadProbe& all = question_.threads[thread];
    for (std::size_t s = 0; s < all.stops.size(); ++s) {
      const Stop& stop = all.stops[s];
      if (stop.kind != Stop::Kind::NotStarted || !(all.divergences[stop.index].divergence.key == probe.divergence.key))
        continue;
      ways.push_back(stopped_at(thread, s));
    }
    return disjunction(ways);
  }

  Expr others_are_inside(std::uint32_t thread, const DivergenceProbe& mine) {
    std::vector<Expr> ways;
    for_each_partner(thread, mine, [&](std::uint32_t other, const DivergenceProbe& probe) {
      ways.push_back(conjunction({value_of(other, probe.inside),
                                  compare(Op::Equal, value_of(other, probe.passed), value_of(thread, mine.passed))}));
    });
    return disjunction(ways);
  }

  /// Requires that no thread has continued after a divergence while a lane is still inside the divergence.
  void passed_divergences(std::uint32_t thread, std::vector<Expr>& demands) {
    for (const DivergenceProbe& mine : question_.threads[thread].divergences) {
      if (mine.divergence.end == code_size(thread)) continue;
      for_each_partner(thread, mine, [&](std::uint32_t other, const DivergenceProbe& probe) {
        demands.push_back(
            implies(value_of(other, probe.inside),
                    compare(Op::GreaterEqual, value_of(other, probe.passed), value_of(thread, mine.passed))));
      });
    }
  }

  std::size_t code_size(std::uint32_t thread) const { return question_.code_sizes[thread]; }

  // ---- obe, lobe ----
  void starts_together(std::vector<Expr>& demands) {
    std::optional<Expr> unit_below;  // 1 if the preceding unit never starts
    std::optional<int> gpu;
    for (const SchedulingUnit& unit : units_) {
      std::vector<Expr> never_starts;
      for (const std::uint32_t t : unit.threads) {
        if (t < question_.threads.size()) never_starts.push_back(stopped_for(t, Stop::Kind::NeverStarted));
      }
      if (never_starts.empty()) continue;
      for (std::size_t i = 1; i < never_starts.size(); ++i) {
        demands.push_back(compare(Op::Equal, never_starts[i - 1], never_starts[i]));
      }
      if (scheduler_ == Scheduler::Lobe && unit_below && gpu == unit.gpu) {
        demands.push_back(implies(*unit_below, never_starts.front()));
      }
      unit_below = never_starts.front();
      gpu = unit.gpu;
    }
  }

  static constexpr std::uint32_t kMemory = 0xffffffffU;

  Program& program_;
  const TerminationQuestion& question_;
  Scheduler scheduler_;
  std::vector<SchedulingUnit> units_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, RegisterId> leaves_;
};

}  // namespace

void add_demand(Program& program, const TerminationQuestion& question, Scheduler scheduler) {
  program.observables.clear();
  DemandBuilder(program, question, scheduler).build();
}

}  // namespace ambit::termination
