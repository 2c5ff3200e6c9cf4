#pragma once

#include <vector>

#include "generate/test.h"

namespace ambit::generate {

/// Returns the tests of nine families for campaigns on hardware: IRIW, ISA2, WRC, RWC, WWC, WRW+2W, 2+2W, 3.2W and
/// Z6.3. The tests of a family have all placements of the threads in blocks, accesses of block or device scope, and all
/// ways to order the two accesses of a thread: an acquire load as the first access, a release store as the second, or a
/// fence of acq_rel order and of block or device scope between them. RWC's last thread has a seq_cst access or a
/// seq_cst fence. In addition, each test exists without any order. Names are unique; litmus/classic/README.md describes
/// them.
std::vector<GeneratedTest> family_tests();

/// Returns the tests of seven families for campaigns on two GPUs: MP, SB, LB, IRIW, WRC, ISA2 and 2+2W. The tests of a
/// family have all divisions of the threads between the GPUs, where each thread has its own block. Their accesses and
/// fences have device or system scope, and the orders of family_tests(). In "WRC+sys+acq-rel+g0_12", thread 0 is on one
/// GPU, and threads 1 and 2 are on the other GPU.
std::vector<GeneratedTest> gpu_family_tests();

}  // namespace ambit::generate
