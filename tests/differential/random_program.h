#pragma once

#include <cstdint>
#include <string>

namespace ambit::differential {

/// Generates a random litmus test as text, determined by `seed` alone on every machine. Small enough for the explicit
/// engine: two to four threads, at most about ten memory operations, over plain, volatile and atomic accesses, all
/// orders and scopes, fences, read-modify-writes, branches, spin loops, locks, barriers, dynamic indices, assertions.
std::string random_program(std::uint64_t seed);

}  // namespace ambit::differential
