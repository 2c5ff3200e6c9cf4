#pragma once

#include <vector>

#include "generate/shapes.h"

namespace ambit::generate {

/// Every test of litmus/classic, in the order of generation; names are unique.
std::vector<GeneratedTest> all_tests();

}  // namespace ambit::generate
