#include "ptx/types.h"

#include <array>
#include <unordered_map>

namespace ambit::ptx {
namespace {

struct TypeRow {
  std::string_view name;
  unsigned bits = 0;
};

constexpr std::array kTypes = {TypeRow{"", 0},
#define AMBIT_PTX_TYPE(name, spelling, bits) TypeRow{spelling, bits},
                               AMBIT_PTX_TYPES(AMBIT_PTX_TYPE)
#undef AMBIT_PTX_TYPE
};

}  // namespace

unsigned bits_of(Type type) { return kTypes[static_cast<std::size_t>(type)].bits; }

unsigned bytes_of(Type type) { return bits_of(type) / 8; }

bool is_signed(Type type) {
  return type == Type::S8 || type == Type::S16 || type == Type::S32 || type == Type::S64 || type == Type::S16x2;
}

bool is_float(Type type) {
  switch (type) {
    case Type::F16:
    case Type::F16x2:
    case Type::Bf16:
    case Type::Bf16x2:
    case Type::Tf32:
    case Type::F32:
    case Type::F32x2:
    case Type::F64:
    case Type::E4m3x2:
    case Type::E5m2x2: return true;
    default: return false;
  }
}

std::string_view to_string(Type type) { return kTypes[static_cast<std::size_t>(type)].name; }

std::optional<Type> type_from_string(std::string_view name) {
  static const std::unordered_map<std::string_view, Type> kByName = [] {
    std::unordered_map<std::string_view, Type> result;
    for (std::size_t i = 1; i < kTypes.size(); ++i) result.emplace(kTypes[i].name, static_cast<Type>(i));
    return result;
  }();
  const auto found = kByName.find(name);
  return found == kByName.end() ? std::nullopt : std::optional(found->second);
}

std::string_view to_string(Space space) {
  constexpr std::array<std::string_view, 7> kNames = {"generic", "const", "global", "local", "param", "shared", "tex"};
  return kNames[static_cast<std::size_t>(space)];
}

}  // namespace ambit::ptx
