// Finds the parts of a program that do not affect whether threads wait forever.

#include <algorithm>

#include "base/overloaded.h"
#include "model/termination/termination_question.h"

namespace ambit::termination {
namespace {

using RegisterSet = std::vector<bool>;

/// Finds the registers and cells that affect whether threads wait forever. The analysis is a flow-insensitive least
/// fixed point over the whole program.
class Influence {
 public:
  explicit Influence(const events::EventGraph& graph)
      : program_(*graph.program), cells_(program_.locations.size(), false) {
    for (const Thread& thread : program_.threads) {
      registers_.emplace_back(thread.registers.size(), false);
      touched_.emplace_back(thread.code.size());
    }
    for (const events::Event& event : graph.events) {
      if (event.thread == events::kNoThread || !event.is_access()) continue;
      auto& touched = touched_[event.thread][event.instruction];
      touched.insert(touched.end(), event.locations.begin(), event.locations.end());
    }
    do {
      changed_ = false;
      for (std::uint32_t t = 0; t < program_.threads.size(); ++t) {
        for (std::size_t i = 0; i < program_.threads[t].code.size(); ++i) visit(t, i);
      }
    } while (changed_);
  }

  bool is_needed(std::uint32_t t, std::size_t i) const {
    const Operation& operation = program_.threads[t].code[i].operation;
    if (const auto* load = std::get_if<Load>(&operation)) {
      return load->access.order != Order::Weak || registers_[t][load->target] || touches_needed(t, i);
    }
    if (const auto* store = std::get_if<Store>(&operation)) {
      return store->access.order != Order::Weak || touches_needed(t, i);
    }
    return true;
  }

 private:
  bool touches_needed(std::uint32_t t, std::size_t i) const {
    const auto& touched = touched_[t][i];
    return std::any_of(touched.begin(), touched.end(), [&](LocationId l) { return cells_[l]; });
  }

  void need(std::vector<bool>& set, std::size_t index) {
    if (set[index]) return;
    set[index] = true;
    changed_ = true;
  }

  void need(std::uint32_t t, const Expr& expr) {
    if (expr.op == Op::Register) need(registers_[t], expr.reg);
    for (const Expr& argument : expr.arguments) need(t, argument);
  }

  void need_cells(std::uint32_t t, std::size_t i) {
    for (const LocationId location : touched_[t][i]) need(cells_, location);
  }

  void need(std::uint32_t t, const std::optional<Expr>& expr) {
    if (expr) need(t, *expr);
  }

  void visit(std::uint32_t t, std::size_t i) {
    std::visit(Overloaded{[&](const Assign& assign) {
                            if (registers_[t][assign.target]) need(t, assign.value);
                          },
                          [&](const OneOf<Branch, Assume, Assert> auto& test) { need(t, test.condition); },
                          [&](const Barrier& barrier) {
                            need(t, barrier.resource);
                            need(t, barrier.count);
                            if (!barrier.exchange) return;
                            need(t, barrier.exchange->value);
                            need(t, barrier.exchange->source);
                          },
                          [&](const AsyncStep& step) { visit_step(t, i, step); },
                          [&](const Rmw& rmw) {
                            need_cells(t, i);
                            need(t, rmw.access.address);
                            need(t, rmw.operand);
                            need(t, rmw.compare);
                          },
                          [&](const Load& load) {
                            if (!is_needed(t, i)) return;
                            need_cells(t, i);
                            need(t, load.access.address);
                          },
                          [&](const Store& store) {
                            if (!is_needed(t, i)) return;
                            need_cells(t, i);
                            need(t, store.access.address);
                            need(t, store.value);
                          },
                          [&](const TransactionEnd& end) { need(t, end.aborted); },
                          [](const OneOf<Fence, ProxyFence, Jump, TransactionBegin> auto&) {}},
               program_.threads[t].code[i].operation);
  }

  /// Keeps all cells that an asynchronous operation reads and writes, because the operation accesses several cells
  /// together.
  void visit_step(std::uint32_t t, std::size_t i, const AsyncStep& step) {
    need_cells(t, i);
    for (const AsyncElement& element : step.elements) {
      if (element.source) need(t, element.source->address);
      if (element.target) need(t, element.target->address);
      need(t, element.value);
    }
    for (const Rmw& completion : step.completions) {
      need(t, completion.access.address);
      need(t, completion.operand);
    }
  }

  const Program& program_;
  std::vector<RegisterSet> registers_;  ///< for each thread, the registers that affect waits
  std::vector<bool> cells_;
  std::vector<std::vector<std::vector<LocationId>>> touched_;  ///< cells that each instruction of each thread accesses
  bool changed_ = false;
};

}  // namespace

std::shared_ptr<const Program> without_idle_data(const events::EventGraph& graph) {
  const Influence influence(graph);
  const auto result = std::make_shared<Program>(*graph.program);
  bool changed = false;
  for (std::uint32_t t = 0; t < result->threads.size(); ++t) {
    for (std::size_t i = 0; i < result->threads[t].code.size(); ++i) {
      if (influence.is_needed(t, i)) continue;
      changed = true;
      Operation& operation = result->threads[t].code[i].operation;
      if (const auto* load = std::get_if<Load>(&operation)) {
        operation = Assign{load->target, Expr::make_constant(0, load->access.type)};
      } else {
        operation = Jump{i + 1};
      }
    }
  }
  return changed ? result : graph.program;
}

}  // namespace ambit::termination
