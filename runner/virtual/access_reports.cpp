#include "runner/virtual/access_reports.h"

#include <string>

#include <fmt/format.h>

namespace ambit::virtual_gpu {
namespace {

std::string_view verb(const MemoryOperation& operation) {
  switch (operation.kind) {
    case AccessKind::Read: return "reads";
    case AccessKind::Write: return "writes";
    default: return "updates";
  }
}

std::string bytes_text(std::uint64_t bytes) { return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s"); }

/// Describes an allocation: "allocation 3 (400 bytes, app.cu:12)", "variable 'table' (64 bytes)".
std::string text_of(const Allocation& allocation) {
  const std::string what = allocation.name.empty() ? fmt::format("allocation {}", allocation.number)
                                                   : fmt::format("variable '{}'", allocation.name);
  const std::string place = allocation.place.empty() ? "" : ", " + allocation.place;
  return fmt::format("{} ({}{})", what, bytes_text(allocation.bytes), place);
}

/// Describes the position of an address relative to the nearest allocation.
std::string position(const Allocation& allocation, std::uint64_t address, unsigned bytes) {
  const std::uint64_t end = allocation.address + allocation.bytes;
  if (address >= end) {
    return address == end ? "right after" : fmt::format("{} after the end of", bytes_text(address - end));
  }
  if (address < allocation.address) return fmt::format("{} before", bytes_text(allocation.address - address));
  if (address + bytes > end) return "across the end of";
  return fmt::format("at byte {} of", address - allocation.address);
}

Finding access_finding(const Warp& warp, const Instruction& instruction, unsigned lane, FindingKind kind,
                       std::uint64_t address, unsigned bytes) {
  Finding made = Machine::finding(warp, instruction, lane, kind);
  made.address = address;
  made.bytes = bytes;
  return made;
}

}  // namespace

void report_uninitialised(Warp& warp, const Instruction& instruction, const MemoryOperation& operation,
                          const Reach& found, unsigned lane, unsigned bytes) {
  const std::uint64_t address = found.addresses[lane];
  Finding made = access_finding(warp, instruction, lane, FindingKind::Uninitialised, address, bytes);
  if (found.space == AccessSpace::Shared) {
    made.message = fmt::format("{} {} at offset {} of shared memory before any write to these bytes", verb(operation),
                               bytes_text(bytes), address);
  } else {
    const Allocation& allocation = warp.machine->memory().allocation(operation.allocation);
    made.allocation = allocation.number;
    made.message = fmt::format("{} {} at byte {} of {} before any write to these bytes", verb(operation),
                               bytes_text(bytes), address - allocation.address, text_of(allocation));
  }
  warp.machine->add_finding(made);
}

void refuse_global(Warp& warp, const Instruction& instruction, const MemoryOperation& operation, unsigned lane,
                   std::uint64_t address, unsigned bytes) {
  Memory& memory = warp.machine->memory();
  Finding made = access_finding(warp, instruction, lane, FindingKind::OutOfBounds, address, bytes);
  const std::string action = fmt::format("{} {}", verb(operation), bytes_text(bytes));
  if (address % bytes != 0) {
    made.kind = FindingKind::Misaligned;
    made.message = fmt::format("{} at {:#x}, which is not a multiple of {}", action, address, bytes);
    if (const Allocation* near = memory.nearest(address)) {
      made.allocation = near->number;
      made.message += fmt::format(", {} {}", position(*near, address, bytes), text_of(*near));
    }
    warp.machine->fault(warp, LaunchEnd::MisalignedAddress, made);
    return;
  }
  const Allocation* near = memory.nearest(address);
  if (near != nullptr) made.allocation = near->number;
  if (memory.find(address, bytes) != nullptr) {
    made.kind = FindingKind::ReadOnly;
    made.message = fmt::format("{} {} {}, which is constant", action, position(*near, address, bytes), text_of(*near));
  } else if (const AccessFault why = memory.why_not(address, bytes); why == AccessFault::UseAfterFree) {
    made.kind = FindingKind::UseAfterFree;
    made.message = fmt::format("{} {} {}, which was freed", action, position(*near, address, bytes), text_of(*near));
    if (!near->freed_place.empty()) made.message += " at " + near->freed_place;
  } else if (near != nullptr) {
    made.message = fmt::format("{} {} {}", action, position(*near, address, bytes), text_of(*near));
    if (near->is_freed) made.message += ", which was freed";
  } else if (address < 4096) {
    made.message = fmt::format("{} at {:#x}, a null pointer", action, address);
  } else if (why == AccessFault::NotDevice) {
    made.kind = FindingKind::NotDevice;
    made.message = fmt::format("{} at {:#x}, which is not a device address", action, address);
  } else {
    made.message = fmt::format("{} at {:#x}, where nothing is allocated", action, address);
  }
  warp.machine->fault(warp, LaunchEnd::IllegalAddress, made);
}

bool refuse_shared(Warp& warp, const Instruction& instruction, const MemoryOperation& operation, unsigned lane,
                   std::uint64_t offset, unsigned bytes) {
  const bool is_misaligned = offset % bytes != 0;
  const FindingKind kind = is_misaligned ? FindingKind::Misaligned : FindingKind::OutOfBounds;
  Finding made = access_finding(warp, instruction, lane, kind, offset, bytes);
  made.message = fmt::format("{} {} at offset {:#x} of shared memory, ", verb(operation), bytes_text(bytes), offset);
  made.message += is_misaligned ? fmt::format("which is not a multiple of {}", bytes)
                                : "but the block has only " + bytes_text(warp.block->shared_bytes);
  warp.machine->fault(warp, is_misaligned ? LaunchEnd::MisalignedAddress : LaunchEnd::IllegalAddress, made);
  return false;
}

bool refuse_private(Warp& warp, const Instruction& instruction, const MemoryOperation& operation, Place place,
                    unsigned lane, std::uint64_t offset, unsigned bytes, std::uint64_t size) {
  const bool is_outside = offset > size || bytes > size - offset;
  const std::string_view name = place == Place::Local ? "local" : "parameter";
  const FindingKind kind = is_outside            ? FindingKind::OutOfBounds
                           : offset % bytes != 0 ? FindingKind::Misaligned
                                                 : FindingKind::ReadOnly;
  Finding made = access_finding(warp, instruction, lane, kind, offset, bytes);
  made.message = fmt::format("{} {} at offset {:#x} of {} memory", verb(operation), bytes_text(bytes), offset, name);
  if (kind == FindingKind::OutOfBounds) made.message += fmt::format(", which has only {}", bytes_text(size));
  if (kind == FindingKind::Misaligned) made.message += fmt::format(", which is not a multiple of {}", bytes);
  if (kind == FindingKind::ReadOnly) made.message += ", which kernels may only read";
  const bool is_misaligned = kind == FindingKind::Misaligned;
  warp.machine->fault(warp, is_misaligned ? LaunchEnd::MisalignedAddress : LaunchEnd::IllegalAddress, made);
  return false;
}

}  // namespace ambit::virtual_gpu
