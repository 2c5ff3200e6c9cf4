#include "ptx/mapping_style.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace ambit::ptx {
namespace {

bool has_other_type(const Expr& expr) {
  return expr.type != kInt || std::any_of(expr.arguments.begin(), expr.arguments.end(), has_other_type);
}

/// Some value is not an int, except for constant addresses of accesses.
struct OtherType {
  static bool access(const MemoryAccess& access) { return access.type != kInt || !access.address.is_constant(); }

  bool operator()(const Assign& op) const { return has_other_type(op.value); }
  bool operator()(const Load& op) const { return access(op.access); }
  bool operator()(const Store& op) const { return access(op.access) || has_other_type(op.value); }
  bool operator()(const Rmw& op) const {
    const bool compares = op.op == RmwOp::CompareExchange && has_other_type(op.compare);
    return access(op.access) || has_other_type(op.operand) || compares;
  }
  bool operator()(const Branch& op) const { return has_other_type(op.condition); }
  bool operator()(const Barrier& op) const {
    return (op.resource && has_other_type(*op.resource)) || (op.count && has_other_type(*op.count));
  }
  template <typename Other>
  bool operator()(const Other& /*operation*/) const {
    return false;
  }
};

}  // namespace

Style find_style(const Program& program, Diagnostics& errors) {
  Style style;
  style.typed = std::any_of(program.objects.begin(), program.objects.end(),
                            [](const MemoryObject& object) { return object.type != kInt; });
  for (const Thread& thread : program.threads) {
    style.typed = style.typed || std::any_of(thread.registers.begin(), thread.registers.end(),
                                             [](const Register& reg) { return reg.type != kInt; });
    for (const Instruction& instruction : thread.code) {
      style.typed = style.typed || std::visit(OtherType{}, instruction.operation);
      const MemoryAccess* access = access_of(instruction.operation);
      if (access == nullptr || access->address.is_constant()) continue;
      const unsigned bytes = access->type.bits / 8U;
      if (style.element_bytes != 0 && style.element_bytes != bytes) {
        errors.push_back({program.source, instruction.span,
                          fmt::format("cells of {} and of {} bytes are reached through computed addresses, which the "
                                      "PTX litmus format cannot tell apart",
                                      style.element_bytes, bytes),
                          ""});
      }
      style.element_bytes = bytes;
    }
  }
  return style;
}

}  // namespace ambit::ptx
