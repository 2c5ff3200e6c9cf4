#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <type_traits>

#include "tests/unit/virtual/reference_lists.h"

namespace ambit::virtual_gpu::reference {
namespace {

template <class T>
u64 multiply_high(u64 a, u64 b) {
  if constexpr (std::is_signed_v<T>) {
    return static_cast<u64>(
        static_cast<T>((static_cast<s128>(static_cast<T>(a)) * static_cast<T>(b)) >> (sizeof(T) * 8)));
  }
  return static_cast<u64>(static_cast<T>(
      (u128{static_cast<std::make_unsigned_t<T>>(a)} * static_cast<std::make_unsigned_t<T>>(b)) >> (sizeof(T) * 8)));
}
template <class T>
u64 divide(u64 a, u64 b) {
  const T x = static_cast<T>(a);
  const T y = static_cast<T>(b);
  if (y == 0) return ~u64{0};
  if (std::is_signed_v<T> && y == static_cast<T>(-1)) return 0 - static_cast<u64>(x);
  return static_cast<u64>(x / y);
}
template <class T>
u64 remainder_of(u64 a, u64 b) {
  const T x = static_cast<T>(a);
  const T y = static_cast<T>(b);
  if (y == 0) return ~u64{0};
  if (std::is_signed_v<T> && y == static_cast<T>(-1)) return 0;
  return static_cast<u64>(x % y);
}
/// Computes the result bit by bit, like the ISA's pseudocode.
template <class T>
u64 extract(u64 a, u64 b, u64 c) {
  const u32 msb = sizeof(T) * 8 - 1;
  const u64 mask = sizeof(T) == 8 ? 0xffffffff : 0xff;  // the ISA says 0xff for both; an H200 does this
  const u64 pos = b & mask;
  const u64 len = c & mask;
  const bool sign = std::is_signed_v<T> && len != 0 && (a >> std::min<u64>(pos + len - 1, msb) & 1) != 0;
  u64 d = 0;
  for (u32 i = 0; i <= msb; ++i) {
    const bool bit = i < len && pos + i <= msb ? (a >> (pos + i) & 1) != 0 : sign;
    d |= static_cast<u64>(bit) << i;
  }
  return d;
}
u64 insert(u64 a, u64 b, u64 c, u32 len, u32 msb) {
  const u64 pos = c & (msb == 63 ? 0xffffffff : 0xff);
  u64 f = b;
  for (u32 i = 0; i < len && pos + i <= msb; ++i) {
    f = (f & ~(u64{1} << (pos + i))) | (a >> i & 1) << (pos + i);
  }
  return f;
}
u64 highest(u64 value, u32 width) {
  for (u32 i = width; i-- > 0;) {
    if ((value >> i & 1) != 0) return i;
  }
  return 0xffffffff;
}
u64 reversed(u64 a, u32 width) {
  u64 d = 0;
  for (u32 i = 0; i < width; ++i) d |= (a >> i & 1) << (width - 1 - i);
  return d;
}
u64 permute(u64 a, u64 b, u64 c) {
  u64 d = 0;
  const u64 all = b << 32 | (a & 0xffffffff);
  for (u32 i = 0; i < 4; ++i) {
    const u32 selector = c >> (4 * i) & 0xf;
    const u32 byte = all >> (8 * (selector & 7)) & 0xff;
    const u32 chosen = (selector & 8) == 0 ? byte : (byte & 0x80) != 0 ? 0xff : 0;
    d |= static_cast<u64>(chosen) << (8 * i);
  }
  return d;
}
u64 lut(u64 a, u64 b, u64 c, u32 table) {
  u64 d = 0;
  for (u32 i = 0; i < 32; ++i) {
    const u32 index = static_cast<u32>((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1));
    d |= static_cast<u64>(table >> index & 1) << i;
  }
  return d;
}
u64 clamp32(s64 value) { return static_cast<u64>(std::min<s64>(std::max<s64>(value, INT32_MIN), INT32_MAX)); }

}  // namespace

void add_integers(List& list) {
  const auto add = [&](const char* text, char result, const char* sources, decltype(ReferenceInstruction::value) f) {
    list.push_back({text, result, sources, f});
  };
  add(
      "add.u16 {0}, {1}, {2}", 'h', "hh", FUNCTION { return a + b; });
  add(
      "add.s32 {0}, {1}, {2}", 'r', "rr", FUNCTION { return a + b; });
  add(
      "add.s64 {0}, {1}, {2}", 'd', "dd", FUNCTION { return a + b; });
  add(
      "sub.s16 {0}, {1}, {2}", 'h', "hh", FUNCTION { return a - b; });
  add(
      "sub.s32 {0}, {1}, {2}", 'r', "rr", FUNCTION { return a - b; });
  add(
      "sub.s64 {0}, {1}, {2}", 'd', "dd", FUNCTION { return a - b; });
  add(
      "add.sat.s32 {0}, {1}, {2}", 'r', "rr", FUNCTION { return clamp32(s64{s32(a)} + s32(b)); });
  add(
      "sub.sat.s32 {0}, {1}, {2}", 'r', "rr", FUNCTION { return clamp32(s64{s32(a)} - s32(b)); });
  add(
      "mul.lo.u16 {0}, {1}, {2}", 'h', "hh", FUNCTION { return a * b; });
  add(
      "mul.lo.s32 {0}, {1}, {2}", 'r', "rr", FUNCTION { return a * b; });
  add(
      "mul.lo.s64 {0}, {1}, {2}", 'd', "dd", FUNCTION { return a * b; });
  add(
      "mul.hi.u16 {0}, {1}, {2}", 'h', "hh", FUNCTION { return multiply_high<u16>(a, b); });
  add(
      "mul.hi.s32 {0}, {1}, {2}", 'r', "rr", FUNCTION { return multiply_high<s32>(a, b); });
  add(
      "mul.hi.u32 {0}, {1}, {2}", 'r', "rr", FUNCTION { return multiply_high<u32>(a, b); });
  add(
      "mul.hi.s64 {0}, {1}, {2}", 'd', "dd", FUNCTION { return multiply_high<s64>(a, b); });
  add(
      "mul.hi.u64 {0}, {1}, {2}", 'd', "dd", FUNCTION { return multiply_high<u64>(a, b); });
  add(
      "mul.wide.u16 {0}, {1}, {2}", 'r', "hh", FUNCTION { return u64{u16(a)} * u16(b); });
  add(
      "mul.wide.s16 {0}, {1}, {2}", 'r', "hh", FUNCTION { return static_cast<u64>(s64{s16(a)} * s16(b)); });
  add(
      "mul.wide.s32 {0}, {1}, {2}", 'd', "rr", FUNCTION { return static_cast<u64>(s64{s32(a)} * s32(b)); });
  add(
      "mul.wide.u32 {0}, {1}, {2}", 'd', "rr", FUNCTION { return u64{u32(a)} * u32(b); });
  add(
      "mad.lo.s32 {0}, {1}, {2}, {3}", 'r', "rrr", FUNCTION { return a * b + c; });
  add(
      "mad.lo.u64 {0}, {1}, {2}, {3}", 'd', "ddd", FUNCTION { return a * b + c; });
  add(
      "mad.hi.s32 {0}, {1}, {2}, {3}", 'r', "rrr", FUNCTION { return multiply_high<s32>(a, b) + c; });
  add(
      "mad.hi.u64 {0}, {1}, {2}, {3}", 'd', "ddd", FUNCTION { return multiply_high<u64>(a, b) + c; });
  add(
      "mad.wide.s32 {0}, {1}, {2}, {3}", 'd', "rrd", FUNCTION { return static_cast<u64>(s64{s32(a)} * s32(b)) + c; });
  add(
      "mad.wide.u16 {0}, {1}, {2}, {3}", 'r', "hhr", FUNCTION { return u64{u16(a)} * u16(b) + c; });
  add(
      "mad.hi.sat.s32 {0}, {1}, {2}, {3}", 'r', "rrr",
      FUNCTION { return clamp32((s64{s32(a)} * s32(b) >> 32) + s32(c)); });
  add(
      "mul24.lo.s32 {0}, {1}, {2}", 'r', "rr",
      FUNCTION { return static_cast<u64>((s64{s32(a << 8)} >> 8) * (s64{s32(b << 8)} >> 8)); });
  add(
      "mul24.hi.u32 {0}, {1}, {2}", 'r', "rr", FUNCTION { return (a & 0xffffff) * (b & 0xffffff) >> 16; });
  add(
      "mad24.lo.u32 {0}, {1}, {2}, {3}", 'r', "rrr", FUNCTION { return (a & 0xffffff) * (b & 0xffffff) + c; });
  add(
      "div.s32 {0}, {1}, {2}", 'r', "rr", FUNCTION { return divide<s32>(a, b); });
  add(
      "div.u32 {0}, {1}, {2}", 'r', "rr", FUNCTION { return divide<u32>(a, b); });
  add(
      "div.s64 {0}, {1}, {2}", 'd', "dd", FUNCTION { return divide<s64>(a, b); });
  add(
      "div.u64 {0}, {1}, {2}", 'd', "dd", FUNCTION { return divide<u64>(a, b); });
  add(
      "div.s16 {0}, {1}, {2}", 'h', "hh", FUNCTION { return divide<s16>(a, b); });
  add(
      "rem.s32 {0}, {1}, {2}", 'r', "rr", FUNCTION { return remainder_of<s32>(a, b); });
  add(
      "rem.u32 {0}, {1}, {2}", 'r', "rr", FUNCTION { return remainder_of<u32>(a, b); });
  add(
      "rem.s64 {0}, {1}, {2}", 'd', "dd", FUNCTION { return remainder_of<s64>(a, b); });
  add(
      "rem.u64 {0}, {1}, {2}", 'd', "dd", FUNCTION { return remainder_of<u64>(a, b); });
  add(
      "abs.s32 {0}, {1}", 'r', "r", FUNCTION { return s32(a) < 0 ? 0 - a : a; });
  add(
      "abs.s64 {0}, {1}", 'd', "d", FUNCTION { return s64(a) < 0 ? 0 - a : a; });
  add(
      "neg.s32 {0}, {1}", 'r', "r", FUNCTION { return 0 - a; });
  add(
      "neg.s64 {0}, {1}", 'd', "d", FUNCTION { return 0 - a; });
  add(
      "min.s32 {0}, {1}, {2}", 'r', "rr", FUNCTION { return s32(a) < s32(b) ? a : b; });
  add(
      "min.u32 {0}, {1}, {2}", 'r', "rr", FUNCTION { return u32(a) < u32(b) ? a : b; });
  add(
      "max.s64 {0}, {1}, {2}", 'd', "dd", FUNCTION { return s64(a) < s64(b) ? b : a; });
  add(
      "max.u16 {0}, {1}, {2}", 'h', "hh", FUNCTION { return u16(a) < u16(b) ? b : a; });
  add(
      "max.s16 {0}, {1}, {2}", 'h', "hh", FUNCTION { return s16(a) < s16(b) ? b : a; });
  add(
      "sad.s32 {0}, {1}, {2}, {3}", 'r', "rrr", FUNCTION { return c + (s32(a) < s32(b) ? b - a : a - b); });
  add(
      "sad.u32 {0}, {1}, {2}, {3}", 'r', "rrr", FUNCTION { return c + (u32(a) < u32(b) ? b - a : a - b); });
  add(
      "dp4a.s32.s32 {0}, {1}, {2}, {3}", 'r', "rrr", FUNCTION {
        u64 d = c;
        for (int i = 0; i < 32; i += 8)
          d += static_cast<u64>(s64{static_cast<std::int8_t>(a >> i)} * static_cast<std::int8_t>(b >> i));
        return d;
      });
  add(
      "dp4a.u32.s32 {0}, {1}, {2}, {3}", 'r', "rrr", FUNCTION {
        u64 d = c;
        for (int i = 0; i < 32; i += 8)
          d += static_cast<u64>(s64{static_cast<std::uint8_t>(a >> i)} * static_cast<std::int8_t>(b >> i));
        return d;
      });
  add(
      "dp2a.hi.s32.u32 {0}, {1}, {2}, {3}", 'r', "rrr", FUNCTION {
        return c + static_cast<u64>(s64{s16(a)} * static_cast<std::uint8_t>(b >> 16) +
                                    s64{s16(a >> 16)} * static_cast<std::uint8_t>(b >> 24));
      });
}

void add_bits(List& list) {
  const auto add = [&](const char* text, char result, const char* sources, decltype(ReferenceInstruction::value) f) {
    list.push_back({text, result, sources, f});
  };
  add(
      "and.b32 {0}, {1}, {2}", 'r', "rr", FUNCTION { return a & b; });
  add(
      "and.b16 {0}, {1}, {2}", 'h', "hh", FUNCTION { return a & b; });
  add(
      "or.b64 {0}, {1}, {2}", 'd', "dd", FUNCTION { return a | b; });
  add(
      "xor.b32 {0}, {1}, {2}", 'r', "rr", FUNCTION { return a ^ b; });
  add(
      "not.b32 {0}, {1}", 'r', "r", FUNCTION { return ~a; });
  add(
      "not.b64 {0}, {1}", 'd', "d", FUNCTION { return ~a; });
  add(
      "cnot.b32 {0}, {1}", 'r', "r", FUNCTION { return a == 0 ? 1 : 0; });
  add(
      "shl.b32 {0}, {1}, {2}", 'r', "rr", FUNCTION { return b > 31 ? 0 : a << b; });
  add(
      "shl.b64 {0}, {1}, {2}", 'd', "dr", FUNCTION { return b > 63 ? 0 : a << b; });
  add(
      "shl.b16 {0}, {1}, {2}", 'h', "hr", FUNCTION { return b > 15 ? 0 : a << b; });
  add(
      "shr.u32 {0}, {1}, {2}", 'r', "rr", FUNCTION { return b > 31 ? 0 : a >> b; });
  add(
      "shr.s32 {0}, {1}, {2}", 'r', "rr", FUNCTION { return static_cast<u64>(s32(a) >> (b > 31 ? 31 : b)); });
  add(
      "shr.s64 {0}, {1}, {2}", 'd', "dr", FUNCTION { return static_cast<u64>(s64(a) >> (b > 63 ? 63 : b)); });
  add(
      "shr.u64 {0}, {1}, {2}", 'd', "dr", FUNCTION { return b > 63 ? 0 : a >> b; });
  add(
      "shr.s16 {0}, {1}, {2}", 'h', "hr", FUNCTION { return static_cast<u64>(s16(a) >> (b > 15 ? 15 : b)); });
  add(
      "shf.l.wrap.b32 {0}, {1}, {2}, {3}", 'r', "rrr", FUNCTION { return (b << 32 | a) << (c & 31) >> 32; });
  add(
      "shf.l.clamp.b32 {0}, {1}, {2}, {3}", 'r', "rrr", FUNCTION { return (b << 32 | a) << (c > 32 ? 32 : c) >> 32; });
  add(
      "shf.r.wrap.b32 {0}, {1}, {2}, {3}", 'r', "rrr", FUNCTION { return (b << 32 | a) >> (c & 31); });
  add(
      "shf.r.clamp.b32 {0}, {1}, {2}, {3}", 'r', "rrr", FUNCTION { return (b << 32 | a) >> (c > 32 ? 32 : c); });
  add(
      "popc.b32 {0}, {1}", 'r', "r", FUNCTION { return static_cast<u64>(std::popcount(a)); });
  add(
      "popc.b64 {0}, {1}", 'r', "d", FUNCTION { return static_cast<u64>(std::popcount(a)); });
  add(
      "clz.b32 {0}, {1}", 'r', "r", FUNCTION { return static_cast<u64>(std::countl_zero(u32(a))); });
  add(
      "clz.b64 {0}, {1}", 'r', "d", FUNCTION { return static_cast<u64>(std::countl_zero(a)); });
  add(
      "bfind.u32 {0}, {1}", 'r', "r", FUNCTION { return highest(a, 32); });
  add(
      "bfind.s32 {0}, {1}", 'r', "r", FUNCTION { return highest(s32(a) < 0 ? ~a & 0xffffffff : a, 32); });
  add(
      "bfind.s64 {0}, {1}", 'r', "d", FUNCTION { return highest(s64(a) < 0 ? ~a : a, 64); });
  add(
      "bfind.shiftamt.u32 {0}, {1}", 'r', "r", FUNCTION { return a == 0 ? ~u64{0} : 31 - highest(a, 32); });
  add(
      "brev.b32 {0}, {1}", 'r', "r", FUNCTION { return reversed(a, 32); });
  add(
      "brev.b64 {0}, {1}", 'd', "d", FUNCTION { return reversed(a, 64); });
  add(
      "bfe.u32 {0}, {1}, {2}, {3}", 'r', "rrr", FUNCTION { return extract<u32>(a, b, c); });
  add(
      "bfe.s32 {0}, {1}, {2}, {3}", 'r', "rrr", FUNCTION { return extract<s32>(a, b, c); });
  add(
      "bfe.u64 {0}, {1}, {2}, {3}", 'd', "drr", FUNCTION { return extract<u64>(a, b, c); });
  add(
      "bfe.s64 {0}, {1}, {2}, {3}", 'd', "drr", FUNCTION { return extract<s64>(a, b, c); });
  add(
      "bfi.b32 {0}, {1}, {2}, {3}, 9", 'r', "rrr", FUNCTION { return insert(a, b, c, 9, 31); });
  add(
      "bfi.b64 {0}, {1}, {2}, {3}, 21", 'd', "ddr", FUNCTION { return insert(a, b, c, 21, 63); });
  add(
      "prmt.b32 {0}, {1}, {2}, {3}", 'r', "rrr", FUNCTION { return permute(a, b, c); });
  add(
      "prmt.b32.f4e {0}, {1}, {2}, {3}", 'r', "rrr", FUNCTION { return (b << 32 | a) >> (8 * (c & 3)); });
  add(
      "prmt.b32.rc8 {0}, {1}, {2}, {3}", 'r', "rrr", FUNCTION { return (a >> (8 * (c & 3)) & 0xff) * 0x01010101; });
  add(
      "prmt.b32.rc16 {0}, {1}, {2}, {3}", 'r', "rrr", FUNCTION { return (a >> (16 * (c & 1)) & 0xffff) * 0x00010001; });
  add(
      "lop3.b32 {0}, {1}, {2}, {3}, 0x96", 'r', "rrr", FUNCTION { return lut(a, b, c, 0x96); });
  add(
      "lop3.b32 {0}, {1}, {2}, {3}, 0x1b", 'r', "rrr", FUNCTION { return lut(a, b, c, 0x1b); });
  add(
      "lop3.b32 {0}, {1}, {2}, {3}, 0xe8", 'r', "rrr", FUNCTION { return lut(a, b, c, 0xe8); });
  add(
      "bmsk.clamp.b32 {0}, {1}, {2}", 'r', "rr",
      FUNCTION { return a > 31 ? 0 : ((u64{1} << (b > 32 ? 32 : b)) - 1) << a; });
  add(
      "szext.clamp.s32 {0}, {1}, {2}", 'r', "rr", FUNCTION {
        return b == 0 ? 0 : b > 31 ? a : static_cast<u64>(s32(a << (32 - b)) >> (32 - b));
      });
  add(
      "selp.b32 {0}, {1}, {2}, {3}", 'r', "rrp", FUNCTION { return c != 0 ? a : b; });
  add(
      "selp.f64 {0}, {1}, {2}, {3}", 'g', "ggp", FUNCTION { return c != 0 ? a : b; });
  add(
      "slct.b32.s32 {0}, {1}, {2}, {3}", 'r', "rrr", FUNCTION { return s32(c) >= 0 ? a : b; });
  add(
      "slct.u64.f32 {0}, {1}, {2}, {3}", 'd', "ddf", FUNCTION { return f32(c) >= 0 ? a : b; });
  add(
      "mov.b64 {0}, {{{1}, {2}}}", 'd', "rr", FUNCTION { return b << 32 | a; });
  add(
      "mov.b32 {0}, {{{1}, {2}}}", 'r', "hh", FUNCTION { return b << 16 | a; });
  add(
      "{{ .reg .b32 unused; mov.b64 {{unused, {0}}}, {1}; }}", 'r', "d", FUNCTION { return a >> 32; });
  add(
      "{{ .reg .b32 lo, hi; mov.b64 {{lo, hi}}, {1}; .reg .b32 lo2, hi2; mov.b64 {{lo2, hi2}}, {2}; "
      "add.cc.u32 lo, lo, lo2; addc.u32 hi, hi, hi2; mov.b64 {0}, {{lo, hi}}; }}",
      'd', "dd", FUNCTION { return a + b; });
  add(
      "{{ .reg .b32 lo, hi; mov.b64 {{lo, hi}}, {1}; .reg .b32 lo2, hi2; mov.b64 {{lo2, hi2}}, {2}; "
      "sub.cc.u32 lo, lo, lo2; subc.u32 hi, hi, hi2; mov.b64 {0}, {{lo, hi}}; }}",
      'd', "dd", FUNCTION { return a - b; });
  add(
      "{{ .reg .b32 lo, hi; mad.lo.cc.u32 lo, {1}, {2}, {3}; madc.hi.u32 hi, {1}, {2}, 0; mov.b64 {0}, {{lo, hi}}; }}",
      'd', "rrr", FUNCTION { return a * b + c; });
}

}  // namespace ambit::virtual_gpu::reference
