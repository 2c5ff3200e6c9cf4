#pragma once

#include <cstdint>

#include "ptx/module.h"
#include "ptx/reader_state.h"

namespace ambit::ptx {

/// Reads a .entry or .func with its body. `linkage` is the linkage from the directive before .entry or .func. `begin`
/// is the offset of the function's first directive.
void read_function(ReaderState& state, Linkage linkage, std::uint32_t begin);

}  // namespace ambit::ptx
