#pragma once

#include <vector>

#include "generate/test.h"

namespace ambit::generate {

/// Returns the tests of nine families for campaigns on hardware: IRIW, ISA2, WRC, RWC, WWC, WRW+2W, 2+2W, 3.2W and
/// Z6.3. A family has tests for all placements of the threads in blocks, for accesses of block scope and of device
/// scope, and for all ways to order the two accesses of a thread. A thread orders its accesses by an acquire load, by a
/// release store, or by an acq_rel fence of block or device scope between the accesses. RWC's last thread has a seq_cst
/// access or a seq_cst fence. In addition, each test has a variant without orders or fences. Test names are unique;
/// litmus/classic/README.md describes the names.
std::vector<GeneratedTest> family_tests();

/// Returns the tests of seven families for campaigns on two GPUs: MP, SB, LB, IRIW, WRC, ISA2 and 2+2W. A family has a
/// test for each division of the threads between the GPUs; each thread has its own block. Accesses and fences have
/// device or system scope. The tests have the same orderings as family_tests(). In "WRC+sys+acq-rel+g0_12", thread 0 is
/// on one GPU, and threads 1 and 2 are on the other GPU.
std::vector<GeneratedTest> gpu_family_tests();

}  // namespace ambit::generate
