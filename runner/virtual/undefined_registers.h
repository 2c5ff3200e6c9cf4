#pragma once

#include <vector>

#include "ptx/module.h"

namespace ambit::virtual_gpu {

/// Returns, by number, whether some path from the function's entry reads the register before it writes it. A guarded
/// write does not count as a write, nor does the result of a call, whose callee may not return a value.
std::vector<bool> undefined_registers(const ptx::Function& function);

}  // namespace ambit::virtual_gpu
