#pragma once

namespace ambit::test {

/// Factor for the time limits of tests: sanitizers make our code many times slower.
#ifdef __SANITIZE_ADDRESS__
inline constexpr int kSlowdown = 10;
#else
inline constexpr int kSlowdown = 1;
#endif

}  // namespace ambit::test
