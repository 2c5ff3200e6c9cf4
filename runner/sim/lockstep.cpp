#include "runner/sim/lockstep.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace ambit::sim {
namespace {

constexpr std::int64_t kSuffix = std::int64_t{1} << 60U;
constexpr std::int64_t kMiddle = std::int64_t{1} << 40U;

bool is_same(const Instruction& a, const Instruction& b) {
  return a.span == b.span && a.operation.index() == b.operation.index();
}

bool is_same(const std::vector<Instruction>& a, const std::vector<Instruction>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Instruction& x, const Instruction& y) { return is_same(x, y); });
}

std::vector<std::size_t> successors(const std::vector<Instruction>& code, std::size_t pc) {
  if (const auto* jump = std::get_if<Jump>(&code[pc].operation)) return {jump->target};
  if (const auto* branch = std::get_if<Branch>(&code[pc].operation)) return {branch->target, pc + 1};
  return {pc + 1};
}

/// Returns the immediate post-dominators. Uses the iteration of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
/// Algorithm" (2001), on the reversed graph. code.size() represents the end of the code. For an instruction that cannot
/// reach the end, the result is also the end.
std::vector<std::uint32_t> immediate_postdominators(const std::vector<Instruction>& code) {
  const auto end = static_cast<std::uint32_t>(code.size());
  std::vector<std::vector<std::uint32_t>> predecessors(code.size() + 1);
  for (std::uint32_t pc = 0; pc < end; ++pc) {
    for (const std::size_t next : successors(code, pc)) predecessors[next].push_back(pc);
  }
  std::vector<std::uint32_t> order;  // post order of the reversed graph
  std::vector<std::uint32_t> number(code.size() + 1, kNone);
  std::vector<bool> seen(code.size() + 1);
  std::vector<std::pair<std::uint32_t, std::size_t>> path = {{end, 0}};
  seen[end] = true;
  while (!path.empty()) {
    auto& [node, next] = path.back();
    if (next == predecessors[node].size()) {
      number[node] = static_cast<std::uint32_t>(order.size());
      order.push_back(node);
      path.pop_back();
      continue;
    }
    const std::uint32_t child = predecessors[node][next++];
    if (!seen[child]) {
      seen[child] = true;
      path.emplace_back(child, 0);
    }
  }
  std::vector<std::uint32_t> result(code.size() + 1, kNone);
  result[end] = end;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = order.size() - 1; i-- > 0;) {
      const std::uint32_t node = order[i];
      std::uint32_t found = kNone;
      for (const std::size_t next : successors(code, node)) {
        auto other = static_cast<std::uint32_t>(next);
        if (result[other] == kNone) continue;
        while (found != kNone && found != other) {
          if (number[found] < number[other]) {
            found = result[found];
          } else {
            other = result[other];
          }
        }
        found = other;
      }
      if (found != result[node]) changed = true;
      result[node] = found;
    }
  }
  std::replace(result.begin(), result.end(), kNone, end);
  return result;
}

}  // namespace

Lockstep::Lockstep(const Machine& machine) : machine_(machine) {
  const Program& program = machine.program();
  std::map<std::tuple<int, int, int>, std::size_t> numbers;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    const ThreadPlace& place = program.threads[t].place;
    const std::size_t warp = numbers.try_emplace({place.gpu, place.block, place.warp}, warps_.size()).first->second;
    if (warp == warps_.size()) warps_.emplace_back();
    std::vector<std::uint32_t>& threads = warps_[warp].threads;
    warp_of_.push_back(static_cast<std::uint32_t>(warp));
    lane_of_.push_back(1U << (threads.size() % 32));
    const auto alike = std::find_if(threads.begin(), threads.end(), [&](std::uint32_t other) {
      return is_same(program.threads[other].code, program.threads[t].code);
    });
    code_class_.push_back(alike == threads.end() ? t : code_class_[*alike]);
    threads.push_back(t);
    postdominator_.push_back(immediate_postdominators(program.threads[t].code));
  }
  for (Warp& warp : warps_) align(warp);
}

void Lockstep::align(Warp& warp) const {
  const auto code = [this](std::uint32_t t) -> const std::vector<Instruction>& {
    return machine_.program().threads[t].code;
  };
  const std::vector<Instruction>& first = code(warp.threads.front());
  std::size_t shortest = first.size();
  bool are_same = true;
  for (const std::uint32_t t : warp.threads) {
    shortest = std::min(shortest, code(t).size());
    are_same = are_same && code_class_[t] == code_class_[warp.threads.front()];
  }
  if (are_same) {
    warp.prefix = first.size();
    return;
  }
  const auto all = [&](auto holds) { return std::all_of(warp.threads.begin(), warp.threads.end(), holds); };
  while (warp.prefix < shortest &&
         all([&](std::uint32_t t) { return is_same(code(t)[warp.prefix], first[warp.prefix]); })) {
    ++warp.prefix;
  }
  while (warp.prefix + warp.suffix < shortest && all([&](std::uint32_t t) {
           return is_same(code(t)[code(t).size() - warp.suffix - 1], first[first.size() - warp.suffix - 1]);
         })) {
    ++warp.suffix;
  }
}

std::int64_t Lockstep::position(const Warp& warp, std::uint32_t thread, std::size_t pc) const {
  const std::size_t size = machine_.program().threads[thread].code.size();
  if (pc < warp.prefix) return static_cast<std::int64_t>(pc);
  if (pc + warp.suffix >= size) return kSuffix + static_cast<std::int64_t>(pc + warp.suffix - size);
  return kMiddle * (1 + static_cast<std::int64_t>(code_class_[thread])) + static_cast<std::int64_t>(pc);
}

bool Lockstep::is_at(const State& state, const Warp& warp, std::uint32_t thread, std::int64_t place) const {
  return position(warp, thread, state.threads[thread].pc) == place;
}

void Lockstep::reset(State& state) const {
  state.warps.resize(warps_.size());
  for (std::size_t w = 0; w < warps_.size(); ++w) {
    std::uint32_t lanes = 0;
    for (const std::uint32_t t : warps_[w].threads) {
      lanes |= lane_of_[t];
      state.threads[t].has_exited = machine_.program().threads[t].code.empty();
    }
    const auto end = static_cast<std::int64_t>(warps_[w].suffix);
    state.warps[w] = {};
    state.warps[w].stack.push_back({.lanes = lanes, .reconvergence = kSuffix + end});
    settle(state, w);
  }
}

bool Lockstep::may_step(const State& state, std::uint32_t thread) const {
  const Warp& warp = warps_[warp_of_[thread]];
  const WarpState& self = state.warps[warp_of_[thread]];
  if ((self.pending & lane_of_[thread]) == 0 || self.undecided > 0) return false;
  if (self.pending != self.active) return true;
  return !std::all_of(warp.threads.begin(), warp.threads.end(), [&](std::uint32_t t) {
    return (self.active & lane_of_[t]) == 0 || machine_.spins_in_vain(state, t);
  });
}

void Lockstep::after_step(State& state, std::uint32_t thread) const {
  ThreadState& moved = state.threads[thread];
  if (!moved.is_waiting) {
    if (machine_.is_at_code_end(state, thread)) machine_.exit(state, thread);
    state.warps[warp_of_[thread]].pending &= ~lane_of_[thread];
  }
  after_action(state);
}

void Lockstep::after_action(State& state) const {
  mask_failed_attempts(state);
  for (std::size_t warp = 0; warp < warps_.size(); ++warp) {
    const WarpState& self = state.warps[warp];
    if (self.pending == 0 && self.active != 0) settle(state, warp);
  }
}

/// Removes lanes from an attempt if a conflict has ended the attempt for these lanes. These lanes are at the beginning
/// of the transaction again.
void Lockstep::mask_failed_attempts(State& state) const {
  for (std::uint32_t t = 0; t < state.transactions.size(); ++t) {
    if (!state.transactions[t].has_failed) continue;
    state.transactions[t].has_failed = false;
    WarpState& self = state.warps[warp_of_[t]];
    self.pending &= ~lane_of_[t];
    for (std::size_t i = self.stack.size(); i-- > 0;) {
      self.stack[i].lanes &= ~lane_of_[t];
      if (self.stack[i].kind == WarpEntry::Kind::Attempt) break;
    }
  }
}

void Lockstep::choose_side(State& state, std::size_t warp, std::uint32_t side) const {
  WarpState& self = state.warps[warp];
  AMBIT_ASSERT(side < self.undecided);
  std::swap(self.stack[self.stack.size() - 1 - side], self.stack.back());
  self.undecided = 0;
  settle(state, warp);
}

/// Removes lanes that have exited, and entries whose lanes have all reached their reconvergence point.
void Lockstep::drop_finished(State& state, const Warp& warp, WarpState& self) const {
  while (!self.stack.empty()) {
    WarpEntry& top = self.stack.back();
    bool is_finished = true;
    for (const std::uint32_t t : warp.threads) {
      if ((top.lanes & lane_of_[t]) == 0) continue;
      if (state.threads[t].has_exited) top.lanes &= ~lane_of_[t];
      if (!state.threads[t].has_exited && !is_at(state, warp, t, top.reconvergence)) is_finished = false;
    }
    if (!is_finished) return;
    self.stack.pop_back();
  }
}

void Lockstep::settle(State& state, std::size_t warp) const {
  constexpr std::uint32_t kMaxLocal = 1U << 20U;
  WarpState& self = state.warps[warp];
  self.active = self.pending = 0;
  for (std::uint32_t budget = kMaxLocal; self.undecided == 0 && !state.is_dropped; --budget) {
    drop_finished(state, warps_[warp], self);
    if (self.stack.empty()) return;
    if (splits(state, warps_[warp], self) || tries(state, warps_[warp], self)) continue;
    const auto& threads = warps_[warp].threads;
    const auto lead = std::find_if(threads.begin(), threads.end(),
                                   [&](std::uint32_t t) { return (self.stack.back().lanes & lane_of_[t]) != 0; });
    const bool is_stuck = state.threads[*lead].spin != kNone && state.loops[state.threads[*lead].spin].watches == 0;
    if (!machine_.is_local(state, *lead) || is_stuck) {
      self.active = self.pending = self.stack.back().lanes;
      return;
    }
    if (budget == 0) {
      state.is_endless = true;
      return;
    }
    execute(state, warps_[warp], self);
  }
}

/// Returns the lanes that run when the entry is on top of the stack. For a Transaction entry, returns the lanes that
/// have not ended the transaction.
std::uint32_t Lockstep::running(const State& state, const Warp& warp, const WarpEntry& entry) const {
  if (entry.kind != WarpEntry::Kind::Transaction) return entry.lanes;
  std::uint32_t lanes = 0;
  for (const std::uint32_t t : warp.threads) {
    const bool has_ended = is_at(state, warp, t, entry.reconvergence) || state.threads[t].has_exited;
    if ((entry.lanes & lane_of_[t]) != 0 && !has_ended) lanes |= lane_of_[t];
  }
  return lanes;
}

/// If the lanes are in different code after the common prefix, and no branch separated them, treats them as the sides
/// of a branch.
bool Lockstep::splits(State& state, const Warp& warp, WarpState& self) const {
  const std::uint32_t lanes = running(state, warp, self.stack.back());
  std::map<std::int64_t, std::uint32_t> sides;
  for (const std::uint32_t t : warp.threads) {
    if ((lanes & lane_of_[t]) != 0) sides[position(warp, t, state.threads[t].pc)] |= lane_of_[t];
  }
  if (sides.size() < 2) return false;
  push_sides(self, sides, kSuffix);
  return true;
}

/// Adds an entry if the lanes begin or restart a transaction.
bool Lockstep::tries(State& state, const Warp& warp, WarpState& self) const {
  const WarpEntry top = self.stack.back();
  if (top.kind == WarpEntry::Kind::Attempt) return false;
  if (top.kind == WarpEntry::Kind::Transaction) {
    self.stack.push_back({running(state, warp, top), top.reconvergence, WarpEntry::Kind::Attempt});
    return true;
  }
  std::optional<std::int64_t> after;  // position at which all lanes of the transaction continue
  for (const std::uint32_t t : warp.threads) {
    if ((top.lanes & lane_of_[t]) == 0) continue;
    if (!std::holds_alternative<TransactionBegin>(machine_.next_operation(state, t))) return false;
    const std::vector<Instruction>& code = machine_.program().threads[t].code;
    std::size_t end = state.threads[t].pc;
    while (!std::holds_alternative<TransactionEnd>(code[end].operation)) ++end;
    const std::int64_t place = position(warp, t, end + 1);
    after = after.value_or(place) == place ? place : kSuffix;
  }
  self.stack.push_back({top.lanes, after.value_or(kSuffix), WarpEntry::Kind::Transaction});
  return true;
}

void Lockstep::push_sides(WarpState& self, const std::map<std::int64_t, std::uint32_t>& sides,
                          std::int64_t meeting) const {
  for (const auto& [place, lanes] : sides) {
    if (place == meeting) continue;
    self.stack.push_back({.lanes = lanes, .reconvergence = meeting});
    ++self.undecided;
  }
  if (self.undecided < 2) self.undecided = 0;
}

/// Executes one register operation in all running lanes. If the lanes diverge, pushes an entry for each side.
void Lockstep::execute(State& state, const Warp& warp, WarpState& self) const {
  const WarpEntry top = self.stack.back();
  std::map<std::int64_t, std::uint32_t> sides;
  std::int64_t meeting = kSuffix;
  for (const std::uint32_t t : warp.threads) {
    if ((top.lanes & lane_of_[t]) == 0) continue;
    ThreadState& thread = state.threads[t];
    const std::uint32_t before = thread.pc;
    const bool is_branch = std::holds_alternative<Branch>(machine_.next_operation(state, t));
    machine_.execute_local(state, t);
    if (machine_.is_at_code_end(state, t)) machine_.exit(state, t);
    if (is_branch) {
      const std::int64_t place = position(warp, t, postdominator_[t][before]);
      meeting = place < kMiddle || place >= kSuffix ? place : kSuffix;
    }
    sides[position(warp, t, thread.pc)] |= lane_of_[t];
  }
  // Lanes in the code between common prefix and common suffix reconverge at the beginning of the suffix.
  if (sides.size() >= 2) push_sides(self, sides, meeting);
}

}  // namespace ambit::sim
