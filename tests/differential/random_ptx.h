#pragma once

#include <cstdint>
#include <string>

namespace ambit::differential {

/// Generates a random PTX litmus file, determined by `seed` alone on every machine. Small enough for the explicit
/// engine: two to four threads, at most about ten memory operations, over all orders, scopes and read-modify-writes,
/// reductions, proxies and aliases with their fences, forward branches, spin loops, bounded loops, and barriers of each
/// form.
std::string random_ptx(std::uint64_t seed);

}  // namespace ambit::differential
