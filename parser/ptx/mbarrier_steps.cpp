#include "parser/ptx/mbarrier_steps.h"

#include <fmt/format.h>

#include <utility>

namespace ambit::parser::ptx {

Rmw mbarrier_update(const MbarrierLayout& layout, MemoryAccess access, RegisterId old, const MbarrierChange& change) {
  const ScalarType type = access.type;
  const Expr state = Expr::make_register(old, type);
  Rmw rmw;
  rmw.access = std::move(access);
  rmw.target = old;
  rmw.is_arrival = change.arrivals > 0;
  rmw.op = layout.is_packed() ? RmwOp::Update : RmwOp::Add;
  if (!layout.is_packed()) {
    rmw.operand = Expr::make_constant(change.arrivals, type);
  } else {
    rmw.operand = change.arrivals > 0 ? layout.after_arrival(state, change.arrivals, change.bytes, change.drops)
                                      : layout.after_expect(state, change.bytes);
  }
  return rmw;
}

std::vector<Assert> mbarrier_rules(const MbarrierLayout& layout, const Expr& state, const MbarrierChange& change) {
  if (!layout.is_packed()) return {};
  std::vector<Assert> rules;
  if (change.arrivals == 0) {
    rules.push_back({layout.is_live(state), "the mbarrier is not initialised"});
  } else {
    rules.push_back({layout.has_pending(state, change.arrivals + (change.no_complete ? 1 : 0)),
                     change.no_complete ? "arrive.noComplete ends the phase"
                                        : "the mbarrier is not initialised, or the phase has all its arrivals"});
  }
  rules.push_back(
      {layout.stays_in_range(state, change.bytes), "the transaction count of the mbarrier leaves its range"});
  std::erase_if(rules, [](const Assert& rule) { return rule.condition.is_constant() && rule.condition.constant != 0; });
  return rules;
}

std::vector<Assert> mbarrier_init_rules(const MbarrierLayout& layout, const Expr& state) {
  if (!layout.is_packed()) return {};
  return {Assert{Expr::make(Op::LogicalNot, kInt, {layout.is_live(state)}),
                 "the mbarrier is initialised while it is in use: mbarrier.inval must come first"}};
}

Rmw mbarrier_join(const MbarrierLayout& layout, MemoryAccess access, RegisterId old) {
  Rmw rmw;
  rmw.op = RmwOp::Update;
  rmw.target = old;
  rmw.operand = layout.after_joining(Expr::make_register(old, access.type), 1);
  rmw.access = std::move(access);
  return rmw;
}

Expr phase_is_over(const MbarrierLayout& layout, const Expr& state, Expr awaited, bool by_parity, ScalarType type) {
  Expr phase = layout.phase(state);
  if (!by_parity) return Expr::make(Op::Greater, type, {std::move(phase), std::move(awaited)});
  // The phase of that parity has completed when the current phase has the other parity.
  Expr parity = Expr::make(Op::BitAnd, type, {std::move(phase), Expr::make_constant(1, type)});
  return Expr::make(Op::NotEqual, type, {std::move(parity), std::move(awaited)});
}

Fence fence_of(const Opcode& opcode) { return {opcode.order, opcode.scope, opcode.is_shared_only}; }

ProxyFence proxy_fence_of(const Opcode& opcode) {
  return {.proxy = opcode.proxy,
          .is_alias = opcode.is_alias_fence,
          .space = opcode.fence_space,
          .is_mbarrier_init = opcode.is_mbarrier_init_fence,
          .direction = opcode.fence_direction,
          .scope = opcode.scope};
}

std::string async_name(const std::vector<Word>& words) {
  std::string name;
  for (const Word& word : words) {
    const bool is_detail = word.text.find("shared") == 0 || word.text == "global" || word.text == "sync" ||
                           word.text == "ca" || word.text == "cg" || word.text == "weak" || word.text == "relaxed";
    if (is_detail) break;
    name += (name.empty() ? "" : ".") + std::string(word.text);
  }
  return name;
}

std::string copy_size_flaw(const InstructionNode& node, const AsyncForm& form, Value bytes) {
  const bool is_bulk = form.group != AsyncGroup::Copy;
  if (is_bulk) {
    return bytes % kBulkUnit == 0 ? "" : fmt::format("a bulk copy of {} bytes: PTX asks for a multiple of 16", bytes);
  }
  const bool is_16 = node.opcode[2].text == "cg";
  if (is_16 ? bytes == 16 : bytes == 4 || bytes == 8 || bytes == 16) return "";
  return fmt::format("cp.async{} copies {} bytes, not {}", is_16 ? ".cg" : "", is_16 ? "16" : "4, 8 or 16", bytes);
}

}  // namespace ambit::parser::ptx
