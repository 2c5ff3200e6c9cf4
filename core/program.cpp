#include "core/program.h"

#include <array>

namespace ambit {

std::string_view to_string(RmwOp op) {
  constexpr std::array<std::string_view, 11> kNames = {"add", "sub", "exch", "min", "max", "inc",
                                                       "dec", "and", "or",   "xor", "cas"};
  return kNames[static_cast<std::size_t>(op)];
}

std::string_view to_string(Frequency frequency) {
  constexpr std::array<std::string_view, 3> kNames = {"Never", "Sometimes", "Always"};
  return kNames[static_cast<std::size_t>(frequency)];
}

std::optional<LocationId> Program::location_at(Value address) const {
  const Value object = (address >> 32) - 1;
  const auto index = static_cast<std::uint32_t>(address & 0xffffffff);
  if (object < 0 || object >= static_cast<Value>(objects.size())) return std::nullopt;
  const MemoryObject& found = objects[static_cast<std::size_t>(object)];
  if (index >= found.length) return std::nullopt;
  return found.first + index;
}

}  // namespace ambit
