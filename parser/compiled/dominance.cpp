// A register with one definition is replaced by its expression if the definition dominates every use. A use that the
// definition does not dominate may see the value of an earlier iteration. In the meantime, other instructions may have
// changed the inputs of the expression. Therefore a register with a non-dominated use remains a register of the thread.

#include <algorithm>

#include "parser/compiled/compiled_thread.h"

namespace ambit::parser::compiled {

using assembly::kNone;
using assembly::Opcode;
using assembly::Operand;

namespace {

/// The dominator tree of the code (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm").
class Dominators {
 public:
  explicit Dominators(const std::vector<std::vector<std::uint32_t>>& successors) : successors_(successors) {
    number_positions();
    find_immediate();
    number_tree();
  }

  /// Returns whether every path to `b` passes through `a` first.
  bool is_before(std::uint32_t a, std::uint32_t b) const {
    return a != b && enter_[a] <= enter_[b] && leave_[b] <= leave_[a];
  }

 private:
  /// Numbers positions in postorder. Unreachable positions keep the number 0; the first position has a greater number.
  void number_positions() {
    const std::size_t size = successors_.size();
    order_.assign(size, 0);
    std::vector<bool> known(size, false);
    std::vector<std::pair<std::uint32_t, std::size_t>> open = {{0, 0}};
    known[0] = true;
    while (!open.empty()) {
      auto& [at, next] = open.back();
      if (next == successors_[at].size()) {
        postorder_.push_back(at);
        order_[at] = static_cast<std::uint32_t>(postorder_.size());
        open.pop_back();
        continue;
      }
      const std::uint32_t to = successors_[at][next++];
      if (known[to]) continue;
      known[to] = true;
      open.emplace_back(to, 0);
    }
  }

  void find_immediate() {
    std::vector<std::vector<std::uint32_t>> predecessors(successors_.size());
    for (const std::uint32_t at : postorder_) {
      for (const std::uint32_t to : successors_[at]) predecessors[to].push_back(at);
    }
    immediate_.assign(successors_.size(), kNone);
    immediate_[0] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (auto at = postorder_.rbegin(); at != postorder_.rend(); ++at) {
        if (*at == 0) continue;
        std::uint32_t found = kNone;
        for (const std::uint32_t from : predecessors[*at]) {
          if (immediate_[from] != kNone) found = found == kNone ? from : meet(found, from);
        }
        changed = changed || found != immediate_[*at];
        immediate_[*at] = found;
      }
    }
  }

  std::uint32_t meet(std::uint32_t a, std::uint32_t b) const {
    while (a != b) {
      while (order_[a] < order_[b]) a = immediate_[a];
      while (order_[b] < order_[a]) b = immediate_[b];
    }
    return a;
  }

  void number_tree() {
    std::vector<std::vector<std::uint32_t>> children(successors_.size());
    for (const std::uint32_t at : postorder_) {
      if (at != 0) children[immediate_[at]].push_back(at);
    }
    enter_.assign(successors_.size(), 0);
    leave_.assign(successors_.size(), 0);
    std::uint32_t clock = 0;
    std::vector<std::pair<std::uint32_t, std::size_t>> open = {{0, 0}};
    enter_[0] = clock++;
    while (!open.empty()) {
      auto& [at, next] = open.back();
      if (next == children[at].size()) {
        leave_[at] = clock++;
        open.pop_back();
        continue;
      }
      const std::uint32_t child = children[at][next++];
      enter_[child] = clock++;
      open.emplace_back(child, 0);
    }
  }

  const std::vector<std::vector<std::uint32_t>>& successors_;
  std::vector<std::uint32_t> postorder_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> immediate_;
  std::vector<std::uint32_t> enter_;
  std::vector<std::uint32_t> leave_;
};

}  // namespace

/// Returns the registers and slots that an instruction reads.
std::vector<CompiledThread::Variable> CompiledThread::sources(std::uint32_t at) const {
  const FlatInstruction& flat = flat_.code[at];
  const assembly::Instruction& instruction = *flat.instruction;
  std::vector<Variable> read;
  if (instruction.guard.reg != kNone) read.push_back(flat.reg(instruction.guard.reg));
  const auto add = [&](const Operand& operand) {
    const bool is_base = operand.kind == Operand::Kind::Address && operand.base == Operand::Base::Register;
    if (operand.kind == Operand::Kind::Register || is_base) read.push_back(flat.reg(operand.index));
  };
  const std::size_t first = targets(at).empty() ? 0 : 1;
  for (std::size_t i = first; i < instruction.operand_count; ++i) {
    const Operand& operand = instruction.operands[i];
    add(operand);
    for (const Operand& element : instruction.elements(operand)) {
      add(element);
      for (const Operand& coordinate : instruction.elements(element)) add(coordinate);
    }
  }
  const auto uses = slot_uses_.find(at);
  if (uses != slot_uses_.end() && instruction.opcode == Opcode::Ld) {
    for (const SlotUse& use : uses->second) read.push_back(use.slot);
  }
  return read;
}

void CompiledThread::force_undominated(const std::vector<std::vector<std::uint32_t>>& successors) {
  std::optional<Dominators> dominators;
  for (std::uint32_t at = 0; at < flat_.code.size(); ++at) {
    if (!reached_[at] || guards_[at] == Value{0}) continue;
    for (const Variable variable : sources(at)) {
      if (variable >= definitions_.size() || !is_single(variable)) continue;
      const std::uint32_t defined = definitions_[variable].front().at;
      if (!dominators) dominators.emplace(successors);
      if (dominators->is_before(defined, at)) continue;
      is_forced_[variable] = true;
      restart_ = true;
    }
  }
}

}  // namespace ambit::parser::compiled
