#include "runner/virtual/special_registers.h"

#include <cstring>

#include "runner/virtual/machine.h"

namespace ambit::virtual_gpu {
namespace {

using ptx::SpecialRegister;

/// Time of one instruction; a GPU at 1 GHz executes one per nanosecond. Time must advance for kernels that wait for a
/// point in time.
constexpr std::uint64_t kNanosecondsOfStep = 1;

std::uint64_t thread_part(const Warp& warp, SpecialRegister special, unsigned lane) {
  const Extent& size = warp.machine->launch().block;
  const std::uint32_t thread = warp.number * kLanes + lane;
  switch (special) {
    case SpecialRegister::TidX: return thread % size.x;
    case SpecialRegister::TidY: return thread / size.x % size.y;
    default: return thread / size.x / size.y;
  }
}

std::uint64_t launch_part(const Warp& warp, SpecialRegister special) {
  const Machine& machine = *warp.machine;
  const Extent& block = machine.launch().block;
  const Extent& grid = machine.launch().grid;
  const Extent& cluster = machine.info().cluster;
  const Extent& place = warp.block->place;
  switch (special) {
    case SpecialRegister::NtidX: return block.x;
    case SpecialRegister::NtidY: return block.y;
    case SpecialRegister::NtidZ: return block.z;
    case SpecialRegister::CtaidX: return place.x;
    case SpecialRegister::CtaidY: return place.y;
    case SpecialRegister::CtaidZ: return place.z;
    case SpecialRegister::NctaidX: return grid.x;
    case SpecialRegister::NctaidY: return grid.y;
    case SpecialRegister::NctaidZ: return grid.z;
    case SpecialRegister::WarpId: return warp.number;
    case SpecialRegister::NwarpId: return machine.info().warps_of_block;
    case SpecialRegister::SmId: return warp.block->number % 132;
    case SpecialRegister::NsmId: return 132;
    case SpecialRegister::GridId: return machine.info().launch;
    case SpecialRegister::DynamicSmemSize: return machine.launch().dynamic_shared_bytes;
    case SpecialRegister::TotalSmemSize:
    case SpecialRegister::AggrSmemSize: return machine.shared_bytes();
    case SpecialRegister::IsExplicitCluster: return cluster.count() > 1 ? 1 : 0;
    case SpecialRegister::ClusteridX: return place.x / cluster.x;
    case SpecialRegister::ClusteridY: return place.y / cluster.y;
    case SpecialRegister::ClusteridZ: return place.z / cluster.z;
    case SpecialRegister::NclusteridX: return grid.x / cluster.x;
    case SpecialRegister::NclusteridY: return grid.y / cluster.y;
    case SpecialRegister::NclusteridZ: return grid.z / cluster.z;
    case SpecialRegister::ClusterCtaidX: return place.x % cluster.x;
    case SpecialRegister::ClusterCtaidY: return place.y % cluster.y;
    case SpecialRegister::ClusterCtaidZ: return place.z % cluster.z;
    case SpecialRegister::ClusterNctaidX: return cluster.x;
    case SpecialRegister::ClusterNctaidY: return cluster.y;
    case SpecialRegister::ClusterNctaidZ: return cluster.z;
    case SpecialRegister::ClusterCtarank:
      return (place.z % cluster.z * cluster.y + place.y % cluster.y) * cluster.x + place.x % cluster.x;
    case SpecialRegister::ClusterNctarank: return cluster.count();
    case SpecialRegister::ReservedSmemBegin:
    case SpecialRegister::ReservedSmem0: return machine.shared_bytes();
    case SpecialRegister::ReservedSmem1: return machine.shared_bytes() + kReservedShared / 2;
    case SpecialRegister::ReservedSmemEnd: return machine.shared_bytes() + kReservedShared;
    case SpecialRegister::ReservedSmemCap: return kReservedShared;
    case SpecialRegister::Envreg1: return machine.grid_workspace() >> 32U;
    case SpecialRegister::Envreg2: return machine.grid_workspace() & 0xffffffff;
    default: return 0;
  }
}

template <class T>
void fill(std::uint8_t* to, std::uint64_t value) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const T typed = static_cast<T>(value);
    std::memcpy(to + lane * sizeof(T), &typed, sizeof(T));
  }
}

void fill(std::uint8_t* to, std::uint8_t bytes, std::uint64_t value) {
  switch (bytes) {
    case 0: {
      const std::uint32_t mask = value != 0 ? kAllLanes : 0;
      std::memcpy(to, &mask, sizeof mask);
      return;
    }
    case 2: fill<std::uint16_t>(to, value); return;
    case 4: fill<std::uint32_t>(to, value); return;
    case 8: fill<std::uint64_t>(to, value); return;
    default: fill<unsigned __int128>(to, value); return;
  }
}

void fill_special(std::uint8_t* to, const Constant& constant, const Warp& warp) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t value = special_value(warp, constant.special, lane);
    std::memcpy(to + std::size_t{lane} * constant.bytes, &value, constant.bytes);
  }
}

}  // namespace

bool is_fixed(SpecialRegister special) {
  switch (special) {
    case SpecialRegister::Clock:
    case SpecialRegister::ClockHi:
    case SpecialRegister::Clock64:
    case SpecialRegister::Globaltimer:
    case SpecialRegister::GlobaltimerLo:
    case SpecialRegister::GlobaltimerHi: return false;
    default: return true;
  }
}

bool is_reserved(SpecialRegister special) {
  switch (special) {
    case SpecialRegister::ReservedSmemBegin:
    case SpecialRegister::ReservedSmemEnd:
    case SpecialRegister::ReservedSmemCap:
    case SpecialRegister::ReservedSmem0:
    case SpecialRegister::ReservedSmem1: return true;
    default: return false;
  }
}

bool is_known(SpecialRegister special) {
  if (special == SpecialRegister::Envreg1 || special == SpecialRegister::Envreg2 || is_reserved(special)) return true;
  return special != SpecialRegister::Unknown && special < SpecialRegister::CurrentGraphExec;
}

std::uint64_t special_value(const Warp& warp, SpecialRegister special, unsigned lane) {
  const std::uint32_t own = 1U << lane;
  switch (special) {
    case SpecialRegister::TidX:
    case SpecialRegister::TidY:
    case SpecialRegister::TidZ: return thread_part(warp, special, lane);
    case SpecialRegister::LaneId: return lane;
    case SpecialRegister::LanemaskEq: return own;
    case SpecialRegister::LanemaskLe: return own | (own - 1);
    case SpecialRegister::LanemaskLt: return own - 1;
    case SpecialRegister::LanemaskGe: return ~(own - 1);
    case SpecialRegister::LanemaskGt: return ~(own | (own - 1));
    case SpecialRegister::Clock: return warp.machine->steps() & 0xffffffff;
    case SpecialRegister::ClockHi: return warp.machine->steps() >> 32U;
    case SpecialRegister::Clock64: return warp.machine->steps();
    case SpecialRegister::Globaltimer: return warp.machine->steps() * kNanosecondsOfStep;
    case SpecialRegister::GlobaltimerLo: return (warp.machine->steps() * kNanosecondsOfStep) & 0xffffffff;
    case SpecialRegister::GlobaltimerHi: return (warp.machine->steps() * kNanosecondsOfStep) >> 32U;
    default: return launch_part(warp, special);
  }
}

void fill_constants(Frame& frame, const Warp& warp, bool is_fresh) {
  std::uint8_t* data = frame.data();
  if (is_fresh) {
    fill(data + kAlways, 0, 1);
    fill(data + kNever, 0, 0);
  }
  fill(data + kCarry, 0, 0);
  for (const Constant& constant : frame.function->constants) {
    std::uint8_t* to = data + constant.offset;
    switch (constant.kind) {
      case Constant::Kind::Bits:
        if (is_fresh) fill(to, constant.bytes, constant.value);
        break;
      case Constant::Kind::Special: fill_special(to, constant, warp); break;
      case Constant::Kind::Local: fill(to, constant.bytes, frame.local_base + constant.value); break;
    }
  }
}

}  // namespace ambit::virtual_gpu
