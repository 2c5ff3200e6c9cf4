#pragma once

#include <cstdint>
#include <string>

namespace ambit::differential {

/// A random litmus test, as text, that depends on `seed` alone: one kernel on two to four threads in one to three
/// blocks, so that most threads and blocks can be exchanged. Counters, locks, barriers, fences, cells of one thread or
/// one block, and now and then a statement for the first thread or the first block alone.
std::string random_symmetric(std::uint64_t seed);

}  // namespace ambit::differential
