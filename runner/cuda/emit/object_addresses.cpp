#include "runner/cuda/emit/object_addresses.h"

#include <fmt/format.h>

namespace ambit::cuda {

std::string objection_to(const ObjectAddress& address, bool needs_own_block) {
  if (!address.is_reachable) return "this shared memory is in another cluster, so the thread cannot access it";
  if (!needs_own_block || address.is_own) return {};
  return "on hardware, waits, wgmma and arrivals with a result access only objects of the thread's own block";
}

ObjectAddress ObjectAddresses::find(LocationId location, const char* own, const char* peer) const {
  const Location& cell = program_.locations[location];
  const MemoryObject& object = program_.objects[cell.object];
  const auto shared = shared_.number.find(location);
  if (shared == shared_.number.end()) {
    const std::uint32_t offset = cell.index * bytes_of_cell(program_, object);
    return {.text = fmt::format("(at.cell({} /* {} */) + {})", object.first, cell.name, offset)};
  }
  const std::uint32_t home = shared_.place.at(cell.object);
  const std::uint32_t here = layout_.place_of(thread_);
  const std::uint32_t blocks = layout_.cluster_blocks;
  if (home == here) return {.text = fmt::format("{}(at, {} /* {} */)", own, shared->second, cell.name)};
  return {.text = fmt::format("{}(at, {} /* {} */, {})", peer, shared->second, cell.name, home % blocks),
          .is_own = false,
          .is_reachable = home / blocks == here / blocks};
}

ObjectAddress ObjectAddresses::in_space(LocationId location) const {
  ObjectAddress address = find(location, "shared_address", "peer_address");
  address.is_narrow = shared_.number.contains(location);
  return address;
}

ObjectAddress ObjectAddresses::generic(LocationId location) const { return find(location, "shared_at", "peer_at"); }

ObjectAddress ObjectAddresses::of_operand(LocationId location, const MachineInstruction& machine) const {
  const bool is_in_space = machine.name.find(".shared") != std::string::npos || machine.name.starts_with("wgmma.");
  return is_in_space ? in_space(location) : generic(location);
}

}  // namespace ambit::cuda
