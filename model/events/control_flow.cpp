#include "model/events/control_flow.h"

#include <algorithm>
#include <utility>

namespace ambit::events {
namespace {

std::vector<Loop> find_loops(const Thread& thread) {
  std::vector<Loop> loops;
  for (std::size_t i = 0; i < thread.code.size(); ++i) {
    const std::size_t* target = jump_target(thread.code[i].operation);
    if (target == nullptr || *target > i) continue;
    const auto same = std::find_if(loops.begin(), loops.end(), [&](const Loop& loop) { return loop.begin == *target; });
    if (same == loops.end()) {
      loops.push_back({*target, i});
    } else {
      same->end = i;  // jumps are visited in code order, so this jump is later
    }
  }
  std::sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) { return a.begin < b.begin; });
  return loops;
}

/// Finds a jump from outside a loop to an instruction of the loop other than the first. If two loops overlap but are
/// not nested, the backward jump of the later loop is such a jump.
std::optional<Diagnostic> find_irreducible(const Program& program, const Thread& thread,
                                           const std::vector<Loop>& loops) {
  for (std::size_t i = 0; i < thread.code.size(); ++i) {
    const std::size_t* target = jump_target(thread.code[i].operation);
    if (target == nullptr) continue;
    for (const Loop& loop : loops) {
      const bool inside = loop.begin <= i && i <= loop.end;
      if (inside || *target <= loop.begin || *target > loop.end) continue;
      return Diagnostic{program.source, thread.code[i].span, "jump into the middle of a loop",
                        "enter the loop at its first instruction, the target of its backward jump"};
    }
  }
  return std::nullopt;
}

void add_uses(const Expr& expr, RegisterSet& live) {
  if (expr.op == Op::Register) live[expr.reg] = true;
  for (const Expr& argument : expr.arguments) add_uses(argument, live);
}

/// Computes the registers that are live before an operation from the registers that are live after it. An assignment to
/// a dead register uses no registers (strong liveness), so a register that only counts is never live.
struct LiveBefore {
  RegisterSet& live;

  void operator()(const Assign& assign) const {
    if (!live[assign.target]) return;
    live[assign.target] = false;
    add_uses(assign.value, live);
  }
  void operator()(const Load& load) const {
    live[load.target] = false;
    add_uses(load.access.address, live);
  }
  void operator()(const Store& store) const {
    add_uses(store.access.address, live);
    add_uses(store.value, live);
  }
  void operator()(const Rmw& rmw) const {
    add_uses(rmw.operand, live);
    if (rmw.target) live[*rmw.target] = false;
    if (rmw.op != RmwOp::Update) add_uses(rmw.operand, live);
    add_uses(rmw.access.address, live);
    add_uses(rmw.compare, live);
  }
  void operator()(const Fence&) const {}
  void operator()(const ProxyFence&) const {}
  void operator()(const Barrier& barrier) const {
    if (barrier.resource) add_uses(*barrier.resource, live);
    if (barrier.count) add_uses(*barrier.count, live);
    if (!barrier.exchange) return;
    live[barrier.exchange->target] = false;
    add_uses(barrier.exchange->value, live);
    add_uses(barrier.exchange->source, live);
  }
  void operator()(const Branch& branch) const { add_uses(branch.condition, live); }
  void operator()(const Jump&) const {}
  void operator()(const Assume& assume) const { add_uses(assume.condition, live); }
  void operator()(const Assert& assertion) const { add_uses(assertion.condition, live); }
  void operator()(const AsyncStep& step) const {
    for (const AsyncElement& element : step.elements) {
      if (element.source) add_uses(element.source->address, live);
      if (element.target) add_uses(element.target->address, live);
      add_uses(element.value, live);
    }
    for (const Rmw& completion : step.completions) (*this)(completion);
  }
  void operator()(const TransactionBegin&) const {}
  void operator()(const TransactionEnd& end) const {
    if (end.aborted) add_uses(*end.aborted, live);
  }
};

/// Returns whether the condition of the branch at `at` has no effect: until both paths meet, the code only assigns dead
/// registers.
bool is_idle_branch(const Thread& thread, std::size_t at, const std::vector<RegisterSet>& live) {
  std::size_t meet = std::get<Branch>(thread.code[at].operation).target;
  if (meet <= at) return false;
  for (std::size_t i = at + 1; i < meet; ++i) {
    const Instruction& instruction = thread.code[i];
    if (const std::size_t* target = jump_target(instruction.operation)) {
      if (*target <= i) return false;
      meet = std::max(meet, *target);
      continue;
    }
    const auto* assign = std::get_if<Assign>(&instruction.operation);
    if (assign == nullptr || live[i + 1][assign->target]) return false;
  }
  return true;
}

/// Returns the registers that are live before each instruction, and at the end of the code.
std::vector<RegisterSet> live_registers(const Thread& thread, const std::vector<RegisterId>& observed) {
  const std::size_t size = thread.code.size();
  std::vector<RegisterSet> live(size + 1, RegisterSet(thread.registers.size(), false));
  for (const RegisterId r : observed) live[size][r] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = size; i-- > 0;) {
      const Operation& operation = thread.code[i].operation;
      RegisterSet before =
          std::holds_alternative<Jump>(operation) ? RegisterSet(thread.registers.size(), false) : live[i + 1];
      if (const std::size_t* target = jump_target(thread.code[i].operation)) {
        for (std::size_t r = 0; r < before.size(); ++r) before[r] = before[r] || live[*target][r];
      }
      // The set of live registers only grows from round to round. So from the first round in which a branch is not
      // idle, the branch's condition is live.
      if (!std::holds_alternative<Branch>(operation) || !is_idle_branch(thread, i, live)) {
        std::visit(LiveBefore{before}, operation);
      }
      if (before == live[i]) continue;
      live[i] = std::move(before);
      changed = true;
    }
  }
  return live;
}

std::vector<RegisterId> carried_registers(const Thread& thread, const Loop& loop, const RegisterSet& live) {
  std::vector<RegisterId> carried;
  for (std::size_t i = loop.begin; i <= loop.end; ++i) {
    const auto assigned = assigned_register(thread.code[i].operation);
    if (assigned && live[*assigned]) carried.push_back(*assigned);
  }
  std::sort(carried.begin(), carried.end());
  carried.erase(std::unique(carried.begin(), carried.end()), carried.end());
  return carried;
}

bool is_exchange(const Operation& operation) {
  const auto* barrier = std::get_if<Barrier>(&operation);
  return barrier != nullptr && barrier->exchange;
}

/// A loop may begin with assignments and exit branches. Returns the instruction after the last of these branches, or
/// the loop's start without an exit branch. An exchange of one value between threads may precede the branches, as in
/// while (__syncthreads_or(s == 0)).
std::size_t cut_of(const Thread& thread, const Loop& loop) {
  std::size_t cut = loop.begin;
  bool has_exchange = false;
  for (std::size_t i = loop.begin; i < loop.end; ++i) {
    const Operation& operation = thread.code[i].operation;
    if (std::holds_alternative<Assign>(operation)) continue;
    if (is_exchange(operation) && !std::exchange(has_exchange, true)) continue;
    const auto* branch = std::get_if<Branch>(&operation);
    if (branch == nullptr || branch->target <= loop.end) break;
    cut = i + 1;
  }
  return cut;
}

/// Returns the first instruction of the loop that is not an assignment.
std::size_t first_action(const Thread& thread, const Loop& loop) {
  std::size_t first = loop.begin;
  while (first < loop.end && std::holds_alternative<Assign>(thread.code[first].operation)) ++first;
  return first;
}

/// Returns true if the exchange at this source place belongs to the test before a loop's first iteration, and false if
/// the exchange belongs to the iterations. Returns nothing if the exchange is not in a loop, or if the loop begins with
/// the exchange and has its test after the exchange.
std::optional<bool> is_in_first_test(const Thread& thread, const SourceSpan& place) {
  for (Loop loop : find_loops(thread)) {
    loop.cut = cut_of(thread, loop);
    for (std::size_t i = loop.begin; i <= loop.end; ++i) {
      const Instruction& instruction = thread.code[i];
      if (!is_exchange(instruction.operation) || !(instruction.span == place)) continue;
      if (loop.cut > i) return true;
      if (i != first_action(thread, loop)) return false;
    }
  }
  return std::nullopt;
}

/// Computes Loop::begins_with_exchange. For a thread that only waits, `while (__syncthreads_or(s))` and `do ... while
/// (__syncthreads_or(s))` have the same code. The code of the other threads shows which kind of loop the source has.
bool begins_with_exchange(const Program& program, const Thread& thread, const Loop& loop) {
  const Instruction& first = thread.code[first_action(thread, loop)];
  if (loop.cut != loop.begin || !is_exchange(first.operation)) return false;
  for (const Thread& other : program.threads) {
    if (const std::optional<bool> found = is_in_first_test(other, first.span)) return *found;
  }
  return false;
}

/// Returns whether the loop contains no transaction, and reads memory or receives a value from other threads.
bool may_spin(const Thread& thread, const Loop& loop) {
  bool reads = false;
  for (std::size_t i = loop.begin; i <= loop.end; ++i) {
    const Operation& operation = thread.code[i].operation;
    if (std::holds_alternative<TransactionBegin>(operation)) return false;
    reads = reads || std::holds_alternative<Load>(operation) || std::holds_alternative<Rmw>(operation) ||
            is_exchange(operation);
  }
  return reads;
}

}  // namespace

void add_used_registers(const Operation& operation, RegisterSet& used) {
  if (const auto* assign = std::get_if<Assign>(&operation)) return add_uses(assign->value, used);
  RegisterSet live(used.size(), false);
  std::visit(LiveBefore{live}, operation);
  for (std::size_t r = 0; r < used.size(); ++r) used[r] = used[r] || live[r];
}

Result<ControlFlow> analyse_control_flow(const Program& program, const Thread& thread,
                                         const std::vector<RegisterId>& observed) {
  ControlFlow flow;
  flow.loops = find_loops(thread);
  flow.header.resize(thread.code.size());
  if (flow.loops.empty()) return flow;
  if (auto error = find_irreducible(program, thread, flow.loops)) return *error;
  flow.live = live_registers(thread, observed);
  for (std::size_t i = 0; i < flow.loops.size(); ++i) {
    Loop& loop = flow.loops[i];
    loop.cut = cut_of(thread, loop);
    loop.begins_with_exchange = begins_with_exchange(program, thread, loop);
    loop.may_spin = may_spin(thread, loop);
    loop.carried = carried_registers(thread, loop, flow.live[loop.begin]);
    loop.carried_at_cut = carried_registers(thread, loop, flow.live[loop.cut]);
    flow.header[loop.begin] = i;
  }
  return flow;
}

}  // namespace ambit::events
