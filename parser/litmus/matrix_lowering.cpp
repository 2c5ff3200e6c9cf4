#include "parser/litmus/matrix_lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "parser/ptx/instruction_text.h"

namespace ambit::parser::litmus {
namespace {

// Bits 0 to 13 of a matrix descriptor are bits 4 to 17 of the address (PTX ISA, "Matrix Descriptor Format").
constexpr Value kAddressShift = 4;
constexpr Value kAddressField = 0x3fff;
constexpr Value kMostMatrixCells = 1024;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Returns the size K of a product's shape for a factor type (PTX ISA, "Matrix Shape"); 0 for other types.
int depth_of(std::string_view type) {
  if (is_one_of(type, {"f16", "bf16"})) return 16;
  if (type == "tf32") return 8;
  if (is_one_of(type, {"e4m3", "e5m2", "s8", "u8"})) return 32;
  return type == "b1" ? 256 : 0;
}

/// Returns N in a shape m64nNkK; 0 for other shapes.
int columns_of(std::string_view shape, int depth) {
  if (!shape.starts_with("m64n")) return 0;
  int columns = 0;
  const char* last = shape.data() + shape.size();
  const auto [end, error] = std::from_chars(shape.data() + 4, last, columns);
  const bool fits = error == std::errc{} && columns >= 8 && columns <= 256 && columns % 8 == 0;
  return fits && std::string_view(end, static_cast<std::size_t>(last - end)) == fmt::format("k{}", depth) ? columns : 0;
}

}  // namespace

std::optional<MatrixForm> matrix_form(std::string_view opcode, bool a_in_registers) {
  std::vector<std::string_view> words = ptx::split(opcode, '.');
  const bool is_sparse = words.size() > 2 && words[2] == "sp";
  if (is_sparse) words.erase(words.begin() + 2);
  if (words.size() < 8 || words[2] != "sync" || words[3] != "aligned") return std::nullopt;
  const std::string_view result = words[5];
  const std::string_view a = words[6];
  const int depth = depth_of(a) * (is_sparse ? 2 : 1);
  const int columns = columns_of(words[4], depth);
  const bool is_half = is_one_of(a, {"f16", "bf16"});
  const bool is_float = is_half || is_one_of(a, {"tf32", "e4m3", "e5m2"});
  const bool same = words[7] == a || (depth_of(a) == 32 && depth_of(words[7]) == 32);
  const bool has_result =
      is_float ? result == "f32" || (result == "f16" && !is_one_of(a, {"bf16", "tf32"})) : result == "s32";
  if (depth == 0 || columns == 0 || !same || !has_result) return std::nullopt;
  MatrixForm form;
  form.accumulators = static_cast<std::size_t>(columns) / (result == "f16" ? 4 : 2);
  // The operands are d, a, b, scale-d. Floating-point products also have imm-scale-a and imm-scale-b. Half-precision
  // products also have one operand for the transposition of each factor in shared memory. Sparse products also have
  // sp-meta and sp-sel.
  form.operands = 4U + (is_float ? 2 : 0) + (is_half ? (a_in_registers ? 1 : 2) : 0) + (is_sparse ? 2 : 0);
  return form;
}

Operand MatrixLowering::descriptor(Op op, Operand pointer, const Operand& number, SourceSpan span) {
  const auto fail = [&](std::string message) -> Operand {
    return thread_.error(span, std::move(message),
                         "the form of a matrix descriptor is ((address & 0x3FFFF) >> 4) | fields from bit 16 on");
  };
  if (!number.expr.is_constant()) {
    if (!thread_.values_matter()) return pointer;
    return fail("the fields of a matrix descriptor must be constants");
  }
  const Value value = number.expr.constant;
  const bool is_placed = pointer.type.is_descriptor;
  const Value field = is_placed ? kAddressField : kAddressField << kAddressShift;
  switch (op) {
    case Op::BitAnd:
      if ((value & field) == field) return pointer;
      return fail(fmt::format("'& {:#x}' loses bits of the address", value));
    case Op::ShiftRight:
      if (is_placed || value != kAddressShift) break;
      pointer.type.is_descriptor = true;
      return pointer;
    case Op::BitOr:
    case Op::BitXor:
      if ((value & (is_placed ? kAddressField : ~Value{0})) == 0) return pointer;
      return fail(fmt::format("'{} {:#x}' changes the address", ambit::to_string(op), value));
    case Op::Add:
      if ((value & ~kAddressField) != 0) return fail(fmt::format("'+ {:#x}' changes more than the address", value));
      return places_.move_bytes(std::move(pointer), Operand::constant(value << kAddressShift, kLongLong), span);
    default: break;
  }
  return fail(fmt::format("'{}' cannot be applied to the address of shared memory", ambit::to_string(op)));
}

bool MatrixLowering::add_operand(const Operand& descriptor, AsyncStep& operation, SourceSpan span) {
  if (descriptor.erroneous) return false;
  if (!descriptor.type.is_descriptor) {
    thread_.error(span,
                  descriptor.type.is_shared_address
                      ? "this address is not a matrix descriptor: its address field is (address & 0x3FFFF) >> 4"
                      : "this number is not a matrix descriptor that Ambit can follow",
                  "make it from the address: ((__cvta_generic_to_shared(p) & 0x3FFFF) >> 4) | fields");
    return false;
  }
  if (!thread_.values_matter()) return true;
  if (!async_.is_in(descriptor, MemorySpace::Shared, span, "operand of wgmma")) return false;
  if (!descriptor.expr.is_constant()) {
    thread_.error(span, "Ambit does not know which operand this descriptor names",
                  "use an index that is constant in each thread");
    return false;
  }
  Operand first = descriptor;
  first.type.is_shared_address = first.type.is_descriptor = false;
  if (!places_.dereference(first, span)) return false;
  const auto id = static_cast<ObjectId>(object_of(descriptor.expr.constant));
  const MemoryObject& object = thread_.assembly.program.objects[id];
  const Value row = row_length(thread_.memory.entry_of(id).type);
  const Value length = row > 1 ? row : static_cast<Value>(object.length);
  if (length > kMostMatrixCells) {
    thread_.error(span, fmt::format("an operation on more than {} elements is not supported", kMostMatrixCells));
    return false;
  }
  const Value begin = static_cast<Value>(index_of(descriptor.expr.constant)) / length * length;
  for (Value i = begin; i < begin + length; ++i) {
    AsyncCell cell;
    cell.place.address = Expr::make_constant(make_address(id, static_cast<std::uint32_t>(i)), kAddress);
    cell.place.type = Type{.scalar = object.type, .is_opaque = object.is_opaque};
    operation.elements.push_back({async_.access(cell, Proxy::Async), std::nullopt, {}, std::nullopt});
  }
  return true;
}

}  // namespace ambit::parser::litmus
