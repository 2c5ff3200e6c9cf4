#include "parser/compiled/launched_number.h"

#include <fmt/format.h>

#include <bit>
#include <cstdlib>
#include <string>

namespace ambit::parser::compiled {
namespace {

/// Returns the value of a floating-point expression of numbers, signs and casts.
std::optional<double> floating_value(const ExprNode& node, MemoryTable& memory) {
  if (node.kind == ExprKind::Floating) return std::strtod(std::string(node.name).c_str(), nullptr);
  if (const std::optional<Expr> integer = fold_constant(node, memory)) {
    const bool is_large = integer->constant < 0 && !integer->result_type().is_signed;
    return is_large ? static_cast<double>(static_cast<std::uint64_t>(integer->constant))
                    : static_cast<double>(integer->constant);
  }
  if (node.kind == ExprKind::Cast && node.type.is_opaque) {
    const std::optional<double> value = floating_value(node.children.front(), memory);
    if (!value || node.type.scalar.bits != 32) return value;
    return static_cast<double>(static_cast<float>(*value));
  }
  if (node.kind != ExprKind::Unary) return std::nullopt;
  const std::optional<double> value = floating_value(node.children.front(), memory);
  if (!value || (node.unary != UnaryOp::Negate && node.unary != UnaryOp::Plus)) return std::nullopt;
  return node.unary == UnaryOp::Negate ? -*value : *value;
}

}  // namespace

std::optional<std::uint64_t> launched_number(const ExprNode& node, const ElementType& type, std::string_view name,
                                             MemoryTable& memory, Reporter& reporter) {
  const std::optional<Expr> integer = fold_constant(node, memory);
  const Type integral = {.scalar = {static_cast<std::uint8_t>(type.bytes * 8), true}};
  if (integer && !type.is_floating) {
    if (!check_range(integer->constant, integer->result_type(), integral, node.span, reporter)) return std::nullopt;
    return static_cast<std::uint64_t>(integer->constant);
  }
  const std::optional<double> value = floating_value(node, memory);
  if (!value) {
    reporter.error(node.span, "a number in a launch must be a constant", "write a number, such as 7, -1 or 1.5");
    return std::nullopt;
  }
  if (!type.is_floating && !type.is_untyped) {
    reporter.error(node.span, fmt::format("a floating-point number cannot be a value of type {}",
                                          name.empty() ? to_string(integral) : std::string(name)));
    return std::nullopt;
  }
  if (type.bytes == 8) return std::bit_cast<std::uint64_t>(*value);
  if (type.bytes == 4) return std::bit_cast<std::uint32_t>(static_cast<float>(*value));
  if (*value == 0) return 0;
  reporter.error(node.span, fmt::format("floating-point numbers of {} bytes can only be 0 here", type.bytes),
                 "write the bits as a number of an integer type: short data[4] = 0x3c00");
  return std::nullopt;
}

}  // namespace ambit::parser::compiled
