#pragma once

#include <vector>

#include "ptx/module.h"

namespace ambit::virtual_gpu {

/// Returns, for each register number, whether some path from the function's entry reads the register before a write. A
/// guarded write does not count as a write. The result of a call does not count as a write, either, because some
/// callees return no value.
std::vector<bool> undefined_registers(const ptx::Function& function);

}  // namespace ambit::virtual_gpu
