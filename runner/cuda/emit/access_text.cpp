#include "runner/cuda/emit/access_text.h"

#include <fmt/format.h>

#include "core/wide_value.h"

namespace ambit::cuda {
namespace {

char constraint(ScalarType type) { return type.bits >= 64 ? 'l' : 'r'; }
/// Returns the constraint of an operand of an `atom` instruction. Only cas.b16 has operands of 16 bits.
char atomic_constraint(ScalarType type) { return type.bits == 16 ? 'h' : constraint(type); }

std::string input(char letter, const std::string& value) { return fmt::format("\"{}\"({})", letter, value); }

/// Opens a scope of inline assembly that declares 128-bit registers.
std::string scope(std::string_view registers) { return fmt::format("{{\\n.reg .b128 {};\\n", registers); }
/// Packs operand `number` into both halves of a register.
std::string pack(std::string_view to, int number) {
  return fmt::format("mov.b128 {0}, {{%{1}, %{1}}};\\n", to, number);
}
constexpr const char* kUnpack = "\\nmov.b128 {%0, %1}, ambit_q;\\n}";

std::string wide_constraints(const ReadNames& result, const std::string& inputs) {
  return fmt::format(" : \"=l\"({}), \"=l\"({}) : {}", result.value, result.upper, inputs);
}

}  // namespace

AccessText load_text(ScalarType type, const ReadNames& result, const std::string& pointer) {
  if (is_wide(type)) {
    return {"ambit_q, [%2]", wide_constraints(result, input('l', pointer)), scope("ambit_q"), kUnpack};
  }
  return {"%0, [%1]", fmt::format(" : \"={}\"({}) : {}", constraint(type), result.value, input('l', pointer))};
}

AccessText store_text(ScalarType type, const std::string& pointer, const std::string& value) {
  std::string constraints = fmt::format(" :: {}, {}", input('l', pointer), input(constraint(type), value));
  if (is_wide(type)) {
    return {"[%0], ambit_q", std::move(constraints), scope("ambit_q") + pack("ambit_q", 1), "\\n}"};
  }
  return {"[%0], %1", std::move(constraints)};
}

AccessText atomic_text(ScalarType type, const ReadNames& result, const std::string& pointer, const std::string& value) {
  const char letter = atomic_constraint(type);
  const std::string inputs = fmt::format("{}, {}", input('l', pointer), input(letter, value));
  if (is_wide(type)) {
    return {"ambit_q, [%2], ambit_v", wide_constraints(result, inputs), scope("ambit_q, ambit_v") + pack("ambit_v", 3),
            kUnpack};
  }
  return {"%0, [%1], %2", fmt::format(" : \"={}\"({}) : {}", letter, result.value, inputs)};
}

AccessText compare_exchange_text(ScalarType type, const ReadNames& result, const std::string& pointer,
                                 const std::string& compare, const std::string& value) {
  const char letter = atomic_constraint(type);
  const std::string inputs =
      fmt::format("{}, {}, {}", input('l', pointer), input(letter, compare), input(letter, value));
  if (is_wide(type)) {
    return {"ambit_q, [%2], ambit_c, ambit_v", wide_constraints(result, inputs),
            scope("ambit_q, ambit_c, ambit_v") + pack("ambit_c", 3) + pack("ambit_v", 4), kUnpack};
  }
  return {"%0, [%1], %2, %3", fmt::format(" : \"={}\"({}) : {}", letter, result.value, inputs)};
}

}  // namespace ambit::cuda
