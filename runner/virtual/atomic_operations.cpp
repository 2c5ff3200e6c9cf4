#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "runner/virtual/float_format.h"
#include "runner/virtual/memory_operations.h"
#include "runner/virtual/reach.h"

namespace ambit::virtual_gpu {
namespace {

using Wide = unsigned __int128;

/// Half-precision and bfloat16 numbers, single or in pairs, as bits.
template <ptx::Type kType>
struct Small {
  using Bits = std::uint16_t;
  Bits bits;

  double value() const { return decode(format_of(kType), bits); }
  static Small from(double value) { return {static_cast<Bits>(encode(format_of(kType), value, Rounding::Nearest))}; }
  Small plus(Small other) const { return from(sum_to_odd(value(), other.value())); }
  Small extreme(Small other, bool is_larger) const {
    const double a = value();
    const double b = other.value();
    if (std::isnan(a)) return other;
    if (std::isnan(b)) return *this;
    const bool is_less = a < b || (a == b && std::signbit(a));
    return is_less != is_larger ? *this : other;
  }
};
template <ptx::Type kType>
struct SmallPair {
  Small<kType> low;
  Small<kType> high;

  SmallPair plus(SmallPair other) const { return {low.plus(other.low), high.plus(other.high)}; }
  SmallPair extreme(SmallPair other, bool is_larger) const {
    return {low.extreme(other.low, is_larger), high.extreme(other.high, is_larger)};
  }
};

template <class T>
T sum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    const T result = a + b;
    if constexpr (sizeof(T) == 4) {
      return std::isnan(result) ? std::bit_cast<T>(std::uint32_t{0x7fffffff}) : result;
    }
    return result;
  } else if constexpr (std::is_class_v<T>) {
    return a.plus(b);
  } else {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
  }
}
template <class T>
T smaller(T a, T b) {
  if constexpr (std::is_class_v<T>) {
    return a.extreme(b, false);
  } else {
    return b < a ? b : a;
  }
}
template <class T>
T larger(T a, T b) {
  if constexpr (std::is_class_v<T>) {
    return a.extreme(b, true);
  } else {
    return a < b ? b : a;
  }
}

template <AtomicOperation kOperation, class T>
T combined(T old, T b, [[maybe_unused]] T c) {
  if constexpr (kOperation == AtomicOperation::Add) return sum(old, b);
  if constexpr (kOperation == AtomicOperation::Minimum) return smaller(old, b);
  if constexpr (kOperation == AtomicOperation::Maximum) return larger(old, b);
  if constexpr (kOperation == AtomicOperation::Exchange) return b;
  if constexpr (kOperation == AtomicOperation::And) return static_cast<T>(old & b);
  if constexpr (kOperation == AtomicOperation::Or) return static_cast<T>(old | b);
  if constexpr (kOperation == AtomicOperation::Xor) return static_cast<T>(old ^ b);
  if constexpr (kOperation == AtomicOperation::Increment) return old >= b ? T{0} : static_cast<T>(old + 1);
  if constexpr (kOperation == AtomicOperation::Decrement) return old == 0 || old > b ? b : static_cast<T>(old - 1);
  if constexpr (kOperation == AtomicOperation::CompareExchange) return old == b ? c : old;
}

/// atom.add.f32 on global memory treats subnormal numbers as zero (PTX ISA 9.0, section 9.7.13.5).
float flush(float value) {
  return std::fabs(value) < std::numeric_limits<float>::min() ? std::copysign(0.0F, value) : value;
}

template <class T>
std::uint64_t low_bits(const T& value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, std::min(sizeof(T), sizeof bits));
  return bits;
}

template <AtomicOperation kOperation, class T>
void atomic(WarpCore& core, const Instruction& instruction) {
  Warp& warp = whole(core);
  MemoryOperation& operation = memory_of(warp, instruction);
  const auto bytes = static_cast<unsigned>(sizeof(T) * operation.elements);
  for_each_place(warp, instruction, operation, [&](Place place) {
    Reach found;
    if (!reach(warp, instruction, operation, place, bytes, found)) return;
    std::uint64_t stored[kLanes];
    std::uint64_t old_values[kLanes];
    std::uint32_t failed = 0;
    bool is_changed = false;
    for (unsigned element = 0; element < operation.elements; ++element) {
      const T* b = values<T>(warp, operation.registers[element]);
      const T* c = values<T>(warp, instruction.c);
      T* results = operation.results[element] == kDiscarded ? nullptr : values<T>(warp, operation.results[element]);
      for_each_lane(warp.mask, [&](unsigned lane) {
        T* cell = reinterpret_cast<T*>(found.host(lane)) + element;
        T old = *cell;
        T operand = b[lane];
        if constexpr (std::is_same_v<T, float> && kOperation == AtomicOperation::Add) {
          if (found.space == AccessSpace::Global) {
            old = flush(old);
            operand = flush(operand);
          }
        }
        T fresh = combined<kOperation, T>(old, operand, c[lane]);
        if constexpr (std::is_same_v<T, float> && kOperation == AtomicOperation::Add) {
          if (found.space == AccessSpace::Global) fresh = flush(fresh);
        }
        if constexpr (kOperation == AtomicOperation::CompareExchange) {
          if (!(old == b[lane])) failed |= 1U << lane;
        }
        old = *cell;
        *cell = fresh;
        is_changed |= std::memcmp(&old, &fresh, sizeof(T)) != 0;
        if (results != nullptr) results[lane] = old;
        if (element == 0) {
          stored[lane] = low_bits(fresh);
          old_values[lane] = low_bits(old);
        }
      });
    }
    if (is_changed) warp.machine->note_change();
    if (!found.is_observed || warp.machine->observer() == nullptr) return;
    const bool wants = warp.machine->wants_values();
    notify_access(warp, instruction, operation, found, bytes, wants ? stored : nullptr, wants ? old_values : nullptr,
                  failed);
  });
}

template <class T>
Execute find_bits(AtomicOperation operation) {
  switch (operation) {
    case AtomicOperation::And: return atomic<AtomicOperation::And, T>;
    case AtomicOperation::Or: return atomic<AtomicOperation::Or, T>;
    case AtomicOperation::Xor: return atomic<AtomicOperation::Xor, T>;
    case AtomicOperation::Exchange: return atomic<AtomicOperation::Exchange, T>;
    case AtomicOperation::CompareExchange: return atomic<AtomicOperation::CompareExchange, T>;
    default: return nullptr;
  }
}
template <class T>
Execute find_number(AtomicOperation operation) {
  switch (operation) {
    case AtomicOperation::Add: return atomic<AtomicOperation::Add, T>;
    case AtomicOperation::Minimum: return atomic<AtomicOperation::Minimum, T>;
    case AtomicOperation::Maximum: return atomic<AtomicOperation::Maximum, T>;
    default: return nullptr;
  }
}
template <class T>
Execute find_integer_atomic(AtomicOperation operation) {
  if (operation == AtomicOperation::Increment) return atomic<AtomicOperation::Increment, T>;
  if (operation == AtomicOperation::Decrement) return atomic<AtomicOperation::Decrement, T>;
  const Execute number = find_number<T>(operation);
  return number != nullptr ? number : find_bits<T>(operation);
}

}  // namespace

Execute find_atomic(AtomicOperation operation, ptx::Type type) {
  using ptx::Type;
  switch (type) {
    case Type::U32: return find_integer_atomic<std::uint32_t>(operation);
    case Type::S32: return find_integer_atomic<std::int32_t>(operation);
    case Type::U64: return find_integer_atomic<std::uint64_t>(operation);
    case Type::S64: return find_integer_atomic<std::int64_t>(operation);
    case Type::B32: return find_bits<std::uint32_t>(operation);
    case Type::B64: return find_bits<std::uint64_t>(operation);
    case Type::B16: return find_bits<std::uint16_t>(operation);
    case Type::F32: return find_number<float>(operation);
    case Type::F64: return find_number<double>(operation);
    case Type::F16: return find_number<Small<Type::F16>>(operation);
    case Type::Bf16: return find_number<Small<Type::Bf16>>(operation);
    case Type::F16x2: return find_number<SmallPair<Type::F16>>(operation);
    case Type::Bf16x2: return find_number<SmallPair<Type::Bf16>>(operation);
    case Type::B128:
      if (operation == AtomicOperation::Exchange) return atomic<AtomicOperation::Exchange, Wide>;
      return operation == AtomicOperation::CompareExchange ? atomic<AtomicOperation::CompareExchange, Wide> : nullptr;
    default: return nullptr;
  }
}

}  // namespace ambit::virtual_gpu
