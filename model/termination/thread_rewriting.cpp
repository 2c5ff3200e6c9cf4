// Rewrites one thread for the termination question. The new thread has the same memory instructions in the same order.
// The new thread also has registers that record the values read in loops, and places at which it may stop. If a
// backward jump would repeat an iteration without a change, the jump becomes a stop. Iterations without a change that
// do not repeat forever can be deleted from all executions (model/events/spin.cpp).

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/overloaded.h"
#include "model/termination/termination_question.h"

namespace ambit::termination {
namespace {

const Expr kOne = Expr::make_constant(1);
const Expr kZero = Expr::make_constant(0);

Expr both(Expr a, Expr b) { return Expr::make(Op::LogicalAnd, kInt, {std::move(a), std::move(b)}); }
Expr either(Expr a, Expr b) { return Expr::make(Op::LogicalOr, kInt, {std::move(a), std::move(b)}); }
Expr equal(Expr a, Expr b, ScalarType type = kInt) {
  return Expr::make(Op::Equal, type, {Expr::make_cast(std::move(a), type), Expr::make_cast(std::move(b), type)});
}

Expr with_register(Expr expr, RegisterId from, RegisterId to) {
  if (expr.op == Op::Register && expr.reg == from) expr.reg = to;
  for (Expr& argument : expr.arguments) argument = with_register(std::move(argument), from, to);
  return expr;
}

/// Returns the value that a read-modify-write of the old value `old` leaves in memory.
Expr updated(const Rmw& rmw, const Expr& old) {
  const ScalarType type = rmw.access.type;
  const Expr stored = Expr::make_cast(stored_value(rmw, old), type);
  if (rmw.op != RmwOp::CompareExchange) return stored;
  return Expr::make(Op::Select, type, {equal(old, rmw.compare, type), stored, old});
}

class ThreadRewriter {
 public:
  explicit ThreadRewriter(const RewriteRequest& request)
      : request_(request),
        program_(*request.graph->program),
        original_(program_.threads[request.thread]),
        labels_(original_.code.size() + 1) {}

  RewrittenThread rewrite() {
    result_.thread = original_;
    result_.thread.code.clear();
    result_.thread.registers.push_back({std::string(events::kStopRegister), kInt});
    result_.probe.stop = static_cast<RegisterId>(result_.thread.registers.size() - 1);
    make_probes();
    const RegisterId choice = add_register("choice", kInt);
    choice_ = choice;
    if (request_.may_never_start) stop_here(add_stop(Stop::Kind::NeverStarted, 0, original_.span), 1);
    for (std::size_t i = 0; i < original_.code.size(); ++i) {
      labels_[i] = result_.thread.code.size();
      before(i);
      rewrite_instruction(i);
    }
    labels_.back() = result_.thread.code.size();
    finish();
    if (result_.choices > 0) read_choice();
    return std::move(result_);
  }

 private:
  using Code = std::vector<Instruction>;

  /// A jump whose target is still unknown. The target is the new place of an original instruction, a stop, or the end.
  struct Fixup {
    enum class To : std::uint8_t { Instruction, Stop, End } to = To::Instruction;
    std::size_t from = 0;
    std::size_t target = 0;
  };

  RegisterId add_register(std::string_view name, ScalarType type) {
    auto& registers = result_.thread.registers;
    registers.push_back({fmt::format("%{}.{}", name, registers.size()), type});
    return static_cast<RegisterId>(registers.size() - 1);
  }
  Expr read_register(RegisterId r) const { return Expr::make_register(r, result_.thread.registers[r].type); }

  void emit(Operation operation, SourceSpan span = {}) { result_.thread.code.push_back({std::move(operation), span}); }
  void assign(RegisterId target, Expr value) { emit(Assign{target, std::move(value)}); }
  void jump(Fixup::To to, std::size_t target) {
    fixups_.push_back({to, result_.thread.code.size(), target});
    emit(Jump{});
  }
  void branch(Expr condition, Fixup::To to, std::size_t target, SourceSpan span = {}) {
    fixups_.push_back({to, result_.thread.code.size(), target});
    emit(Branch{std::move(condition), 0}, span);
  }

  // ---- watched loops and barriers ----
  bool is_inside(const events::Loop& loop, std::size_t i) const { return loop.begin <= i && i <= loop.end; }

  void make_probes() {
    auto flow = events::analyse_control_flow(program_, original_, {});
    AMBIT_ASSERT(flow.ok());  // cannot fail, because the event graph was built
    for (const events::Loop& loop : flow.value().loops) {
      LoopProbe probe;
      probe.loop = loop;
      const events::SpinLoop spin{request_.thread, static_cast<std::uint32_t>(loop.begin),
                                  static_cast<std::uint32_t>(loop.end)};
      const auto& known = request_.graph->spin_loops;
      probe.is_spin = std::find(known.begin(), known.end(), spin) != known.end();
      if (!probe.is_spin) {
        probe.changed = add_register("changed", kInt);
        for (const RegisterId r : loop.carried)
          probe.saved.push_back(add_register("saved", original_.registers[r].type));
      }
      result_.probe.loops.push_back(std::move(probe));
    }
    // probe_cells() must come after this loop, because it needs all loops.
    for (LoopProbe& probe : result_.probe.loops) probe_cells(probe);
    for (const Divergence& divergence : request_.divergences) {
      result_.probe.divergences.push_back(
          {divergence, add_register("inside", kInt), add_register("direction", kInt), add_register("met", kInt)});
    }
  }

  /// Returns the cells that the instruction's read may touch. Each unrolled copy of the instruction contributes cells.
  std::vector<LocationId> cells_of(std::size_t i) const {
    std::vector<LocationId> cells;
    for (const events::Event& event : request_.graph->events) {
      if (event.thread != request_.thread || event.instruction != i || !event.is_read()) continue;
      cells.insert(cells.end(), event.locations.begin(), event.locations.end());
    }
    return cells;
  }

  void probe_cells(LoopProbe& probe) {
    std::vector<LocationId> cells;
    for (std::size_t i = probe.loop.begin; i <= probe.loop.end; ++i) {
      const std::vector<LocationId> of_instruction = cells_of(i);
      cells.insert(cells.end(), of_instruction.begin(), of_instruction.end());
    }
    std::sort(cells.begin(), cells.end());
    const bool repeats = std::adjacent_find(cells.begin(), cells.end()) != cells.end();
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    if (repeats) probe.conflict = add_register("conflict", kInt);
    for (const LocationId cell : cells) {
      probe.cells.push_back({cell, add_register("read", kInt), add_register("value", program_.locations[cell].type)});
    }
  }

  // ---- stops ----
  std::size_t add_stop(Stop::Kind kind, std::size_t index, SourceSpan span) {
    result_.probe.stops.push_back({kind, index, span});
    return result_.probe.stops.size();  // the number of the stop in register `stop`
  }

  /// Returns how often, at most, control passes instruction i in the unrolled program.
  Value passes(std::size_t i) const {
    Value result = 1;
    for (const LoopProbe& probe : result_.probe.loops) {
      // Add one to the number of iterations, because the loop's test may be executed once more.
      if (!probe.is_spin && is_inside(probe.loop, i)) result *= Value{request_.graph->options.unroll} + 1;
    }
    return result;
  }

  /// Counts the passes at which `condition` is true, and lets the thread stop here at the first `times` of these
  /// passes.
  void stop_here(std::size_t stop, Value times, const Expr& condition = kOne) {
    const Expr first = Expr::make_constant(result_.choices + 1);
    result_.choices += times;
    if (times == 1) return branch(both(condition, equal(read_register(choice_), first)), Fixup::To::Stop, stop);
    const RegisterId count = add_register("count", kInt);
    const Expr now = Expr::make(Op::Add, kInt, {first, read_register(count)});
    const Expr in_range = Expr::make(Op::Less, kInt, {read_register(count), Expr::make_constant(times)});
    branch(both(both(condition, in_range), equal(read_register(choice_), now)), Fixup::To::Stop, stop);
    assign(count, Expr::make(Op::Add, kInt, {read_register(count), condition}));
  }

  // ---- instructions ----
  void before(std::size_t i) {
    const auto for_each_divergence = [&](auto action) {
      for (std::size_t d = 0; d < result_.probe.divergences.size(); ++d) {
        const Divergence divergence = result_.probe.divergences[d].divergence;
        action(d, divergence, divergence.key.part == Divergence::Key::Part::Whole);
      }
    };
    for_each_divergence([&](std::size_t d, const Divergence& divergence, bool is_whole) {
      const bool is_empty = is_whole && divergence.begin == divergence.end;
      if (divergence.end == i && !is_empty) meet(d, i);
    });
    for (LoopProbe& probe : result_.probe.loops) {
      if (probe.loop.begin != i) continue;
      begin_iteration(probe);
      probe.position = result_.thread.code.size();
    }
    for_each_divergence([&](std::size_t d, const Divergence& divergence, bool is_whole) {
      if (!is_whole || divergence.begin != i) return;
      part(d, Expr::make_constant(static_cast<Value>(divergence.shape)), i);
      if (divergence.end == i) meet(d, i);
    });
    const Operation& operation = original_.code[i].operation;
    const bool acts = std::holds_alternative<Store>(operation) || std::holds_alternative<Rmw>(operation) ||
                      std::holds_alternative<Barrier>(operation) || std::holds_alternative<AsyncStep>(operation);
    if (request_.may_be_suspended && acts) {
      stop_here(add_stop(Stop::Kind::Suspended, 0, original_.code[i].span), passes(i));
    }
  }

  void begin_iteration(const LoopProbe& probe) {
    for (const CellProbe& cell : probe.cells) assign(cell.was_read, kZero);
    if (probe.conflict) assign(*probe.conflict, kZero);
    if (probe.changed) assign(*probe.changed, kZero);
    for (std::size_t r = 0; r < probe.saved.size(); ++r) assign(probe.saved[r], read_register(probe.loop.carried[r]));
  }

  void rewrite_instruction(std::size_t i) {
    const Instruction& instruction = original_.code[i];
    std::visit(Overloaded{[&](const OneOf<Load, Store, Rmw, Barrier, Branch, Jump, AsyncStep> auto& operation) {
                            rewrite_operation(operation, i);
                          },
                          [&](const OneOf<Assign, Fence, ProxyFence, Assume, Assert, TransactionBegin,
                                          TransactionEnd> auto& operation) { emit(operation, instruction.span); }},
               instruction.operation);
  }

  void rewrite_operation(const Load& load, std::size_t i) {
    if (!is_in_loop(i)) return emit(load, original_.code[i].span);
    Load watched = load;
    watched.target = add_register("loaded", load.access.type);
    if (load.succeeds) watched.succeeds = with_register(*load.succeeds, load.target, watched.target);
    emit(watched, original_.code[i].span);
    record(i, load.access, read_register(watched.target));
    assign(load.target, read_register(watched.target));
  }

  void rewrite_operation(const Store& store, std::size_t i) {
    emit(store, original_.code[i].span);
    note_change(i, kOne);
  }

  void rewrite_operation(const Rmw& rmw, std::size_t i) {
    if (!is_in_loop(i)) return emit(rmw, original_.code[i].span);
    Rmw watched = rmw;
    // The operand of an Update uses the target register, so an Update keeps its register.
    if (rmw.op != RmwOp::Update) watched.target = add_register("old", rmw.access.type);
    emit(watched, original_.code[i].span);
    const Expr old = read_register(*watched.target);
    record(i, rmw.access, old);
    note_change(i, negated(equal(updated(rmw, old), old, rmw.access.type)));
    if (rmw.target && rmw.target != watched.target) assign(*rmw.target, old);
  }

  void rewrite_operation(const AsyncStep& step, std::size_t i) {
    emit(step, original_.code[i].span);
    if (step.kind == AsyncStep::Kind::Issue) note_change(i, kOne);
  }

  void rewrite_operation(const Barrier& barrier, std::size_t i) {
    const SourceSpan span = original_.code[i].span;
    note_change(i, kOne);
    if (barrier.arrive_only) return emit(barrier, span);
    // A thread that waits forever ends here (model/events/stays.cpp), with its current registers.
    const std::size_t stop = add_stop(Stop::Kind::Barrier, 0, span);
    assign(result_.probe.stop, Expr::make_constant(static_cast<Value>(stop)));
    emit(barrier, span);
    assign(result_.probe.stop, kZero);
  }

  void rewrite_operation(const Branch& operation, std::size_t i) {
    const ScalarType type = operation.condition.result_type();
    const Expr taken = Expr::make(Op::NotEqual, type, {operation.condition, Expr::make_constant(0, type)});
    for (std::size_t d = 0; d < result_.probe.divergences.size(); ++d) {
      const Divergence& divergence = result_.probe.divergences[d].divergence;
      if (divergence.key.part == Divergence::Key::Part::Whole || divergence.begin != i) continue;
      part(d, taken, i);
    }
    const SourceSpan span = original_.code[i].span;
    if (operation.target > i) return branch(operation.condition, Fixup::To::Instruction, operation.target, span);
    const std::size_t loop = loop_at(operation.target);
    const std::size_t stop = stop_of_loop(loop);
    const LoopProbe& probe = result_.probe.loops[loop];
    if (probe.is_spin) return branch(taken, Fixup::To::Stop, stop, span);
    branch(both(taken, repeats(probe)), Fixup::To::Stop, stop, span);
    branch(operation.condition, Fixup::To::Instruction, operation.target, span);
  }

  void rewrite_operation(const Jump& operation, std::size_t i) {
    if (operation.target > i) return jump(Fixup::To::Instruction, operation.target);
    const std::size_t loop = loop_at(operation.target);
    const std::size_t stop = stop_of_loop(loop);
    const LoopProbe& probe = result_.probe.loops[loop];
    if (probe.is_spin) return jump(Fixup::To::Stop, stop);
    branch(repeats(probe), Fixup::To::Stop, stop, original_.code[i].span);
    jump(Fixup::To::Instruction, operation.target);
  }

  bool is_in_loop(std::size_t i) const {
    return std::any_of(result_.probe.loops.begin(), result_.probe.loops.end(),
                       [&](const LoopProbe& probe) { return is_inside(probe.loop, i); });
  }

  std::size_t loop_at(std::size_t begin) const {
    const auto& loops = result_.probe.loops;
    const auto found =
        std::find_if(loops.begin(), loops.end(), [&](const LoopProbe& probe) { return probe.loop.begin == begin; });
    AMBIT_ASSERT(found != loops.end());
    return static_cast<std::size_t>(found - loops.begin());
  }

  std::size_t stop_of_loop(std::size_t loop) {
    const auto& stops = result_.probe.stops;
    for (std::size_t s = 0; s < stops.size(); ++s) {
      if (stops[s].kind == Stop::Kind::Loop && stops[s].index == loop) return s + 1;
    }
    return add_stop(Stop::Kind::Loop, loop, original_.code[result_.probe.loops[loop].loop.begin].span);
  }

  /// Returns whether the next iteration would equal this one if other threads did not change memory.
  Expr repeats(const LoopProbe& probe) const {
    Expr same = negated(read_register(*probe.changed));
    for (std::size_t r = 0; r < probe.saved.size(); ++r) {
      const RegisterId carried = probe.loop.carried[r];
      same = both(std::move(same),
                  equal(read_register(probe.saved[r]), read_register(carried), result_.thread.registers[carried].type));
    }
    return same;
  }

  /// Records the value that the access of instruction i reads, in each loop that contains i.
  void record(std::size_t i, const MemoryAccess& access, const Expr& value) {
    std::vector<LocationId> touched = cells_of(i);
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const LoopProbe& probe : result_.probe.loops) {
      if (!is_inside(probe.loop, i)) continue;
      for (const CellProbe& cell : probe.cells) {
        if (!std::binary_search(touched.begin(), touched.end(), cell.location)) continue;
        record_cell(probe, cell, is_cell(access.address, cell.location), value);
      }
    }
  }

  Expr is_cell(const Expr& address, LocationId location) const {
    const Location& cell = program_.locations[location];
    Expr result = kZero;
    for (ObjectId object = 0; object < program_.objects.size(); ++object) {
      const MemoryObject& candidate = program_.objects[object];
      // Compare with the object itself and with its aliases.
      if (candidate.first != program_.objects[cell.object].first) continue;
      const Value here = make_address(object, cell.index);
      result = either(std::move(result), equal(address, Expr::make_constant(here, kLongLong), kLongLong));
    }
    return result;
  }

  void record_cell(const LoopProbe& probe, const CellProbe& cell, const Expr& here, const Expr& value) {
    const ScalarType type = program_.locations[cell.location].type;
    const Expr known = read_register(cell.value);
    if (probe.conflict) {
      const Expr differs = both(read_register(cell.was_read), negated(equal(known, value, type)));
      assign(*probe.conflict, either(read_register(*probe.conflict), both(here, differs)));
    }
    const bool is_sure = here.is_constant() && here.constant != 0;
    assign(cell.value, is_sure ? Expr::make_cast(value, type)
                               : Expr::make(Op::Select, type, {here, Expr::make_cast(value, type), known}));
    assign(cell.was_read, is_sure ? kOne : either(here, read_register(cell.was_read)));
  }

  void note_change(std::size_t i, const Expr& changed) {
    for (const LoopProbe& probe : result_.probe.loops) {
      if (!probe.changed || !is_inside(probe.loop, i)) continue;
      assign(*probe.changed, either(read_register(*probe.changed), changed));
    }
  }

  /// Emits a divergence: the lane takes direction `direction`, and may have to wait for lanes that take other
  /// directions.
  void part(std::size_t d, Expr direction, std::size_t i) {
    const DivergenceProbe& probe = result_.probe.divergences[d];
    assign(probe.direction, std::move(direction));
    assign(probe.inside, kOne);
    stop_here(add_stop(Stop::Kind::NotStarted, d, original_.code[i].span), passes(i));
  }

  void meet(std::size_t d, std::size_t i) {
    const DivergenceProbe probe = result_.probe.divergences[d];
    const Expr inside = read_register(probe.inside);
    // If control has not passed through the divergence, it does not reconverge at this point.
    const RegisterId came = add_register("came", kInt);
    assign(came, inside);
    assign(probe.inside, kZero);
    const std::size_t stop = add_stop(Stop::Kind::Reconvergence, d, original_.code[i].span);
    stop_here(stop, passes(i), read_register(came));
    assign(probe.passed, Expr::make(Op::Add, kInt, {read_register(probe.passed), read_register(came)}));
  }

  // ---- end ----
  void finish() {
    Code& code = result_.thread.code;
    for (const DivergenceProbe& probe : result_.probe.divergences) {
      if (probe.divergence.end == original_.code.size()) assign(probe.inside, kZero);
    }
    std::vector<std::size_t> stops;
    if (!result_.probe.stops.empty()) jump(Fixup::To::End, 0);
    for (std::size_t s = 1; s <= result_.probe.stops.size(); ++s) {
      stops.push_back(code.size());
      assign(result_.probe.stop, Expr::make_constant(static_cast<Value>(s)));
      if (s < result_.probe.stops.size()) jump(Fixup::To::End, 0);
    }
    for (const Fixup& fixup : fixups_) {
      std::size_t target = code.size();
      if (fixup.to == Fixup::To::Instruction) target = labels_[fixup.target];
      if (fixup.to == Fixup::To::Stop) target = stops[fixup.target - 1];
      if (auto* taken = std::get_if<Branch>(&code[fixup.from].operation)) taken->target = target;
      if (auto* taken = std::get_if<Jump>(&code[fixup.from].operation)) taken->target = target;
    }
  }

  /// Inserts the load of the choice before the code, and restricts the value to the choices of this thread.
  void read_choice() {
    Code& code = result_.thread.code;
    Load load;
    load.target = choice_;
    load.access.address =
        Expr::make_constant(make_address(static_cast<ObjectId>(program_.objects.size()), 0), kLongLong);
    load.access.type = kInt;
    const Expr within = Expr::make(Op::LessEqual, kInt, {read_register(choice_), Expr::make_constant(result_.choices)});
    constexpr std::size_t kAdded = 2;
    for (Instruction& instruction : code) {
      if (auto* taken = std::get_if<Branch>(&instruction.operation)) taken->target += kAdded;
      if (auto* taken = std::get_if<Jump>(&instruction.operation)) taken->target += kAdded;
    }
    for (LoopProbe& probe : result_.probe.loops) probe.position += kAdded;
    code.insert(code.begin(), {Instruction{load, {}}, Instruction{Assume{within}, {}}});
  }

  const RewriteRequest& request_;
  const Program& program_;
  const Thread& original_;
  RewrittenThread result_;
  RegisterId choice_ = 0;
  std::vector<std::size_t> labels_;  ///< for each original instruction and the end, the index of its new code
  std::vector<Fixup> fixups_;
};

}  // namespace

RewrittenThread rewrite_thread(const RewriteRequest& request) { return ThreadRewriter(request).rewrite(); }

}  // namespace ambit::termination
