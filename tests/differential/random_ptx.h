#pragma once

#include <cstdint>
#include <string>

namespace ambit::differential {

/// Generates a random PTX litmus file. Equal seeds give equal files on every machine. The test is small enough for the
/// explicit engine: two to four threads and at most about ten memory operations. The test may have all orders, scopes
/// and read-modify-writes, and reductions. It may also have proxies, aliases and their fences, forward branches, spin
/// loops, bounded loops, and each form of barrier.
std::string random_ptx(std::uint64_t seed);

}  // namespace ambit::differential
