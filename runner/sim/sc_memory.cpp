#include "runner/sim/sc_memory.h"

namespace ambit::sim {

void ScMemory::reset(MemoryState& memory) const {
  memory.values.clear();
  for (const Location& location : program_.locations) memory.values.push_back(location.initial);
}

void ScMemory::perform(MemoryState& /*memory*/, const MemoryAction& /*action*/) const {
  AMBIT_ASSERT(false && "sequentially consistent memory has no actions of its own");
}

std::string ScMemory::cache_name(std::uint32_t /*cache*/) const { return {}; }

MemoryContents ScMemory::contents(const MemoryState& memory) const {
  MemoryContents contents;
  for (std::size_t i = 0; i < memory.values.size(); ++i) {
    contents.values.push_back({static_cast<LocationId>(i), memory.values[i]});
  }
  return contents;
}

}  // namespace ambit::sim
