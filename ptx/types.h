#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ambit::ptx {

/// The types of registers and variables, and the type suffixes of instructions (ISA 9.0, sections 5.2 and 5.2.3).
#define AMBIT_PTX_TYPES(X)        \
  X(B8, "b8", 8)                  \
  X(B16, "b16", 16)               \
  X(B32, "b32", 32)               \
  X(B64, "b64", 64)               \
  X(B128, "b128", 128)            \
  X(U8, "u8", 8)                  \
  X(U16, "u16", 16)               \
  X(U32, "u32", 32)               \
  X(U64, "u64", 64)               \
  X(S8, "s8", 8)                  \
  X(S16, "s16", 16)               \
  X(S32, "s32", 32)               \
  X(S64, "s64", 64)               \
  X(F16, "f16", 16)               \
  X(F16x2, "f16x2", 32)           \
  X(Bf16, "bf16", 16)             \
  X(Bf16x2, "bf16x2", 32)         \
  X(Tf32, "tf32", 32)             \
  X(F32, "f32", 32)               \
  X(F32x2, "f32x2", 64)           \
  X(F64, "f64", 64)               \
  X(U16x2, "u16x2", 32)           \
  X(S16x2, "s16x2", 32)           \
  X(E4m3x2, "e4m3x2", 16)         \
  X(E5m2x2, "e5m2x2", 16)         \
  X(Pred, "pred", 1)              \
  X(Texref, "texref", 64)         \
  X(Samplerref, "samplerref", 64) \
  X(Surfref, "surfref", 64)

enum class Type : std::uint8_t {
  None,
#define AMBIT_PTX_TYPE(name, spelling, bits) name,
  AMBIT_PTX_TYPES(AMBIT_PTX_TYPE)
#undef AMBIT_PTX_TYPE
};

/// Returns the number of bits of one value; 1 for a predicate, 0 for None.
unsigned bits_of(Type type);
/// Returns the number of bytes of one value in memory; 0 for None and for a predicate.
unsigned bytes_of(Type type);
bool is_signed(Type type);  ///< Returns true for .sN types.
bool is_float(Type type);   ///< Returns true for any floating-point type, including packed types.
/// Returns the name of a type without the dot, for example "u32"; an empty string for None.
std::string_view to_string(Type type);
/// Returns the type that has this name. `name` has no dot.
std::optional<Type> type_from_string(std::string_view name);

/// The state spaces (ISA 9.0, section 5.1). None represents generic addressing.
enum class Space : std::uint8_t { None, Const, Global, Local, Param, Shared, Tex };
/// Returns the name of a state space without the dot, for example "global"; "generic" for None.
std::string_view to_string(Space space);

}  // namespace ambit::ptx
