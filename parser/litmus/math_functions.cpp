#include "parser/litmus/math_functions.h"

#include "parser/litmus/asm_lowering.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "parser/litmus/barrier_lowering.h"

namespace ambit::parser::litmus {
namespace {

constexpr ScalarType kHalfBits{16, true};
constexpr ScalarType kDoubleBits{64, true};

Type floating(ScalarType bits) { return Type{.scalar = bits, .is_opaque = true}; }

/// Returns the number of arguments of a function such as sin, which has overloads and a float form with the suffix f.
/// Returns 0 for a function without overloads.
std::size_t arguments_of_common(std::string_view name) {
  static const std::map<std::string_view, std::size_t> kCommon = {
      {"acos", 1},   {"acosh", 1},  {"asin", 1},  {"asinh", 1},     {"atan", 1},   {"atan2", 2},    {"atanh", 1},
      {"cbrt", 1},   {"ceil", 1},   {"cos", 1},   {"cosh", 1},      {"cospi", 1},  {"copysign", 2}, {"erf", 1},
      {"erfc", 1},   {"exp", 1},    {"exp10", 1}, {"exp2", 1},      {"expm1", 1},  {"fabs", 1},     {"fdim", 2},
      {"floor", 1},  {"fma", 3},    {"fmax", 2},  {"fmin", 2},      {"fmod", 2},   {"hypot", 2},    {"ldexp", 2},
      {"lgamma", 1}, {"log", 1},    {"log10", 1}, {"log1p", 1},     {"log2", 1},   {"logb", 1},     {"nearbyint", 1},
      {"norm3d", 3}, {"pow", 2},    {"rcbrt", 1}, {"remainder", 2}, {"rhypot", 2}, {"rint", 1},     {"round", 1},
      {"rsqrt", 1},  {"scalbn", 2}, {"sin", 1},   {"sinh", 1},      {"sinpi", 1},  {"sqrt", 1},     {"tan", 1},
      {"tanh", 1},   {"tgamma", 1}, {"trunc", 1}};
  const auto found = kCommon.find(name);
  return found == kCommon.end() ? 0 : found->second;
}

/// A function that is identified by its full name. Letters for types: f float, d double, h half, i int, u unsigned,
/// l long long, L unsigned long long.
struct Named {
  std::string_view name;
  std::size_t arguments;
  char result;
};
constexpr std::array kNamed = {Named{"__sinf", 1, 'f'},
                               Named{"__cosf", 1, 'f'},
                               Named{"__tanf", 1, 'f'},
                               Named{"__expf", 1, 'f'},
                               Named{"__exp10f", 1, 'f'},
                               Named{"__logf", 1, 'f'},
                               Named{"__log2f", 1, 'f'},
                               Named{"__log10f", 1, 'f'},
                               Named{"__powf", 2, 'f'},
                               Named{"__fdividef", 2, 'f'},
                               Named{"__saturatef", 1, 'f'},
                               Named{"fdividef", 2, 'f'},
                               Named{"clock", 0, 'l'},
                               Named{"clock64", 0, 'l'},
                               Named{"globaltimer", 0, 'L'},
                               Named{"isnan", 1, 'i'},
                               Named{"isinf", 1, 'i'},
                               Named{"isfinite", 1, 'i'},
                               Named{"signbit", 1, 'i'},
                               Named{"lrint", 1, 'l'},
                               Named{"lrintf", 1, 'l'},
                               Named{"lround", 1, 'l'},
                               Named{"lroundf", 1, 'l'},
                               Named{"llrint", 1, 'l'},
                               Named{"llround", 1, 'l'},
                               Named{"__popc", 1, 'i'},
                               Named{"__popcll", 1, 'i'},
                               Named{"__clz", 1, 'i'},
                               Named{"__clzll", 1, 'i'},
                               Named{"__ffs", 1, 'i'},
                               Named{"__ffsll", 1, 'i'},
                               Named{"__brev", 1, 'u'},
                               Named{"__brevll", 1, 'L'},
                               Named{"__byte_perm", 3, 'u'},
                               Named{"__funnelshift_l", 3, 'u'},
                               Named{"__funnelshift_r", 3, 'u'},
                               Named{"__mulhi", 2, 'i'},
                               Named{"__umulhi", 2, 'u'},
                               Named{"__mul64hi", 2, 'l'},
                               Named{"__umul64hi", 2, 'L'},
                               Named{"__sad", 3, 'u'},
                               Named{"__usad", 3, 'u'},
                               Named{"__float_as_int", 1, 'i'},
                               Named{"__float_as_uint", 1, 'u'},
                               Named{"__int_as_float", 1, 'f'},
                               Named{"__uint_as_float", 1, 'f'},
                               Named{"__double_as_longlong", 1, 'l'},
                               Named{"__longlong_as_double", 1, 'd'},
                               Named{"__double2hiint", 1, 'i'},
                               Named{"__double2loint", 1, 'i'},
                               Named{"__hiloint2double", 2, 'd'},
                               Named{"__half_as_short", 1, 'i'},
                               Named{"__half_as_ushort", 1, 'u'},
                               Named{"__short_as_half", 1, 'h'},
                               Named{"__ushort_as_half", 1, 'h'},
                               Named{"__hadd", 2, 'h'},
                               Named{"__hsub", 2, 'h'},
                               Named{"__hmul", 2, 'h'},
                               Named{"__hdiv", 2, 'h'},
                               Named{"__hfma", 3, 'h'},
                               Named{"__hneg", 1, 'h'},
                               Named{"__habs", 1, 'h'},
                               Named{"__hmax", 2, 'h'},
                               Named{"__hmin", 2, 'h'},
                               Named{"__heq", 2, 'i'},
                               Named{"__hne", 2, 'i'},
                               Named{"__hlt", 2, 'i'},
                               Named{"__hle", 2, 'i'},
                               Named{"__hgt", 2, 'i'},
                               Named{"__hge", 2, 'i'},
                               Named{"__hisnan", 1, 'i'},
                               Named{"hsqrt", 1, 'h'},
                               Named{"hexp", 1, 'h'},
                               Named{"hlog", 1, 'h'},
                               Named{"hrcp", 1, 'h'},
                               Named{"hrsqrt", 1, 'h'},
                               Named{"hsin", 1, 'h'},
                               Named{"hcos", 1, 'h'},
                               Named{"hfloor", 1, 'h'},
                               Named{"hceil", 1, 'h'},
                               Named{"__float2bfloat16", 1, 'h'},
                               Named{"__bfloat162float", 1, 'f'}};

Type type_of(char code) {
  switch (code) {
    case 'f': return floating(kInt);
    case 'd': return floating(kDoubleBits);
    case 'h': return floating(kHalfBits);
    case 'u': return Type{.scalar = kUnsigned};
    case 'l': return Type{.scalar = kLongLong};
    case 'L': return Type{.scalar = kUnsignedLongLong};
    default: return Type{};
  }
}

/// Reads the name of a conversion between two types with an optional rounding mode: `__float2int_rn`,
/// `__uint2double_rn`, `__float2half`.
std::optional<MathFunction> conversion(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, char>, 8> kTypes = {{{"float", 'f'},
                                                                               {"double", 'd'},
                                                                               {"half", 'h'},
                                                                               {"int", 'i'},
                                                                               {"uint", 'u'},
                                                                               {"ll", 'l'},
                                                                               {"ull", 'L'},
                                                                               {"short", 'i'}}};
  if (!name.starts_with("__")) return std::nullopt;
  name.remove_prefix(2);
  for (const std::string_view rounding : {"_rn", "_rz", "_ru", "_rd"}) {
    if (name.ends_with(rounding)) name.remove_suffix(rounding.size());
  }
  const std::size_t between = name.find('2');
  if (between == std::string_view::npos) return std::nullopt;
  const auto type = [](std::string_view word) {
    return std::ranges::find(kTypes, word, &std::pair<std::string_view, char>::first);
  };
  const auto* to = type(name.substr(between + 1));
  if (to == kTypes.end() || type(name.substr(0, between)) == kTypes.end()) return std::nullopt;
  return MathFunction{.arguments = 1, .result = type_of(to->second)};
}

/// Reads the name of an arithmetic function with a rounding mode: `__fadd_rn`, `__dmul_rz`, `__fsqrt_rn`, `__fmaf_rn`.
std::optional<MathFunction> rounded(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, std::size_t>, 7> kOperations = {
      {{"add", 2}, {"sub", 2}, {"mul", 2}, {"div", 2}, {"sqrt", 1}, {"rcp", 1}, {"rsqrt", 1}}};
  if (!name.starts_with("__") || name.size() < 6 || name[name.size() - 3] != '_') return std::nullopt;
  const std::string_view base = name.substr(2, name.size() - 5);
  if (base == "fmaf") return MathFunction{.arguments = 3, .result = floating(kInt)};
  if (base == "fma") return MathFunction{.arguments = 3, .result = floating(kDoubleBits)};
  if (base.empty() || (base[0] != 'f' && base[0] != 'd')) return std::nullopt;
  for (const auto& [operation, arguments] : kOperations) {
    if (base.substr(1) == operation) return MathFunction{.arguments = arguments, .result = type_of(base[0])};
  }
  return std::nullopt;
}

/// Returns whether the assembly text has opaque results, for example matrix products, matrix fragments or clocks.
bool gives_opaque_values(std::string_view assembly) {
  constexpr std::array<std::string_view, 12> kWords = {"mma",   "matrix", "%clock", "%globaltimer", "%smid", "%nsmid",
                                                       ".bf16", ".f16",   ".f32",   ".f64",         ".sat",  ".cc"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return assembly.find(word) != assembly.npos; });
}

bool calls_mathematics(const ExprNode& node) {
  if (node.kind == ExprKind::Call) {
    const std::string_view callee = node.children.front().name;
    if (math_function(callee) || exchanges_values(callee)) return true;
    const bool is_assembly = callee == AsmLowering::kFunction && node.children.size() > 1;
    if (is_assembly && gives_opaque_values(node.children[1].name)) return true;
  }
  return std::any_of(node.children.begin(), node.children.end(), calls_mathematics);
}

bool calls_mathematics_in(const StatementNode& node) {
  const auto in_declarator = [](const Declarator& declarator) {
    return std::any_of(declarator.values.begin(), declarator.values.end(), calls_mathematics);
  };
  return (node.condition && calls_mathematics(*node.condition)) ||
         std::any_of(node.expressions.begin(), node.expressions.end(), calls_mathematics) ||
         std::any_of(node.declaration.declarators.begin(), node.declaration.declarators.end(), in_declarator) ||
         std::any_of(node.children.begin(), node.children.end(), calls_mathematics_in);
}

}  // namespace

bool makes_opaque_values(const FileNode& file) {
  return file.has_opaque_values ||
         std::any_of(file.threads.begin(), file.threads.end(),
                     [](const ThreadNode& thread) { return calls_mathematics_in(thread.body); }) ||
         std::any_of(file.functions.begin(), file.functions.end(), [](const FunctionNode& function) {
           return function.body && calls_mathematics_in(*function.body);
         });
}

std::optional<MathFunction> math_function(std::string_view name) {
  for (const std::string_view space : {"cuda::std::", "std::", "::"}) {
    if (name.starts_with(space)) name.remove_prefix(space.size());
  }
  if (name == "abs" || name == "labs" || name == "llabs") {
    return MathFunction{.arguments = 1, .is_overloaded = true, .takes_integers = true};
  }
  if (const std::size_t arguments = arguments_of_common(name); arguments > 0) {
    return MathFunction{.arguments = arguments, .is_overloaded = true};
  }
  if (name.ends_with('f')) {
    if (const std::size_t arguments = arguments_of_common(name.substr(0, name.size() - 1)); arguments > 0) {
      return MathFunction{.arguments = arguments, .result = floating(kInt)};
    }
  }
  for (const Named& named : kNamed) {
    if (named.name == name) return MathFunction{.arguments = named.arguments, .result = type_of(named.result)};
  }
  if (const std::optional<MathFunction> found = conversion(name)) return found;
  return rounded(name);
}

}  // namespace ambit::parser::litmus
