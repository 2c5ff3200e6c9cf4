// Lowers inline assembly instructions that all lanes of a warp execute together: products of matrices in registers,
// loads and stores of matrix fragments, and the election of a lane.

#include <fmt/format.h>

#include <algorithm>

#include "parser/litmus/asm_lowering.h"
#include "parser/litmus/fragment_lowering.h"

namespace ambit::parser::litmus {

/// Lowers ldmatrix {d}, [row] and stmatrix [row], {s}.
bool AsmLowering::fragment() {
  const std::optional<FragmentForm> form = fragment_form(opcode());
  if (!form) {
    return fail(fmt::format("unknown instruction '{}'", opcode()),
                "the forms are ldmatrix.sync.aligned.m8n8.x1|.x2|.x4[.trans][.shared].b16, likewise for stmatrix");
  }
  const Source& given = sources()[form->is_load ? 0 : 1];
  const auto registers = given.kind == Source::Kind::Vector ? registers_in(given) : std::span(&given, 1);
  const std::optional<PtxOperand> row_address = operand(sources()[form->is_load ? 1 : 0]);
  if (!registers || !row_address) return false;
  if (registers->size() != form->registers) {
    return fail(
        fmt::format("'{}' has {} registers in each lane, not {}", opcode(), form->registers, registers->size()));
  }
  std::vector<AsyncCell> row;
  if (thread_.values_matter() && thread_.setting.place.lane < form->rows) {
    AsyncLowering async(thread_);
    if (!async.is_in(row_address->operand, MemorySpace::Shared, state_.span, "row")) return false;
    auto cells = async.cells(row_address->operand, kRowBytes, state_.span);
    if (!cells) return false;
    row = *std::move(cells);
  }
  FragmentLowering fragments(thread_);
  if (form->is_load) return assign_opaque(*registers, {fragments.load(*form, row, state_.span)});
  std::vector<Operand> values;
  for (const Source& source : *registers) {
    std::optional<Operand> read = value(source);
    if (!read) return false;
    values.push_back(*std::move(read));
  }
  fragments.store(row, values, state_.span);
  return true;
}

/// Lowers mma {d}, {a}, {b}, {c}. Ambit does not compute the product.
bool AsmLowering::product() {
  std::vector<Operand> factors;
  for (const Source& source : sources().subspan(1)) {
    const std::optional<PtxOperand> read = operand(source);
    if (!read) return false;
    if (read->kind == PtxOperand::Kind::Vector) {
      factors.insert(factors.end(), read->coordinates.begin(), read->coordinates.end());
    } else {
      factors.push_back(read->operand);
    }
  }
  if (std::ranges::any_of(factors, [](const Operand& factor) { return factor.type.is_pointer; })) {
    return fail(fmt::format("'{}' cannot be applied to an address", opcode()));
  }
  const auto registers = registers_in(sources()[0]);
  if (!registers) return false;
  // Every register of the result depends on all factors, even if a register is both factor and result.
  Operand read = Operand::opaque(Type{.scalar = kUnsigned, .is_opaque = true}, factors);
  const RegisterId result = thread_.code.add_register("%product", kUnsigned, true);
  thread_.code.emit(Assign{result, std::move(read.expr)}, state_.span);
  read.expr = Expr::make_register(result, kUnsigned);
  return assign_opaque(*registers, {read});
}

/// Lowers elect.sync d|p, mask.
bool AsmLowering::elect() {
  if (sources()[0].kind != Source::Kind::Pair) {
    return fail("expected elect.sync d|p, MASK", "the form is: elect.sync _|p, 0xffffffff");
  }
  const std::optional<Operand> mask = value(sources()[1]);
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
  const std::span<const Source> results = state_.instruction->elements(sources()[0]);
  return assign(results[0], Operand::constant(leader, kUnsigned)) &&
         assign(results[1], Operand::constant(lane == leader ? 1 : 0, kUnsigned));
}

}  // namespace ambit::parser::litmus
