#pragma once

namespace ambit::test {

/// A factor for the time limits of tests, because sanitizers make Ambit many times slower.
#ifdef __SANITIZE_ADDRESS__
inline constexpr int kSlowdown = 10;
#else
inline constexpr int kSlowdown = 1;
#endif

}  // namespace ambit::test
