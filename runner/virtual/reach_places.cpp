#include "runner/virtual/reach.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "runner/virtual/access_reports.h"
#include "runner/virtual/address.h"
#include "runner/virtual/spread.h"

namespace ambit::virtual_gpu {
namespace {

bool writes(const MemoryOperation& operation) { return operation.kind != AccessKind::Read; }
bool reads(const MemoryOperation& operation) { return operation.kind != AccessKind::Write; }

AddressQuestion question_of(Warp& warp, const Instruction& instruction, const MemoryOperation& operation,
                            unsigned bytes) {
  AddressQuestion question;
  question.base = warp.frame + instruction.a;
  question.is_short = operation.address_bytes == 4;
  question.mask = warp.mask;
  question.bytes = bytes;
  question.offset = static_cast<std::uint64_t>(instruction.value);
  return question;
}

/// Returns the mask of an address's significant bits. Addresses in a block's or thread's state space have 32 bits, and
/// their sums wrap (PTX ISA, section 6.4.1); the register may be wider. Generic addresses contain their window in the
/// upper bits.
std::uint64_t bits_of_offset(const MemoryOperation& operation) {
  return operation.place == Place::Generic ? kOffsetMask : 0xffffffffU;
}

/// Returns whether the operation may access a whole aligned word although the program uses only one or two of its
/// bytes. Libraries access whole words to implement cuda::atomic_ref of a narrow type: by a strong read of the word,
/// and a compare-exchange that keeps the other bytes. The word may extend beyond the allocation, because hardware
/// allocates whole words, and may contain bytes that no thread has stored.
bool may_use_word_around(const MemoryOperation& operation) {
  const bool is_strong_read =
      operation.kind == AccessKind::Read && operation.order != Order::Weak && !operation.is_volatile;
  return is_strong_read || operation.operation == AtomicOperation::CompareExchange;
}

/// Returns whether any of the `bytes` bits from `offset` on is set.
bool has_stored_byte(const std::uint8_t* bits, std::uint64_t offset, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) {
    if ((bits[(offset + i) >> 3U] >> ((offset + i) & 7U) & 1U) != 0) return true;
  }
  return false;
}

/// Returns whether all of the `bytes` bits from `offset` on are set. `offset` must be a multiple of `bytes`.
bool is_stored(const std::uint8_t* bits, std::uint64_t offset, unsigned bytes) {
  if (bytes < 8) {
    const unsigned wanted = ((1U << bytes) - 1) << (offset & 7U);
    return (bits[offset >> 3U] & wanted) == wanted;
  }
  for (unsigned i = 0; i < bytes; i += 8) {
    if (bits[(offset + i) >> 3U] != 0xff) return false;
  }
  return true;
}

void set_stored(std::uint8_t* bits, std::uint64_t offset, unsigned bytes) {
  if (bytes < 8) {
    bits[offset >> 3U] = static_cast<std::uint8_t>(bits[offset >> 3U] | ((1U << bytes) - 1) << (offset & 7U));
    return;
  }
  for (unsigned i = 0; i < bytes; i += 8) bits[(offset + i) >> 3U] = 0xff;
}

/// Caches the allocation in the operation. Returns false if the launch must run on one host thread.
template <bool kSpread>
bool remember(MemoryOperation& operation, Allocation& allocation, Machine& machine) {
  operation.generation = machine.generation();
  operation.begin = allocation.address;
  operation.bytes = allocation.bytes;
  operation.data = allocation.data;
  const bool tracks_stores = machine.options().checks_initialised && !allocation.is_initialised;
  operation.stored = tracks_stores ? allocation.stored.data() : nullptr;
  operation.allocation = allocation.number;
  operation.is_read_only = allocation.kind == AllocationKind::Constant;
  if constexpr (kSpread) {
    if (!machine.footprint().enter(allocation, writes(operation), operation.touched)) {
      operation.data = nullptr;  // the rest of the warp's turn must not access memory that host threads share
      machine.give_up();
      return false;
    }
    if (operation.touched != nullptr) operation.data = operation.touched->data();
    if (writes(operation)) operation.stored = nullptr;  // the marks in `touched` record the written bytes
  }
  return true;
}

/// For a read, checks that the bytes have been written before. For a write, marks the bytes as written. If `kSpread` is
/// true, the accesses are to global memory, and MemoryOperation::touched contains the bytes that this launch has
/// written.
template <bool kSpread = false>
void check_stored(Warp& warp, const Instruction& instruction, const MemoryOperation& operation, std::uint8_t* bits,
                  std::uint64_t begin, unsigned bytes, const Reach& found) {
  const std::uint64_t first = found.addresses[0] - begin;
  const std::uint64_t together = std::uint64_t{bytes} * kLanes;
  if (found.pattern == AddressPattern::Consecutive && first % 8 == 0) {
    static_assert(kLanes % 8 == 0);
    std::uint8_t* place = bits + first / 8;
    const std::size_t count = together / 8;
    if (operation.kind == AccessKind::Write) {
      std::memset(place, 0xff, count);
      return;
    }
    bool is_complete = true;
    for (std::size_t i = 0; i < count; ++i) is_complete = is_complete && place[i] == 0xff;
    if (is_complete) return;
  }
  if (found.pattern == AddressPattern::Same && !writes(operation) && is_stored(bits, first, bytes)) return;
  for_each_lane(warp.mask, [&](unsigned lane) {
    const std::uint64_t offset = found.addresses[lane] - begin;
    if (reads(operation) && !is_stored(bits, offset, bytes) &&
        !(may_use_word_around(operation) && has_stored_byte(bits, offset, bytes))) {
      if constexpr (kSpread) {
        if (operation.touched != nullptr && operation.touched->has_written(offset, bytes)) return;
      }
      report_uninitialised(warp, instruction, operation, found, lane, bytes);
    }
    if (writes(operation)) set_stored(bits, offset, bytes);
  });
}

bool is_known(const MemoryOperation& operation, const Machine& machine) {
  return operation.generation == machine.generation() && operation.data != nullptr;
}

/// If several host threads execute the launch, marks the access of the lanes `lanes`.
void mark(const MemoryOperation& operation, const Reach& found, std::uint32_t lanes, unsigned bytes) {
  if (operation.touched == nullptr) return;
  operation.touched->mark({found.pattern, found.addresses, lanes, bytes, writes(operation)});
}

/// Returns the live allocation that contains any byte of the word around an access (may_use_word_around).
Allocation* allocation_around(Memory& memory, const MemoryOperation& operation, std::uint64_t address, unsigned bytes) {
  if (!may_use_word_around(operation) || address % bytes != 0) return nullptr;
  Allocation* found = memory.find(address, 1);
  return found != nullptr ? found : memory.find(address + bytes - 1, 1);
}

/// Implements reach() lane by lane. Used for the first access of an instruction, and if a warp accesses several
/// allocations.
template <bool kSpread>
bool reach_each(Warp& warp, const Instruction& instruction, MemoryOperation& operation, unsigned bytes, Reach& found) {
  Machine& machine = *warp.machine;
  const std::uint32_t mask = warp.mask;
  bool is_fine = true;
  for_each_lane(mask, [&](unsigned lane) {
    if (!is_fine) return;
    const std::uint64_t address = found.addresses[lane];
    bool is_around = false;
    const bool is_same = is_known(operation, machine) && address - operation.begin < operation.bytes &&
                         bytes <= operation.bytes - (address - operation.begin);
    if (!is_same) {
      Allocation* allocation = machine.memory().find(address, bytes);
      if (!kSpread && allocation == nullptr) {
        allocation = allocation_around(machine.memory(), operation, address, bytes);
        is_around = allocation != nullptr;
      }
      is_fine = allocation != nullptr;
      if (is_fine && !remember<kSpread>(operation, *allocation, machine)) {
        is_fine = false;
        return;
      }
    }
    is_fine = is_fine && address % bytes == 0 && !(writes(operation) && operation.is_read_only);
    if (!is_fine) {
      refuse_global(warp, instruction, operation, lane, address, bytes);
      return;
    }
    found.hosts[lane] = operation.data + static_cast<std::int64_t>(address - operation.begin);
    if constexpr (kSpread) mark(operation, found, 1U << lane, bytes);
    if (operation.stored == nullptr || is_around) return;
    warp.mask = 1U << lane;
    check_stored<kSpread>(warp, instruction, operation, operation.stored, operation.begin, bytes, found);
    warp.mask = mask;
  });
  return is_fine;
}

/// In MemoryMode::Gpu, redirects plain accesses and accesses of block scope to the block's own copies. Does not
/// redirect accesses to host memory, because host memory can end in the middle of a sector.
void go_to_copies(Warp& warp, const MemoryOperation& operation, unsigned bytes, Reach& found) {
  Machine& machine = *warp.machine;
  StaleCopies& copies = warp.block->copies;
  const bool is_wide = operation.order != Order::Weak && operation.scope > Scope::Block;
  const bool releases = operation.order >= Order::Release && writes(operation);
  const bool acquires = operation.order == Order::Acquire || operation.order >= Order::AcqRel;
  if (is_wide && releases) copies.write_back(machine.memory());
  std::uint8_t* places[kLanes] = {};
  for_each_lane(warp.mask, [&](unsigned lane) { places[lane] = found.host(lane); });
  for_each_lane(warp.mask, [&](unsigned lane) {
    const std::uint64_t address = found.addresses[lane];
    if (!Memory::is_device_address(address)) return;
    if (is_wide) {
      copies.drop(address, places[lane]);
    } else {
      places[lane] = copies.find(address, bytes, places[lane], writes(operation));
    }
  });
  if (is_wide && acquires) copies.drop_all(machine.memory());
  found.pattern = AddressPattern::Scattered;
  found.data = nullptr;
  std::copy(places, places + kLanes, found.hosts);
}

template <bool kSpread>
bool reach_global(Warp& warp, const Instruction& instruction, MemoryOperation& operation, unsigned bytes,
                  Reach& found) {
  Machine& machine = *warp.machine;
  AddressQuestion question = question_of(warp, instruction, operation, bytes);
  question.begin = operation.begin;
  const bool may_be_known = is_known(operation, machine) && !(operation.is_read_only && writes(operation));
  question.size = may_be_known ? operation.bytes : 0;
  const AddressScan scanned = scan(question, found.addresses);
  found.space = AccessSpace::Global;
  found.is_observed = true;
  machine.count_access(warp);
  if (!scanned.are_inside) return reach_each<kSpread>(warp, instruction, operation, bytes, found);
  if (warp.mask == kAllLanes) found.pattern = scanned.pattern;
  found.data = operation.data;
  found.origin = operation.begin;
  if (operation.stored != nullptr) {
    check_stored<kSpread>(warp, instruction, operation, operation.stored, operation.begin, bytes, found);
  }
  if constexpr (kSpread) mark(operation, found, warp.mask, bytes);
  return true;
}

/// Counts the transactions of an access to shared memory (32 banks of 4 bytes). Lanes that read the same word share a
/// transaction. For accesses of 8 or 16 bytes, the hardware handles half or a quarter of the warp at a time.
void count_conflicts(const Warp& warp, MemoryOperation& operation, unsigned bytes, const Reach& found) {
  const unsigned words = std::max(bytes / 4, 1U);
  const unsigned together = kLanes / words;
  ++operation.bank_accesses;
  for (unsigned first = 0; first < kLanes; first += together) {
    std::array<std::vector<std::uint64_t>, 32> banks;
    std::size_t most = 0;
    for (unsigned lane = first; lane < first + together; ++lane) {
      if ((warp.mask >> lane & 1U) == 0) continue;
      for (unsigned word = 0; word < words; ++word) {
        const std::uint64_t index = found.addresses[lane] / 4 + word;
        auto& bank = banks[index % 32];
        if (std::find(bank.begin(), bank.end(), index) == bank.end()) bank.push_back(index);
        most = std::max(most, bank.size());
      }
    }
    operation.bank_passes += most;
  }
}

bool reach_shared(Warp& warp, const Instruction& instruction, MemoryOperation& operation, unsigned bytes,
                  Reach& found) {
  Block* block = warp.block;
  AddressQuestion question = question_of(warp, instruction, operation, bytes);
  question.keep = kSharedOffsetMask;
  question.size = block->shared_bytes;
  const AddressScan scanned = scan(question, found.addresses);
  const std::uint64_t rank = (scanned.bits & bits_of_offset(operation)) >> kClusterRankShift;
  if (rank != 0) {
    const Cluster* cluster = block->cluster;
    if (cluster == nullptr || rank > cluster->blocks.size()) {
      const auto first = static_cast<unsigned>(__builtin_ctz(warp.mask));
      return refuse_shared(warp, instruction, operation, first, scanned.bits & kOffsetMask, bytes);
    }
    block = cluster->blocks[rank - 1];
  }
  found.space = AccessSpace::Shared;
  found.is_observed = true;
  found.target_block = block->number;
  warp.machine->count_access(warp);
  if (!scanned.are_inside) {
    const std::uint64_t size = block->shared_bytes;
    bool is_fine = true;
    for_each_lane(warp.mask, [&](unsigned lane) {
      const std::uint64_t offset = found.addresses[lane];
      const bool is_around = may_use_word_around(operation) && offset < size && offset % bytes == 0;
      if ((offset % bytes == 0 && offset + bytes <= size) || is_around) return;
      is_fine = refuse_shared(warp, instruction, operation, lane, offset, bytes);
    });
    if (!is_fine) return false;
  } else if (warp.mask == kAllLanes) {
    found.pattern = scanned.pattern;
  }
  found.data = block->shared.data();
  found.origin = 0;
  if (!block->shared_stored.empty()) {
    check_stored(warp, instruction, operation, block->shared_stored.data(), 0, bytes, found);
  }
  if (warp.machine->options().counts_bank_conflicts) count_conflicts(warp, operation, bytes, found);
  return true;
}

bool reach_private(Warp& warp, const Instruction& instruction, MemoryOperation& operation, Place place, unsigned bytes,
                   Reach& found) {
  found.is_observed = false;
  Machine& machine = *warp.machine;
  if (place == Place::Slot) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      found.hosts[lane] = warp.frame + instruction.value + std::size_t{lane} * operation.stride;
    }
    return true;
  }
  const bool is_local = place == Place::Local;
  AddressQuestion question = question_of(warp, instruction, operation, bytes);
  question.keep = bits_of_offset(operation);
  question.size = is_local ? machine.local_bytes() : machine.launch().parameters.size();
  const AddressScan scanned = scan(question, found.addresses);
  if (!scanned.are_inside || (!is_local && writes(operation))) {
    for_each_lane(warp.mask, [&](unsigned lane) {
      const std::uint64_t offset = found.addresses[lane];
      if (!scanned.are_inside && offset % bytes == 0 && offset + bytes <= question.size) return;
      refuse_private(warp, instruction, operation, place, lane, offset, bytes, question.size);
    });
    return false;
  }
  if (!is_local) {
    if (warp.mask == kAllLanes) found.pattern = scanned.pattern;
    found.data = const_cast<std::uint8_t*>(machine.launch().parameters.data());
    return true;
  }
  std::uint8_t* data = machine.local_memory(warp);
  if (writes(operation)) {  // the bitwise or of the addresses is not less than the largest address
    const std::uint64_t end = (scanned.bits & question.keep) + bytes;
    warp.local_used = std::min(std::max(warp.local_used, end), machine.local_bytes());
  }
  const std::uint64_t stride = machine.local_bytes();
  for (unsigned lane = 0; lane < kLanes; ++lane) found.hosts[lane] = data + lane * stride + found.addresses[lane];
  return true;
}

/// Returns the window of an address and, in the shared window, its block.
std::uint64_t destination(std::uint64_t address) {
  const std::uint64_t window = address >> kWindowShift;
  const bool is_shared = window == static_cast<std::uint64_t>(Window::Shared);
  return is_shared ? address >> kClusterRankShift : window << (kWindowShift - kClusterRankShift);
}

/// Adds the addresses of an access to Warp::polled. A polling loop accesses the same addresses in each iteration.
void note_polled(Warp& warp, const Reach& found) {
  warp.has_synchronised = true;
  if (found.is_observed) warp.polled += found.addresses[__builtin_ctz(warp.mask)];
}

}  // namespace

Place first_place(Warp& warp, const Instruction& instruction, const MemoryOperation& operation) {
  std::uint64_t addresses[kLanes];
  scan(question_of(warp, instruction, operation, 1), addresses);
  if (operation.place == Place::Shared) {
    for (std::uint64_t& address : addresses) address = (address & 0xffffffffU) | window_base(Window::Shared);
  }
  const std::uint64_t first = destination(addresses[__builtin_ctz(warp.mask)]);
  std::uint32_t same = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) same |= destination(addresses[lane]) == first ? 1U << lane : 0U;
  warp.mask &= same;
  switch (static_cast<Window>(first >> (kWindowShift - kClusterRankShift))) {
    case Window::Shared: return Place::Shared;
    case Window::Local: return Place::Local;
    case Window::Parameter: return Place::Parameter;
    default: return Place::Global;
  }
}

template <bool kSpread>
bool reach(Warp& warp, const Instruction& instruction, MemoryOperation& operation, Place place, unsigned bytes,
           Reach& found) {
  if (operation.kind == AccessKind::Write) warp.machine->note_change();
  if (place == Place::Global) [[likely]] {
    if (!reach_global<kSpread>(warp, instruction, operation, bytes, found)) return false;
    if (warp.machine->options().memory == MemoryMode::Gpu) go_to_copies(warp, operation, bytes, found);
  } else if (place == Place::Shared) {
    if (!reach_shared(warp, instruction, operation, bytes, found)) return false;
  } else if (!reach_private(warp, instruction, operation, place, bytes, found)) {
    return false;
  }
  if (operation.is_synchronising) note_polled(warp, found);
  return true;
}
template bool reach<false>(Warp&, const Instruction&, MemoryOperation&, Place, unsigned, Reach&);
template bool reach<true>(Warp&, const Instruction&, MemoryOperation&, Place, unsigned, Reach&);

void notify_access(Warp& warp, const Instruction& instruction, const MemoryOperation& operation, const Reach& reached,
                   unsigned bytes, const std::uint64_t* values, const std::uint64_t* old_values, std::uint32_t failed) {
  WarpAccess access;
  access.site = instruction.site;
  access.block = warp.block->number;
  access.warp = warp.number;
  access.lanes = warp.mask;
  access.kind = operation.kind;
  access.operation = operation.operation;
  access.space = reached.space;
  access.order = operation.order;
  access.scope = operation.scope;
  access.is_volatile = operation.is_volatile;
  access.is_constant = operation.is_constant;
  access.copy = operation.copy;
  access.is_consecutive = reached.pattern == AddressPattern::Consecutive && warp.mask == kAllLanes;
  access.bytes = static_cast<std::uint8_t>(bytes);
  access.failed = failed;
  access.target_block = reached.space == AccessSpace::Shared ? reached.target_block : access.block;
  access.addresses = reached.addresses;
  access.values = values;
  access.old_values = old_values;
  warp.machine->observer()->access(access);
}

}  // namespace ambit::virtual_gpu
