#pragma once

#include <cstdint>

#include "ptx/module.h"
#include "ptx/reader_state.h"

namespace ambit::ptx {

/// Reads .entry or .func with its body. `linkage` and `begin` come from the directive before it.
void read_function(ReaderState& state, Linkage linkage, std::uint32_t begin);

}  // namespace ambit::ptx
