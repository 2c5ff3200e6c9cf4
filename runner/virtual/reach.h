#pragma once

#include "runner/virtual/address_scan.h"
#include "runner/virtual/machine.h"
#include "runner/virtual/observer.h"

namespace ambit::virtual_gpu {

/// The memory that the lanes of a memory instruction access.
struct Reach {
  AccessSpace space = AccessSpace::Global;
  bool is_observed = false;  ///< the memory is global or shared
  /// Consecutive and Same apply only if all 32 lanes access memory.
  AddressPattern pattern = AddressPattern::Scattered;
  std::uint32_t target_block = 0;
  /// The host memory of the address `origin`. Null if `hosts` has the memory of each lane.
  std::uint8_t* data = nullptr;
  std::uint64_t origin = 0;
  std::uint64_t addresses[kLanes];  ///< addresses of the lanes, as in WarpAccess
  std::uint8_t* hosts[kLanes];      ///< memory of each lane in Warp::mask; used only if `data` is null

  std::uint8_t* host(unsigned lane) const { return data != nullptr ? data + (addresses[lane] - origin) : hosts[lane]; }
};

inline MemoryOperation& memory_of(Warp& warp, const Instruction& instruction) {
  // Callers change only the cached allocation. The cast is safe, because a kernel's code belongs to one device, and
  // only one thread at a time may use a device.
  return const_cast<MemoryOperation&>(warp.running_frame->function->memory[instruction.extra]);
}

/// Finds the memory that the lanes in Warp::mask access, `bytes` bytes for each lane. The address must not be generic.
/// Checks bounds, alignment and initialisation. Returns false if a fault ended the launch. `kSpread` means that several
/// host threads execute the launch (KernelCode::is_spread).
template <bool kSpread = false>
bool reach(Warp& warp, const Instruction& instruction, MemoryOperation& operation, Place place, unsigned bytes,
           Reach& found);

/// Returns the place that the first lane in Warp::mask accesses. Reduces Warp::mask to the lanes that access the same
/// window and, in shared memory, the same block.
Place first_place(Warp& warp, const Instruction& instruction, const MemoryOperation& operation);

/// Calls `access(place)` for each window that contains an address, with Warp::mask set to the lanes of this window. If
/// the addresses are not generic, calls `access` once for all lanes.
template <class Access>
inline void for_each_place(Warp& warp, const Instruction& instruction, const MemoryOperation& operation,
                           Access access) {
  if (operation.place != Place::Generic && !operation.may_leave_block) [[likely]] {
    access(operation.place);
    return;
  }
  const std::uint32_t all = warp.mask;
  std::uint32_t left = all;
  while (left != 0 && !warp.machine->has_ended()) {
    warp.mask = left;
    const Place place = first_place(warp, instruction, operation);
    left &= ~warp.mask;
    access(place);
  }
  warp.mask = all;
}

/// Reports an access to the observer, if there is one. `old_values` is null for reads and writes.
void notify_access(Warp& warp, const Instruction& instruction, const MemoryOperation& operation, const Reach& reached,
                   unsigned bytes, const std::uint64_t* values, const std::uint64_t* old_values, std::uint32_t failed);

/// Reports an access at `address` that is not inside an allocation, and ends the launch.
void refuse_global(Warp& warp, const Instruction& instruction, const MemoryOperation& operation, unsigned lane,
                   std::uint64_t address, unsigned bytes);

}  // namespace ambit::virtual_gpu
