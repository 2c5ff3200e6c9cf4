#include "runner/virtual/memory_operations.h"

#include <algorithm>
#include <cstring>

#include "runner/virtual/reach.h"

namespace ambit::virtual_gpu {
namespace {

using Wide = unsigned __int128;

bool is_watched(const Warp& warp, const Reach& found) {
  return found.is_observed && warp.machine->observer() != nullptr;
}

/// Reads each lane's value from memory, and stores the low 8 bytes of the value in `to`.
void gather_values(const Warp& warp, const Reach& found, unsigned bytes, std::uint64_t* to) {
  if (found.pattern == AddressPattern::Consecutive && bytes == 4) {
    const auto* from = reinterpret_cast<const std::uint32_t*>(found.host(0));
    for (unsigned lane = 0; lane < kLanes; ++lane) to[lane] = from[lane];
    return;
  }
  const unsigned low = std::min(bytes, 8U);
  for_each_lane(warp.mask, [&](unsigned lane) {
    to[lane] = 0;
    std::memcpy(to + lane, found.host(lane), low);
  });
}

void notify_plain(Warp& warp, const Instruction& instruction, const MemoryOperation& operation, const Reach& found,
                  unsigned bytes, const std::uint64_t* stored) {
  std::uint64_t read[kLanes];
  const std::uint64_t* reported = stored;
  if (stored == nullptr && warp.machine->wants_values()) {
    gather_values(warp, found, bytes, read);
    reported = read;
  }
  notify_access(warp, instruction, operation, found, bytes, reported, nullptr, 0);
}

/// Converts an element to the width of a register. A signed element is sign-extended.
template <class R, class M>
R extended(M value) {
  return static_cast<R>(value);  // NOLINT(bugprone-signed-char-misuse): PTX sign-extends bytes
}

/// Moves one element for all lanes. The element is `offset` bytes after each lane's address.
template <class M, class R>
void load_element(const Warp& warp, const Reach& found, std::size_t offset, unsigned elements, R* to) {
  if (found.pattern == AddressPattern::Same) {
    const R value = extended<R>(*reinterpret_cast<const M*>(found.host(0) + offset));
    for (unsigned lane = 0; lane < kLanes; ++lane) to[lane] = value;
  } else if (found.pattern == AddressPattern::Consecutive) {
    const M* from = reinterpret_cast<const M*>(found.host(0) + offset);
    if constexpr (sizeof(M) == sizeof(R)) {
      if (elements == 1) {
        std::memcpy(to, from, sizeof(M) * kLanes);
        return;
      }
    }
    for (unsigned lane = 0; lane < kLanes; ++lane) to[lane] = extended<R>(from[std::size_t{lane} * elements]);
  } else if (found.data != nullptr && warp.mask == kAllLanes) {
    // Adds numbers instead of pointers, because only the final sum is a valid pointer.
    const std::uint64_t base = reinterpret_cast<std::uint64_t>(found.data) - found.origin + offset;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      to[lane] = extended<R>(*reinterpret_cast<const M*>(base + found.addresses[lane]));
    }
  } else {
    for_each_lane(warp.mask, [&](unsigned lane) {
      to[lane] = extended<R>(*reinterpret_cast<const M*>(found.host(lane) + offset));
    });
  }
}

template <class M, class R>
void store_element(const Warp& warp, const Reach& found, std::size_t offset, unsigned elements, const R* from) {
  if (found.pattern == AddressPattern::Consecutive) {
    M* to = reinterpret_cast<M*>(found.host(0) + offset);
    if constexpr (sizeof(M) == sizeof(R)) {
      if (elements == 1) {
        std::memcpy(to, from, sizeof(M) * kLanes);
        return;
      }
    }
    for (unsigned lane = 0; lane < kLanes; ++lane) to[std::size_t{lane} * elements] = static_cast<M>(from[lane]);
    return;
  }
  for_each_lane(warp.mask,
                [&](unsigned lane) { *reinterpret_cast<M*>(found.host(lane) + offset) = static_cast<M>(from[lane]); });
}

template <class M, class R, bool kSpread>
void load(WarpCore& core, const Instruction& instruction) {
  Warp& warp = whole(core);
  MemoryOperation& operation = memory_of(warp, instruction);
  const auto bytes = static_cast<unsigned>(sizeof(M) * operation.elements);
  for_each_place(warp, instruction, operation, [&](Place place) {
    Reach found;
    if (!reach<kSpread>(warp, instruction, operation, place, bytes, found)) return;
    for (unsigned element = 0; element < operation.elements; ++element) {
      if (operation.registers[element] == kDiscarded) continue;
      load_element<M, R>(warp, found, element * sizeof(M), operation.elements,
                         values<R>(warp, operation.registers[element]));
    }
    if (is_watched(warp, found)) notify_plain(warp, instruction, operation, found, bytes, nullptr);
  });
}

template <class M, class R, bool kSpread>
void store(WarpCore& core, const Instruction& instruction) {
  Warp& warp = whole(core);
  MemoryOperation& operation = memory_of(warp, instruction);
  const auto bytes = static_cast<unsigned>(sizeof(M) * operation.elements);
  for_each_place(warp, instruction, operation, [&](Place place) {
    Reach found;
    if (!reach<kSpread>(warp, instruction, operation, place, bytes, found)) return;
    for (unsigned element = 0; element < operation.elements; ++element) {
      const R* from = values<R>(warp, operation.registers[element]);
      store_element<M, R>(warp, found, element * sizeof(M), operation.elements, from);
    }
    if (!is_watched(warp, found)) return;
    std::uint64_t stored[kLanes];
    const bool wants = warp.machine->wants_values();
    if (wants) {
      for_each_lane(warp.mask, [&](unsigned lane) {
        std::uint8_t packed[8] = {};
        for (unsigned element = 0; element < operation.elements && (element + 1) * sizeof(M) <= 8; ++element) {
          const M value = static_cast<M>(values<R>(warp, operation.registers[element])[lane]);
          std::memcpy(packed + element * sizeof(M), &value, sizeof(M));
        }
        std::memcpy(stored + lane, packed, 8);
      });
    }
    notify_plain(warp, instruction, operation, found, bytes, wants ? stored : nullptr);
  });
}

template <bool kSpread>
Execute load_of(unsigned memory_bytes, bool is_signed, unsigned register_bytes) {
  using U8 = std::uint8_t;
  using S8 = std::int8_t;
  using U16 = std::uint16_t;
  using S16 = std::int16_t;
  using U32 = std::uint32_t;
  using S32 = std::int32_t;
  using U64 = std::uint64_t;
  switch (memory_bytes * 100 + register_bytes) {
    case 102: return is_signed ? load<S8, U16, kSpread> : load<U8, U16, kSpread>;
    case 104: return is_signed ? load<S8, U32, kSpread> : load<U8, U32, kSpread>;
    case 108: return is_signed ? load<S8, U64, kSpread> : load<U8, U64, kSpread>;
    case 202: return load<U16, U16, kSpread>;
    case 204: return is_signed ? load<S16, U32, kSpread> : load<U16, U32, kSpread>;
    case 208: return is_signed ? load<S16, U64, kSpread> : load<U16, U64, kSpread>;
    case 404: return load<U32, U32, kSpread>;
    case 408: return is_signed ? load<S32, U64, kSpread> : load<U32, U64, kSpread>;
    case 808: return load<U64, U64, kSpread>;
    case 1616: return load<Wide, Wide, kSpread>;
    default: return nullptr;
  }
}

template <bool kSpread>
Execute store_of(unsigned memory_bytes, unsigned register_bytes) {
  using U8 = std::uint8_t;
  using U16 = std::uint16_t;
  using U32 = std::uint32_t;
  using U64 = std::uint64_t;
  switch (memory_bytes * 100 + register_bytes) {
    case 102: return store<U8, U16, kSpread>;
    case 104: return store<U8, U32, kSpread>;
    case 108: return store<U8, U64, kSpread>;
    case 202: return store<U16, U16, kSpread>;
    case 204: return store<U16, U32, kSpread>;
    case 208: return store<U16, U64, kSpread>;
    case 404: return store<U32, U32, kSpread>;
    case 408: return store<U32, U64, kSpread>;
    case 808: return store<U64, U64, kSpread>;
    case 1616: return store<Wide, Wide, kSpread>;
    default: return nullptr;
  }
}

}  // namespace

Execute find_load(unsigned memory_bytes, bool is_signed, unsigned register_bytes, bool is_spread) {
  return is_spread ? load_of<true>(memory_bytes, is_signed, register_bytes)
                   : load_of<false>(memory_bytes, is_signed, register_bytes);
}

Execute find_store(unsigned memory_bytes, unsigned register_bytes, bool is_spread) {
  return is_spread ? store_of<true>(memory_bytes, register_bytes) : store_of<false>(memory_bytes, register_bytes);
}

}  // namespace ambit::virtual_gpu
