#include "runner/sim/sc_memory.h"

#include <fmt/format.h>

namespace ambit::sim {

void ScMemory::reset(MemoryState& memory) const {
  memory.values.clear();
  for (const Location& location : program_.locations) memory.values.push_back(location.initial);
}

void ScMemory::perform(MemoryState& /*memory*/, const MemoryAction& /*action*/) const {
  AMBIT_ASSERT(!"sequentially consistent memory does nothing by itself");
}

std::string ScMemory::cache_name(std::uint32_t /*cache*/) const { return {}; }

std::vector<std::string> ScMemory::describe(const MemoryState& memory) const {
  std::string line = "memory ";
  for (std::size_t i = 0; i < memory.values.size(); ++i) {
    line += fmt::format(" {}={}", program_.locations[i].name, memory.values[i]);
  }
  return {line};
}

}  // namespace ambit::sim
