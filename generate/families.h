#pragma once

#include <vector>

#include "generate/test.h"

namespace ambit::generate {

/// Returns the tests of nine families for campaigns on hardware: IRIW, ISA2, WRC, RWC, WWC, WRW+2W, 2+2W, 3.2W and
/// Z6.3. The tests of a family combine each placement of the threads in blocks (each partition), accesses of block or
/// device scope, and each way to order the two accesses of each thread. The ways are an acquire load first, a release
/// store second, or a fence of acq_rel order and of block or device scope between the accesses. RWC's last thread has a
/// seq_cst access or a seq_cst fence. In addition, each test exists without any order. Names are unique;
/// litmus/classic/README.md describes them.
std::vector<GeneratedTest> family_tests();

/// Returns the tests of seven families for campaigns on two GPUs: MP, SB, LB, IRIW, WRC, ISA2 and 2+2W. The tests of a
/// family combine each division of the threads between the GPUs (each thread in its own block), accesses of device or
/// system scope, the orders of family_tests(), and fences of device or system scope. In "WRC+sys+acq-rel+g0_12", thread
/// 0 is on one GPU, and threads 1 and 2 are on the other GPU.
std::vector<GeneratedTest> gpu_family_tests();

}  // namespace ambit::generate
