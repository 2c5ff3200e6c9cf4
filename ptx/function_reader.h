#pragma once

#include <cstdint>

#include "ptx/module.h"
#include "ptx/reader_state.h"

namespace ambit::ptx {

/// Reads .entry or .func with its body; `linkage` and `begin` are those of the directive before.
void read_function(ReaderState& state, Linkage linkage, std::uint32_t begin);

}  // namespace ambit::ptx
