#pragma once

#include <vector>

#include "generate/shapes.h"

namespace ambit::generate {

/// Returns all tests of litmus/classic, in the order of generation. The names of the tests are unique.
std::vector<GeneratedTest> all_tests();

}  // namespace ambit::generate
