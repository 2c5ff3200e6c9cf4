#pragma once

#include <cstdint>
#include <string>

namespace ambit::differential {

/// Generates a random PTX litmus file. The same `seed` gives the same file on every machine. The test is small enough
/// for the explicit engine: two to four threads and at most about ten memory operations. The test may have all orders,
/// scopes and read-modify-writes, reductions, proxies and aliases with their fences, forward branches, spin loops,
/// bounded loops, and barriers of each form.
std::string random_ptx(std::uint64_t seed);

}  // namespace ambit::differential
