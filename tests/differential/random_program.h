#pragma once

#include <cstdint>
#include <string>

namespace ambit::differential {

/// Generates a random litmus test as text. The same `seed` gives the same test on every machine. The test is small
/// enough for the explicit engine: two to four threads and at most about ten memory operations. The test may have
/// plain, volatile and atomic accesses, all orders and scopes, fences, read-modify-writes, branches, spin loops, locks,
/// barriers, dynamic indices and assertions.
std::string random_program(std::uint64_t seed);

}  // namespace ambit::differential
