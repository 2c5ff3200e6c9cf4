#pragma once

#include <cstdint>
#include <string>

namespace ambit::differential {

/// Generates a random litmus test as text, determined by `seed` alone. One kernel runs on two to four threads in one to
/// three blocks, so that most threads and blocks are interchangeable. The kernel has counters, locks, barriers, fences,
/// and cells of one thread or one block. Sometimes a statement is only for the first thread or block.
std::string random_symmetric(std::uint64_t seed);

}  // namespace ambit::differential
