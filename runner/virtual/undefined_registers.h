#pragma once

#include <vector>

#include "ptx/module.h"

namespace ambit::virtual_gpu {

/// By number: whether some path from the function's entry reads the register before it writes it. A write under a guard
/// is taken for none, and so is the result of a call, whose callee may return less.
std::vector<bool> undefined_registers(const ptx::Function& function);

}  // namespace ambit::virtual_gpu
