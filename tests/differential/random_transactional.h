#pragma once

#include <cstdint>
#include <string>

namespace ambit::differential {

/// Generates a litmus test of two to four threads. The test has plain and atomic accesses, and transactions of all
/// scopes. Some transactions abort under a condition. Equal seeds give equal text.
std::string random_transactional(std::uint64_t seed);

}  // namespace ambit::differential
