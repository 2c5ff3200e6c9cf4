#include <cfenv>
#include <cmath>

#include "runner/virtual/float_format.h"

namespace ambit::virtual_gpu {
namespace {

int mode_of(Rounding rounding) {
  switch (rounding) {
    case Rounding::Zero: return FE_TOWARDZERO;
    case Rounding::Down: return FE_DOWNWARD;
    case Rounding::Up: return FE_UPWARD;
    default: return FE_TONEAREST;
  }
}

/// Computes in the current rounding mode. The operands are volatile, so that the compiler does not move the computation
/// out of the function.
template <class T>
T in_mode(ptx::Opcode opcode, const volatile T& a, const volatile T& b, const volatile T& c) {
  switch (opcode) {
    case ptx::Opcode::Add: return a + b;
    case ptx::Opcode::Sub: return a - b;
    case ptx::Opcode::Mul: return a * b;
    case ptx::Opcode::Div: return a / b;
    case ptx::Opcode::Rcp: return T{1} / a;
    case ptx::Opcode::Sqrt: return std::sqrt(T{a});
    default: return std::fma(T{a}, T{b}, T{c});
  }
}

template <class T>
T rounded(ptx::Opcode opcode, Rounding rounding, T a, T b, T c) {
  const int before = std::fegetround();
  const volatile T first = a;
  const volatile T second = b;
  const volatile T third = c;
  std::fesetround(mode_of(rounding));
  const volatile T result = in_mode<T>(opcode, first, second, third);
  std::fesetround(before);
  return result;
}

}  // namespace

double directed(ptx::Opcode opcode, Rounding rounding, double a, double b, double c) {
  return rounded(opcode, rounding, a, b, c);
}
float directed(ptx::Opcode opcode, Rounding rounding, float a, float b, float c) {
  return rounded(opcode, rounding, a, b, c);
}

}  // namespace ambit::virtual_gpu
