#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <type_traits>

#include "tests/unit/virtual/reference_lists.h"

namespace ambit::virtual_gpu::reference {
namespace {

u64 bits(float value) { return std::isnan(value) ? 0x7fffffffU : std::bit_cast<u32>(value); }
u64 bits(double value) { return std::bit_cast<u64>(value); }

template <class T>
T least(T a, T b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <class T>
T greatest(T a, T b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a < b ? b : a;
}
/// Converts a float to an integer. Clamps values that are out of range, and converts NaN as the ISA says.
template <class To, class From>
u64 to_integer(From value, From (*round)(From)) {
  if (std::isnan(value)) {
    if (sizeof(From) == 4 && sizeof(To) < 8) return 0;
    return u64{1} << (sizeof(To) * 8 - 1);
  }
  const long double whole = round(value);
  if (whole < static_cast<long double>(std::numeric_limits<To>::min()))
    return static_cast<u64>(std::numeric_limits<To>::min());
  if (whole > static_cast<long double>(std::numeric_limits<To>::max()))
    return static_cast<u64>(std::numeric_limits<To>::max());
  return static_cast<u64>(static_cast<To>(whole));
}
template <class T>
T saturate(T value) {
  return value > 0 ? (value < 1 ? value : T{1}) : T{0};
}
float flush(float value) { return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0F, value) : value; }
/// Replaces a subnormal result by zero. This happens before the result is rounded to float.
float flush_exact(double value) {
  return std::fabs(value) < 0x1p-126 ? std::copysign(0.0F, static_cast<float>(value)) : static_cast<float>(value);
}

}  // namespace

void add_comparisons(List& list) {
  const auto add = [&](const char* text, char result, const char* sources, decltype(ReferenceInstruction::value) f) {
    list.push_back({text, result, sources, f});
  };
  add(
      "setp.eq.s32 {0}, {1}, {2}", 'p', "rr", FUNCTION { return a == b; });
  add(
      "setp.ne.u64 {0}, {1}, {2}", 'p', "dd", FUNCTION { return a != b; });
  add(
      "setp.lt.s32 {0}, {1}, {2}", 'p', "rr", FUNCTION { return s32(a) < s32(b); });
  add(
      "setp.lo.u32 {0}, {1}, {2}", 'p', "rr", FUNCTION { return u32(a) < u32(b); });
  add(
      "setp.le.u64 {0}, {1}, {2}", 'p', "dd", FUNCTION { return a <= b; });
  add(
      "setp.gt.s64 {0}, {1}, {2}", 'p', "dd", FUNCTION { return s64(a) > s64(b); });
  add(
      "setp.hs.u32 {0}, {1}, {2}", 'p', "rr", FUNCTION { return u32(a) >= u32(b); });
  add(
      "setp.ge.s16 {0}, {1}, {2}", 'p', "hh", FUNCTION { return s16(a) >= s16(b); });
  add(
      "setp.lt.and.u32 {0}, {1}, {2}, {3}", 'p', "rrp", FUNCTION { return u32(a) < u32(b) && c != 0; });
  add(
      "setp.gt.or.s32 {0}, {1}, {2}, !{3}", 'p', "rrp", FUNCTION { return s32(a) > s32(b) || c == 0; });
  add(
      "setp.eq.xor.b32 {0}, {1}, {2}, {3}", 'p', "rrp", FUNCTION { return (a == b) != (c != 0); });
  add(
      "setp.lt.f32 {0}, {1}, {2}", 'p', "ff", FUNCTION { return f32(a) < f32(b); });
  add(
      "setp.ltu.f32 {0}, {1}, {2}", 'p', "ff", FUNCTION { return !(f32(a) >= f32(b)); });
  add(
      "setp.eq.f32 {0}, {1}, {2}", 'p', "ff", FUNCTION { return f32(a) == f32(b); });
  add(
      "setp.ne.f32 {0}, {1}, {2}", 'p', "ff", FUNCTION { return f32(a) < f32(b) || f32(a) > f32(b); });
  add(
      "setp.neu.f32 {0}, {1}, {2}", 'p', "ff", FUNCTION { return f32(a) != f32(b); });
  add(
      "setp.geu.f64 {0}, {1}, {2}", 'p', "gg", FUNCTION { return !(f64(a) < f64(b)); });
  add(
      "setp.gt.f64 {0}, {1}, {2}", 'p', "gg", FUNCTION { return f64(a) > f64(b); });
  add(
      "setp.equ.f64 {0}, {1}, {2}", 'p', "gg", FUNCTION { return !(f64(a) < f64(b) || f64(a) > f64(b)); });
  add(
      "setp.nan.f64 {0}, {1}, {2}", 'p', "gg", FUNCTION { return std::isnan(f64(a)) || std::isnan(f64(b)); });
  add(
      "setp.num.f32 {0}, {1}, {2}", 'p', "ff", FUNCTION { return !std::isnan(f32(a)) && !std::isnan(f32(b)); });
  add(
      "setp.le.ftz.f32 {0}, {1}, {2}", 'p', "ff", FUNCTION { return flush(f32(a)) <= flush(f32(b)); });
  add(
      "set.lt.u32.s32 {0}, {1}, {2}", 'r', "rr", FUNCTION { return s32(a) < s32(b) ? ~u64{0} : 0; });
  add(
      "set.gt.f32.f32 {0}, {1}, {2}", 'f', "ff", FUNCTION { return f32(a) > f32(b) ? 0x3f800000 : 0; });
  add(
      "set.le.and.u32.f64 {0}, {1}, {2}, {3}", 'r', "ggp",
      FUNCTION { return f64(a) <= f64(b) && c != 0 ? ~u64{0} : 0; });
  add(
      "and.pred {0}, {1}, {2}", 'p', "pp", FUNCTION { return a & b; });
  add(
      "or.pred {0}, {1}, {2}", 'p', "pp", FUNCTION { return a | b; });
  add(
      "xor.pred {0}, {1}, {2}", 'p', "pp", FUNCTION { return a ^ b; });
  add(
      "not.pred {0}, {1}", 'p', "p", FUNCTION { return a == 0; });
  add(
      "testp.finite.f32 {0}, {1}", 'p', "f", FUNCTION { return std::isfinite(f32(a)); });
  add(
      "testp.subnormal.f64 {0}, {1}", 'p', "g", FUNCTION { return std::fpclassify(f64(a)) == FP_SUBNORMAL; });
  add(
      "testp.normal.f32 {0}, {1}", 'p', "f", FUNCTION { return std::isnormal(f32(a)) || f32(a) == 0; });
  add(
      "testp.notanumber.f32 {0}, {1}", 'p', "f", FUNCTION { return std::isnan(f32(a)); });
}

void add_floats(List& list) {
  const auto add = [&](const char* text, char result, const char* sources, decltype(ReferenceInstruction::value) f) {
    list.push_back({text, result, sources, f});
  };
  add(
      "add.f32 {0}, {1}, {2}", 'f', "ff", FUNCTION { return bits(f32(a) + f32(b)); });
  add(
      "sub.rn.f32 {0}, {1}, {2}", 'f', "ff", FUNCTION { return bits(f32(a) - f32(b)); });
  add(
      "mul.f32 {0}, {1}, {2}", 'f', "ff", FUNCTION { return bits(f32(a) * f32(b)); });
  add(
      "add.ftz.f32 {0}, {1}, {2}", 'f', "ff", FUNCTION { return bits(flush(flush(f32(a)) + flush(f32(b)))); });
  add(
      "mul.ftz.f32 {0}, {1}, {2}", 'f', "ff",
      FUNCTION { return bits(flush_exact(double{flush(f32(a))} * double{flush(f32(b))})); });
  add(
      "mul.sat.f32 {0}, {1}, {2}", 'f', "ff", FUNCTION { return bits(saturate(f32(a) * f32(b))); });
  add(
      "fma.rn.f32 {0}, {1}, {2}, {3}", 'f', "fff", FUNCTION { return bits(std::fma(f32(a), f32(b), f32(c))); });
  add(
      "fma.rn.sat.f32 {0}, {1}, {2}, {3}", 'f', "fff",
      FUNCTION { return bits(saturate(std::fma(f32(a), f32(b), f32(c)))); });
  add(
      "div.rn.f32 {0}, {1}, {2}", 'f', "ff", FUNCTION { return bits(f32(a) / f32(b)); });
  add(
      "rcp.rn.f32 {0}, {1}", 'f', "f", FUNCTION { return bits(1.0F / f32(a)); });
  add(
      "sqrt.rn.f32 {0}, {1}", 'f', "f", FUNCTION { return bits(std::sqrt(f32(a))); });
  add(
      "min.f32 {0}, {1}, {2}", 'f', "ff", FUNCTION { return bits(least(f32(a), f32(b))); });
  add(
      "max.f32 {0}, {1}, {2}", 'f', "ff", FUNCTION { return bits(greatest(f32(a), f32(b))); });
  add(
      "min.NaN.f32 {0}, {1}, {2}", 'f', "ff",
      FUNCTION { return std::isnan(f32(a)) || std::isnan(f32(b)) ? u64{0x7fffffff} : bits(least(f32(a), f32(b))); });
  add(
      "copysign.f32 {0}, {1}, {2}", 'f', "ff", FUNCTION { return (b & 0x7fffffff) | (a & 0x80000000); });
  add(
      "add.f64 {0}, {1}, {2}", 'g', "gg", FUNCTION { return bits(f64(a) + f64(b)); });
  add(
      "sub.f64 {0}, {1}, {2}", 'g', "gg", FUNCTION { return bits(f64(a) - f64(b)); });
  add(
      "mul.f64 {0}, {1}, {2}", 'g', "gg", FUNCTION { return bits(f64(a) * f64(b)); });
  add(
      "fma.rn.f64 {0}, {1}, {2}, {3}", 'g', "ggg", FUNCTION { return bits(std::fma(f64(a), f64(b), f64(c))); });
  add(
      "div.rn.f64 {0}, {1}, {2}", 'g', "gg", FUNCTION { return bits(f64(a) / f64(b)); });
  add(
      "sqrt.rn.f64 {0}, {1}", 'g', "g", FUNCTION { return bits(std::sqrt(f64(a))); });
  add(
      "min.f64 {0}, {1}, {2}", 'g', "gg", FUNCTION { return bits(least(f64(a), f64(b))); });
  add(
      "max.f64 {0}, {1}, {2}", 'g', "gg", FUNCTION { return bits(greatest(f64(a), f64(b))); });
  add(
      "abs.f32 {0}, {1}", 'f', "f", FUNCTION { return bits(std::fabs(f32(a))); });
  add(
      "neg.f64 {0}, {1}", 'g', "g", FUNCTION { return a ^ 0x8000000000000000; });
}

void add_conversions(List& list) {
  const auto add = [&](const char* text, char result, const char* sources, decltype(ReferenceInstruction::value) f) {
    list.push_back({text, result, sources, f});
  };
  add(
      "cvt.u64.u32 {0}, {1}", 'd', "r", FUNCTION { return u32(a); });
  add(
      "cvt.s64.s32 {0}, {1}", 'd', "r", FUNCTION { return static_cast<u64>(s64{s32(a)}); });
  add(
      "cvt.u32.u64 {0}, {1}", 'r', "d", FUNCTION { return a; });
  add(
      "cvt.u16.u32 {0}, {1}", 'h', "r", FUNCTION { return a; });
  add(
      "cvt.s32.s16 {0}, {1}", 'r', "h", FUNCTION { return static_cast<u64>(s64{s16(a)}); });
  add(
      "cvt.u32.u16 {0}, {1}", 'r', "h", FUNCTION { return u16(a); });
  add(
      "cvt.s32.s8 {0}, {1}", 'r', "r", FUNCTION { return static_cast<u64>(s64{static_cast<std::int8_t>(a)}); });
  add(
      "cvt.u32.u8 {0}, {1}", 'r', "h", FUNCTION { return static_cast<std::uint8_t>(a); });
  add(
      "cvt.s64.s16 {0}, {1}", 'd', "h", FUNCTION { return static_cast<u64>(s64{s16(a)}); });
  add(
      "cvt.s8.s32 {0}, {1}", 'h', "r", FUNCTION { return static_cast<u64>(s64{static_cast<std::int8_t>(a)}); });
  add(
      "cvt.sat.s16.s32 {0}, {1}", 'h', "r",
      FUNCTION { return static_cast<u64>(s64{std::min(std::max(s32(a), -32768), 32767)}); });
  add(
      "cvt.sat.u8.s32 {0}, {1}", 'r', "r",
      FUNCTION { return static_cast<u64>(s64{std::min(std::max(s32(a), 0), 255)}); });
  add(
      "cvt.sat.u32.s64 {0}, {1}", 'r', "d", FUNCTION {
        return s64(a) < 0 ? 0 : s64(a) > 0xffffffffLL ? 0xffffffff : a;
      });
  add(
      "cvt.rn.f32.s32 {0}, {1}", 'f', "r", FUNCTION { return bits(static_cast<float>(s32(a))); });
  add(
      "cvt.rn.f32.u32 {0}, {1}", 'f', "r", FUNCTION { return bits(static_cast<float>(u32(a))); });
  add(
      "cvt.rn.f32.s64 {0}, {1}", 'f', "d", FUNCTION { return bits(static_cast<float>(s64(a))); });
  add(
      "cvt.rn.f32.u64 {0}, {1}", 'f', "d", FUNCTION { return bits(static_cast<float>(a)); });
  add(
      "cvt.rn.f64.s32 {0}, {1}", 'g', "r", FUNCTION { return bits(static_cast<double>(s32(a))); });
  add(
      "cvt.rn.f64.u64 {0}, {1}", 'g', "d", FUNCTION { return bits(static_cast<double>(a)); });
  add(
      "cvt.rn.f64.s64 {0}, {1}", 'g', "d", FUNCTION { return bits(static_cast<double>(s64(a))); });
  add(
      "cvt.rzi.s32.f32 {0}, {1}", 'r', "f", FUNCTION {
        return to_integer<s32>(
            f32(a), +[](float v) { return std::trunc(v); });
      });
  add(
      "cvt.rni.s32.f32 {0}, {1}", 'r', "f", FUNCTION {
        return to_integer<s32>(
            f32(a), +[](float v) { return std::nearbyint(v); });
      });
  add(
      "cvt.rmi.u32.f32 {0}, {1}", 'r', "f", FUNCTION {
        return to_integer<u32>(
            f32(a), +[](float v) { return std::floor(v); });
      });
  add(
      "cvt.rpi.s64.f32 {0}, {1}", 'd', "f", FUNCTION {
        return to_integer<s64>(
            f32(a), +[](float v) { return std::ceil(v); });
      });
  add(
      "cvt.rzi.u64.f32 {0}, {1}", 'd', "f", FUNCTION {
        return to_integer<u64>(
            f32(a), +[](float v) { return std::trunc(v); });
      });
  add(
      "cvt.rzi.s32.f64 {0}, {1}", 'r', "g", FUNCTION {
        return to_integer<s32>(
            f64(a), +[](double v) { return std::trunc(v); });
      });
  add(
      "cvt.rni.u32.f64 {0}, {1}", 'r', "g", FUNCTION {
        return to_integer<u32>(
            f64(a), +[](double v) { return std::nearbyint(v); });
      });
  add(
      "cvt.rzi.s64.f64 {0}, {1}", 'd', "g", FUNCTION {
        return to_integer<s64>(
            f64(a), +[](double v) { return std::trunc(v); });
      });
  add(
      "cvt.rzi.u64.f64 {0}, {1}", 'd', "g", FUNCTION {
        return to_integer<u64>(
            f64(a), +[](double v) { return std::trunc(v); });
      });
  add(
      "cvt.rn.f32.f64 {0}, {1}", 'f', "g", FUNCTION { return std::bit_cast<u32>(static_cast<float>(f64(a))); });
  add(
      "cvt.rni.f32.f32 {0}, {1}", 'f', "f", FUNCTION { return bits(std::nearbyint(f32(a))); });
  add(
      "cvt.rmi.f64.f64 {0}, {1}", 'g', "g", FUNCTION { return bits(std::floor(f64(a))); });
  add(
      "cvt.rpi.f32.f32 {0}, {1}", 'f', "f", FUNCTION { return bits(std::ceil(f32(a))); });
  add(
      "cvt.sat.f32.f32 {0}, {1}", 'f', "f", FUNCTION { return bits(saturate(f32(a))); });
  add(
      "cvt.f64.f32 {0}, {1}", 'g', "f", FUNCTION { return bits(static_cast<double>(f32(a))); });
}

}  // namespace ambit::virtual_gpu::reference
