#pragma once

#include <cstdint>

namespace ambit::virtual_gpu {

/// The upper 8 bits of a generic address are its window, which is 0 for global addresses. The other bits are:
///   Shared    bits 0-23 the offset in a block's shared memory, bits 24-31 0 for the executing block, else 1 + the
///             block's rank in its cluster (mapa)
///   Local     the offset in the thread's own local memory
///   Parameter the offset in the kernel's parameter buffer
///   Function  the number of a function, for calls through a pointer
enum class Window : std::uint8_t { Global = 0, Shared = 1, Local = 2, Parameter = 4, Function = 8 };

inline constexpr unsigned kWindowShift = 56;
inline constexpr std::uint64_t kOffsetMask = (std::uint64_t{1} << kWindowShift) - 1;
inline constexpr unsigned kClusterRankShift = 24;
inline constexpr std::uint64_t kSharedOffsetMask = (std::uint64_t{1} << kClusterRankShift) - 1;

constexpr std::uint64_t window_base(Window window) { return static_cast<std::uint64_t>(window) << kWindowShift; }
constexpr std::uint8_t window_of(std::uint64_t address) { return static_cast<std::uint8_t>(address >> kWindowShift); }

}  // namespace ambit::virtual_gpu
