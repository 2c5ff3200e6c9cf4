#include "model/events/inner_cells.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/events/draft.h"

namespace ambit::events {
namespace {

/// An address, split into an expression and a constant number of elements to add.
struct Offset {
  std::optional<Expr> base;
  Value elements = 0;

  static Offset of(const Expr& address) {
    if (address.is_constant()) return {std::nullopt, address.constant};
    if (address.op == Op::Add) {
      for (const std::size_t i : {0U, 1U}) {
        if (!address.arguments[i].is_constant()) continue;
        Offset inner = of(address.arguments[1 - i]);
        inner.elements += address.arguments[i].constant;
        return inner;
      }
    }
    return {address, 0};
  }
  bool is_before(const Offset& other) const { return base == other.base && elements + 1 == other.elements; }
};

bool is_next(const std::optional<MemoryAccess>& a, const std::optional<MemoryAccess>& b) {
  if (!a || !b) return !a && !b;
  return a->type == b->type && Offset::of(a->address).is_before(Offset::of(b->address));
}

/// A run: elements of one operation that are adjacent in memory, both at the source and at the destination.
struct Run {
  std::size_t first = 0;
  std::size_t count = 0;
  std::set<Value> bases = {};  ///< possible cells of the first element, at the source and at the destination
  bool is_whole = true;        ///< false if the cells of some element are unknown
};

/// Returns whether `b` continues the run that contains `a`. Elements without a source must also write the same value.
bool continues(const AsyncElement& a, const AsyncElement& b) {
  return (a.source || a.value == b.value) && a.reduction == b.reduction && is_next(a.source, b.source) &&
         is_next(a.target, b.target);
}

std::vector<Run> runs_of(const AsyncStep& step) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < step.elements.size(); ++i) {
    if (i == 0 || !continues(step.elements[i - 1], step.elements[i])) runs.push_back({.first = i});
    ++runs.back().count;
  }
  return runs;
}

class InnerCells {
 public:
  explicit InnerCells(const Program& program) : program_(program) {
    for (const MemoryObject& object : program.objects) breaks_.emplace_back(object.length + 1, false);
    for (std::vector<bool>& of_object : breaks_) of_object.front() = of_object.back() = true;
    for (const Thread& thread : program.threads) {
      auto& of_thread = runs_.emplace_back();
      for (const Instruction& instruction : thread.code) {
        const auto* step = std::get_if<AsyncStep>(&instruction.operation);
        of_thread.push_back(step != nullptr ? runs_of(*step) : std::vector<Run>());
        const auto* fence = std::get_if<ProxyFence>(&instruction.operation);
        if (fence != nullptr && fence->address) break_cell(*fence->address);
      }
    }
  }

  /// Returns whether some operation has enough elements to make a reduction worthwhile.
  bool is_worthwhile() const {
    return std::ranges::any_of(runs_, [](const auto& of_thread) {
      return std::ranges::any_of(of_thread, [](const std::vector<Run>& runs) {
        return std::ranges::any_of(runs, [](const Run& run) { return run.count >= kFewestCells; });
      });
    });
  }

  /// Walks the threads, with only the first and the last element of each run. Returns false if the walk fails.
  bool find(const GraphOptions& options, Context& context) {
    Draft draft(probe(), options, context);
    draft.graph.options.max_events = std::numeric_limits<unsigned>::max();
    draft.graph.observables.assign(program_.observables.size(), ValueGraph::kFalse);
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t) {
      if (add_thread(draft, t)) return false;
    }
    const std::vector<Event>& events = draft.graph.events;
    for (EventId e = 0; e < events.size(); ++e) {
      if (events[e].kind == EventKind::AsyncStep) note_operation(draft, e);
      const bool is_single = !events[e].is_async() || events[e].is_mbarrier;
      if (!events[e].is_access() || !is_single) continue;
      for (const LocationId location : events[e].locations) break_location(location);
    }
    break_named_cells();
    while (spread()) {}
    return true;
  }

  bool is_kept(const Location& cell) const { return breaks_[cell.object][cell.index]; }
  /// Returns the last cell that the cell at `index` represents.
  std::uint32_t last_of(const Location& cell) const {
    std::uint32_t last = cell.index;
    while (!breaks_[cell.object][last + 1]) ++last;
    return last;
  }
  std::span<const Run> runs(std::size_t thread, std::size_t instruction) const { return runs_[thread][instruction]; }
  bool is_broken(Value address) const {
    return breaks_[static_cast<std::size_t>(object_of(address))][index_of(address)];
  }

 private:
  std::shared_ptr<const Program> probe() const {
    auto result = std::make_shared<Program>(program_);
    for (std::size_t t = 0; t < result->threads.size(); ++t) {
      for (std::size_t i = 0; i < result->threads[t].code.size(); ++i) {
        auto* step = std::get_if<AsyncStep>(&result->threads[t].code[i].operation);
        if (step == nullptr) continue;
        std::vector<AsyncElement> ends;
        for (const Run& run : runs_[t][i]) {
          ends.push_back(step->elements[run.first]);
          ends.push_back(step->elements[run.first + run.count - 1]);
        }
        step->elements = std::move(ends);
      }
    }
    return result;
  }

  /// Records the accesses of an operation, which follow the issue event. For each run, the accesses of the first
  /// element come before the accesses of the last element.
  void note_operation(const Draft& draft, EventId issue) {
    const Event& event = draft.graph.events[issue];
    const auto& step = std::get<AsyncStep>(program_.threads[event.thread].code[event.instruction].operation);
    EventId next = issue + 1;
    for (Run& run : runs_[event.thread][event.instruction]) {
      const AsyncElement& first = step.elements[run.first];
      const std::size_t ends = (first.source ? 1U : 0U) + (first.target ? 1U : 0U) + (first.reduction ? 1U : 0U);
      for (std::size_t i = 0; i < ends; ++i) {
        note_end(draft, next + static_cast<EventId>(i), next + static_cast<EventId>(ends + i), issue, run);
      }
      next += static_cast<EventId>(2 * ends);
    }
  }

  /// Records the source or the destination of a run. `first` and `last` are the accesses at this side by the run's
  /// first and last element.
  void note_end(const Draft& draft, EventId first, EventId last, EventId issue, Run& run) {
    const std::vector<Event>& events = draft.graph.events;
    const auto is_of_operation = [&](EventId e) {
      return e < events.size() && events[e].issue == issue && !events[e].is_mbarrier;
    };
    if (!is_of_operation(first) || !is_of_operation(last)) {  // some element is out of bounds
      run.is_whole = false;
      return;
    }
    const auto distance = static_cast<Value>(run.count) - 1;
    std::set<Value> lasts;
    for (const LocationId location : events[last].locations) lasts.insert(address_of(location) - distance);
    std::set<Value> firsts;
    for (const LocationId location : events[first].locations) firsts.insert(address_of(location));
    run.is_whole = run.is_whole && firsts == lasts && firsts.size() <= kMostBases;
    for (const Value base : firsts) {
      run.bases.insert(base);
      break_at(base);
      break_at(base + distance + 1);
    }
  }

  static constexpr std::size_t kMostBases = 64;

  Value address_of(LocationId location) const {
    return make_address(program_.locations[location].object, program_.locations[location].index);
  }
  bool is_inside(Value address) const { return program_.location_at(address).has_value(); }

  void break_at(Value address) {
    const Value object = object_of(address);
    if (object < 0 || object >= static_cast<Value>(breaks_.size())) return;
    std::vector<bool>& breaks = breaks_[static_cast<std::size_t>(object)];
    if (index_of(address) < breaks.size()) breaks[index_of(address)] = true;
  }
  void break_cell(Value address) {
    break_at(address);
    break_at(address + 1);
  }
  void break_location(LocationId location) { break_cell(address_of(location)); }

  void break_named_cells() {
    for (const Expectation& expectation : program_.expectations) {
      if (expectation.race_location) break_location(*expectation.race_location);
    }
    if (!program_.condition.proposition && !program_.condition.filter) return;
    for (const Observable& observable : program_.observables) {
      if (observable.kind == Observable::Kind::Memory) break_location(observable.location);
    }
  }

  /// If a range begins at an element on one side of a run (source or destination), makes a range begin at this element
  /// on the other side, too. Returns whether a range was added.
  bool spread() {
    bool changed = false;
    for (const auto& of_thread : runs_) {
      for (const std::vector<Run>& runs : of_thread) {
        for (const Run& run : runs) changed = spread(run) || changed;
      }
    }
    return changed;
  }

  bool spread(const Run& run) {
    bool changed = false;
    for (Value k = 1; k < static_cast<Value>(run.count); ++k) {
      const auto is_place = [&](Value base) { return is_inside(base + k) && is_broken(base + k); };
      if (run.is_whole && std::ranges::none_of(run.bases, is_place)) continue;
      for (const Value base : run.bases) {
        if (!is_inside(base + k) || is_broken(base + k)) continue;
        break_at(base + k);
        changed = true;
      }
    }
    return changed;
  }

  const Program& program_;
  std::vector<std::vector<bool>> breaks_;            ///< for each object and cell, whether a range begins at this cell
  std::vector<std::vector<std::vector<Run>>> runs_;  ///< the runs of each instruction of each thread
};

class Reducer {
 public:
  Reducer(const Program& program, const InnerCells& cells) : program_(program), cells_(cells), result_(program) {}

  std::shared_ptr<const Program> reduce() {
    locations();
    for (std::size_t t = 0; t < result_.threads.size(); ++t) {
      for (std::size_t i = 0; i < result_.threads[t].code.size(); ++i) {
        auto* step = std::get_if<AsyncStep>(&result_.threads[t].code[i].operation);
        if (step != nullptr) elements(*step, cells_.runs(t, i));
      }
    }
    std::erase_if(result_.observables, [&](const Observable& observable) {
      return observable.kind == Observable::Kind::Memory && !numbers_[observable.location];
    });
    for (Observable& observable : result_.observables) {
      if (observable.kind == Observable::Kind::Memory) observable.location = *numbers_[observable.location];
    }
    for (Expectation& expectation : result_.expectations) {
      if (expectation.race_location) expectation.race_location = numbers_[*expectation.race_location];
    }
    return std::make_shared<const Program>(std::move(result_));
  }

 private:
  void locations() {
    std::vector<Location> kept;
    for (const Location& cell : program_.locations) {
      numbers_.push_back(cells_.is_kept(cell) ? std::optional(static_cast<LocationId>(kept.size())) : std::nullopt);
      if (!numbers_.back()) continue;
      kept.push_back(cell);
      const std::string& last = program_.locations[numbers_.size() - 1 + cells_.last_of(cell) - cell.index].name;
      if (last == cell.name || !last.ends_with(']')) continue;
      kept.back().name.pop_back();
      kept.back().name += ".." + last.substr(last.rfind('[') + 1);
    }
    for (MemoryObject& object : result_.objects) object.first = *numbers_[object.first];
    result_.locations = std::move(kept);
  }

  /// Keeps only the elements of an operation at which a range begins.
  void elements(AsyncStep& step, std::span<const Run> runs) const {
    std::vector<AsyncElement> kept;
    for (const Run& run : runs) {
      for (std::size_t k = 0; k < run.count; ++k) {
        const auto begins = [&](Value base) {
          const Value address = base + static_cast<Value>(k);
          return !program_.location_at(address) || cells_.is_broken(address);
        };
        const bool is_kept = k == 0 || !run.is_whole || run.bases.empty() || std::ranges::any_of(run.bases, begins);
        if (is_kept) kept.push_back(std::move(step.elements[run.first + k]));
      }
    }
    step.elements = std::move(kept);
  }

  const Program& program_;
  const InnerCells& cells_;
  Program result_;
  std::vector<std::optional<LocationId>> numbers_;
};

}  // namespace

std::shared_ptr<const Program> without_inner_cells(const std::shared_ptr<const Program>& program,
                                                   const GraphOptions& options, Context& context) {
  if (program->locations.size() <= kFewestCells || program->has_aliases()) return program;
  InnerCells cells(*program);
  if (!cells.is_worthwhile()) return program;
  try {
    if (!cells.find(options, context)) return program;
  } catch (const Stopped&) {
    return program;
  }
  const auto gone =
      std::ranges::count_if(program->locations, [&](const Location& cell) { return !cells.is_kept(cell); });
  if (static_cast<std::size_t>(gone) < kFewestCells) return program;
  return Reducer(*program, cells).reduce();
}

}  // namespace ambit::events
