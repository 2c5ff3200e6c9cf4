#pragma once

#include <vector>

#include "generate/shapes.h"

namespace ambit::generate {

/// Returns every test of litmus/classic, in the order of generation; names are unique.
std::vector<GeneratedTest> all_tests();

}  // namespace ambit::generate
