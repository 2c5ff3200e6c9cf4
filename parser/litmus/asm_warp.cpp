// Lowers the warp-level instructions of inline assembly: products of matrices in registers, loads and stores of matrix
// fragments, and the election of a lane. Also skips instructions that have no effect in a memory model.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "parser/litmus/asm_lowering.h"
#include "parser/litmus/fragment_lowering.h"
#include "parser/litmus/special_registers.h"

namespace ambit::parser::litmus {
namespace {

/// Prefixes of instructions that neither access the program's memory nor change values: cache hints and changes of a
/// warp's register count.
constexpr std::array<std::string_view, 6> kWithoutEffect = {
    "setmaxnreg.", "prefetch.", "prefetchu.", "cp.async.bulk.prefetch.", "applypriority.", "pmevent"};

bool is_product(std::string_view opcode) { return opcode.starts_with("mma.") || opcode.starts_with("wmma.mma."); }

}  // namespace

/// Lowers an instruction of these kinds; returns nothing for other instructions.
std::optional<bool> AsmLowering::warp_instruction(const Statement& statement) {
  const std::string_view opcode = statement.opcode;
  if (opcode.starts_with("ldmatrix.") || opcode.starts_with("stmatrix.")) return fragment(statement);
  if (is_product(opcode)) return product(statement);
  if (opcode == "elect.sync") return elect(statement);
  const bool has_no_effect =
      std::ranges::any_of(kWithoutEffect, [&](std::string_view prefix) { return opcode.starts_with(prefix); });
  if (has_no_effect) return true;
  return std::nullopt;
}

/// Assigns an opaque value of the register's type to a register.
bool AsmLowering::assign_opaque(const std::string& name, const std::vector<Operand>& from) {
  const auto found = state_.registers.find(name);
  const ScalarType type = found == state_.registers.end() ? kInt : found->second.type;
  return assign(name, Operand::opaque(Type{.scalar = type, .is_opaque = true}, from));
}

/// Lowers ldmatrix {d}, [row] and stmatrix [row], {s}.
bool AsmLowering::fragment(const Statement& statement) {
  const std::optional<FragmentForm> form = fragment_form(statement.opcode);
  if (!form) {
    return fail(fmt::format("unknown instruction '{}'", statement.opcode),
                "the forms are ldmatrix.sync.aligned.m8n8.x1|.x2|.x4[.trans][.shared].b16, likewise for stmatrix");
  }
  if (statement.operands.size() != 2) {
    return fail(fmt::format("'{}' takes 2 operands, not {}", statement.opcode, statement.operands.size()));
  }
  const std::string& braces = statement.operands[form->is_load ? 0 : 1];
  const auto names = registers_in(braces.starts_with('{') ? braces : fmt::format("{{{}}}", braces));
  const std::optional<PtxOperand> address = operand(statement.operands[form->is_load ? 1 : 0]);
  if (!names || !address) return false;
  if (names->size() != form->registers) {
    return fail(
        fmt::format("'{}' has {} registers in each lane, not {}", statement.opcode, form->registers, names->size()));
  }
  if (address->kind != PtxOperand::Kind::Address) return fail("expected the address of a row in brackets");
  std::vector<AsyncCell> row;
  if (thread_.values_matter() && thread_.setting.place.lane < form->rows) {
    AsyncLowering async(thread_);
    if (!async.is_in(address->operand, MemorySpace::Shared, state_.span, "row")) return false;
    auto cells = async.cells(address->operand, kRowBytes, state_.span);
    if (!cells) return false;
    row = *std::move(cells);
  }
  FragmentLowering fragments(thread_);
  if (form->is_load) {
    const Operand loaded = fragments.load(*form, row, state_.span);
    return std::ranges::all_of(*names, [&](const std::string& name) { return assign_opaque(name, {loaded}); });
  }
  std::vector<Operand> values;
  for (const std::string& name : *names) values.push_back(*value(name));
  fragments.store(row, values, state_.span);
  return true;
}

/// Lowers mma {d}, {a}, {b}, {c}. Ambit does not compute the product.
bool AsmLowering::product(const Statement& statement) {
  if (statement.operands.size() < 4) return fail(fmt::format("'{}' takes at least 4 operands", statement.opcode));
  std::vector<Operand> factors;
  for (std::size_t i = 1; i < statement.operands.size(); ++i) {
    const std::optional<PtxOperand> read = operand(statement.operands[i]);
    if (!read) return false;
    if (read->kind == PtxOperand::Kind::Vector) {
      factors.insert(factors.end(), read->coordinates.begin(), read->coordinates.end());
    } else {
      factors.push_back(read->operand);
    }
  }
  if (std::ranges::any_of(factors, [](const Operand& factor) { return factor.type.is_pointer; })) {
    return fail(fmt::format("'{}' cannot be applied to an address", statement.opcode));
  }
  const auto names = registers_in(statement.operands[0]);
  if (!names) return false;
  // Every register of the result depends on all factors. A register may be both a factor and a result.
  std::vector<Operand> read = {Operand::opaque(Type{.scalar = kUnsigned, .is_opaque = true}, factors)};
  const RegisterId result = thread_.code.add_register("%product", kUnsigned, true);
  thread_.code.emit(Assign{result, std::move(read.front().expr)}, state_.span);
  read.front().expr = Expr::make_register(result, kUnsigned);
  return std::ranges::all_of(*names, [&](const std::string& name) { return assign_opaque(name, read); });
}

/// Lowers elect.sync d|p, mask.
bool AsmLowering::elect(const Statement& statement) {
  const std::size_t bar = statement.operands.empty() ? std::string::npos : statement.operands[0].find('|');
  if (statement.operands.size() != 2 || bar == std::string::npos) {
    return fail("expected elect.sync d|p, MASK", "the form is: elect.sync _|p, 0xffffffff");
  }
  const std::optional<Operand> mask = value(statement.operands[1]);
  if (!mask) return false;
  if (!mask->expr.is_constant()) {
    return !thread_.values_matter() || fail("the mask of elect.sync must be a constant");
  }
  const auto lanes = static_cast<std::uint32_t>(mask->expr.constant);
  const auto lane = thread_.setting.place.lane;
  if (((lanes >> static_cast<unsigned>(lane)) & 1U) == 0) {
    return !thread_.values_matter() || fail(fmt::format("the mask of elect.sync leaves out lane {}", lane));
  }
  thread_.code.emit(warp_meeting(lanes), state_.span);
  const int leader = elected_lane(lanes);
  const auto set = [&](std::string name, Value result) {
    name.erase(0, name.find_first_not_of(' '));
    name.erase(name.find_last_not_of(' ') + 1);
    return name == "_" || assign(name, Operand::constant(result, kUnsigned));
  };
  return set(statement.operands[0].substr(0, bar), leader) &&
         set(statement.operands[0].substr(bar + 1), lane == leader ? 1 : 0);
}

/// Returns the value of a special register, for example "%cluster_ctarank".
std::optional<Operand> AsmLowering::special(const std::string& name) const {
  return special_register(thread_.setting, name);
}

}  // namespace ambit::parser::litmus
