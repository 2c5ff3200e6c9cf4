#pragma once

#include <cstdint>
#include <string>

namespace ambit::differential {

/// Generates a litmus test of two to four threads with transactions of all scopes, some of which abort under a
/// condition, and with plain and atomic accesses. Equal seeds give equal text.
std::string random_transactional(std::uint64_t seed);

}  // namespace ambit::differential
