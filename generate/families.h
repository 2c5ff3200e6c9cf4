#pragma once

#include <vector>

#include "generate/test.h"

namespace ambit::generate {

/// Returns the tests of nine families for campaigns on hardware: IRIW, ISA2, WRC, RWC, WWC, WRW+2W, 2+2W, 3.2W and
/// Z6.3. They have every placement of their threads in blocks (every partition), accesses of block and of device scope,
/// and every way to order the two accesses of each thread: an acquire load first, a release store second, or a fence of
/// acq_rel order between them, of block or of device scope; in RWC's last thread a seq_cst access or a seq_cst fence.
/// In addition each test without any order. Names are unique and are described in litmus/classic/README.md.
std::vector<GeneratedTest> family_tests();

/// Returns the tests of seven families for campaigns on two GPUs: MP, SB, LB, IRIW, WRC, ISA2 and 2+2W. They have every
/// way to divide their threads between the GPUs, each thread in its own block, accesses of device and of system scope,
/// the orders of family_tests(), and fences of device and of system scope. "WRC+sys+acq-rel+g0_12": thread 0 is on one
/// GPU, threads 1 and 2 on the other.
std::vector<GeneratedTest> gpu_family_tests();

}  // namespace ambit::generate
