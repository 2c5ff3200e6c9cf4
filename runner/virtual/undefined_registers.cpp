#include "runner/virtual/undefined_registers.h"

#include <cstdint>
#include <map>

namespace ambit::virtual_gpu {
namespace {

using ptx::Opcode;
using ptx::Operand;
using Bits = std::vector<std::uint64_t>;

/// A range of instructions without a branch: [first, end).
struct Stretch {
  std::size_t first = 0;
  std::size_t end = 0;
  std::vector<std::size_t> next;  ///< indices of the stretches that can follow
  Bits live;                      ///< registers that are live at the beginning of the stretch
};

bool ends_stretch(Opcode opcode) {
  return opcode == Opcode::Bra || opcode == Opcode::BrxIndex || opcode == Opcode::Ret || opcode == Opcode::Exit ||
         opcode == Opcode::Trap || opcode == Opcode::Brkpt;
}

/// Computes which registers are live (Aho, Lam, Sethi, Ullman, "Compilers", second edition, section 9.2.5).
class Liveness {
 public:
  explicit Liveness(const ptx::Function& function)
      : function_(function), words_((function.registers.size() + 63) / 64) {
    find_stretches();
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (std::size_t i = stretches_.size(); i-- > 0;) is_changed = follow(stretches_[i]) || is_changed;
    }
  }

  bool is_live_at_entry(std::size_t number) const {
    return !stretches_.empty() && (stretches_[0].live[number / 64] >> number % 64 & 1U) != 0;
  }

 private:
  void find_stretches() {
    const std::size_t count = function_.instructions.size();
    std::vector<bool> begins(count + 1);
    begins[0] = true;
    for (const ptx::Label& label : function_.labels) begins[label.instruction] = true;
    for (std::size_t i = 0; i < count; ++i) {
      if (ends_stretch(function_.instructions[i].opcode)) begins[i + 1] = true;
    }
    std::map<std::size_t, std::size_t> number;
    for (std::size_t i = 0; i <= count; ++i) {
      if (!begins[i] && i != count) continue;
      if (!stretches_.empty()) stretches_.back().end = i;
      number[i] = stretches_.size();
      stretches_.push_back({i, i, {}, Bits(words_)});
    }
    for (Stretch& stretch : stretches_) find_next(stretch, number);
  }

  void find_next(Stretch& stretch, const std::map<std::size_t, std::size_t>& number) const {
    if (stretch.first == stretch.end) return;  // the stretch is the end of the function
    const ptx::Instruction& last = function_.instructions[stretch.end - 1];
    if (last.opcode == Opcode::Bra || last.opcode == Opcode::BrxIndex) {
      const Operand& to = last.operands[last.opcode == Opcode::Bra ? 0 : 1];
      if (to.kind == Operand::Kind::Label) stretch.next.push_back(number.at(function_.labels[to.index].instruction));
      if (to.kind == Operand::Kind::Targets) {
        for (const std::uint32_t label : function_.targets[to.index].indexes) {
          stretch.next.push_back(number.at(function_.labels[label].instruction));
        }
      }
    }
    const bool goes_on = !ends_stretch(last.opcode) || last.guard.reg != ptx::kNone;
    if (goes_on) stretch.next.push_back(number.at(stretch.end));
  }

  /// Goes backwards through a stretch and computes its live registers. Returns whether the set of live registers has
  /// grown.
  bool follow(Stretch& stretch) const {
    Bits live(words_);
    for (const std::size_t next : stretch.next) {
      for (std::size_t i = 0; i < words_; ++i) live[i] |= stretches_[next].live[i];
    }
    if (stretch.first == stretch.end) add_results(live);
    for (std::size_t i = stretch.end; i-- > stretch.first;) step(function_.instructions[i], live);
    if (live == stretch.live) return false;
    stretch.live = std::move(live);
    return true;
  }

  /// Changes `live` from the registers that are live after the instruction to the registers that are live before it.
  void step(const ptx::Instruction& instruction, Bits& live) const {
    const bool writes = ptx::row_of(instruction.opcode).operands.starts_with('d');
    const bool is_sure = instruction.guard.reg == ptx::kNone;
    const auto operands = instruction.top_operands();
    const bool is_call = instruction.opcode == Opcode::Call;
    if (writes && is_sure && !operands.empty()) {
      for_each_register(instruction, operands[0], [&](std::uint32_t number) { erase(live, number); });
    }
    for (std::size_t i = writes || is_call ? 1 : 0; i < operands.size(); ++i) {
      for_each_register(instruction, operands[i], [&](std::uint32_t number) { add(live, number); });
    }
    if (!is_sure) add(live, instruction.guard.reg);
    if (instruction.opcode == Opcode::Ret) add_results(live);
  }

  template <class Call>
  static void for_each_register(const ptx::Instruction& instruction, const Operand& operand, Call call) {
    const bool is_address = operand.kind == Operand::Kind::Address && operand.base == Operand::Base::Register;
    if (operand.kind == Operand::Kind::Register || is_address) call(operand.index);
    for (const Operand& element : instruction.elements(operand)) {
      if (element.kind == Operand::Kind::Register) call(element.index);
    }
  }

  void add_results(Bits& live) const {
    for (const ptx::Parameter& result : function_.returns) {
      if (result.is_register) add(live, result.index);
    }
  }

  static void add(Bits& live, std::uint32_t number) { live[number / 64] |= std::uint64_t{1} << number % 64; }
  static void erase(Bits& live, std::uint32_t number) { live[number / 64] &= ~(std::uint64_t{1} << number % 64); }

  const ptx::Function& function_;
  std::size_t words_;
  std::vector<Stretch> stretches_;
};

}  // namespace

std::vector<bool> undefined_registers(const ptx::Function& function) {
  const Liveness liveness(function);
  std::vector<bool> made(function.registers.size());
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = liveness.is_live_at_entry(i);
  return made;
}

}  // namespace ambit::virtual_gpu
