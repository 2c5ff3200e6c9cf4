#pragma once

#include <string>

#include "runner/cuda/emit.h"

namespace ambit::cuda {

/// Looks whether the compiler kept the test's instructions: each stands in the PTX with its mark, under the name that
/// it was given (but it may be gone from behind a jump, where the compiler found that it is never reached); those of a
/// thread without jumps follow each other as they do in the test, however often the thread's code was copied. Empty, or
/// what is wrong.
std::string check_ptx(const Kernel& kernel, const std::string& ptx);

}  // namespace ambit::cuda
