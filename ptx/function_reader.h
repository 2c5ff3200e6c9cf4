#pragma once

#include <cstdint>

#include "ptx/module.h"
#include "ptx/reader_state.h"

namespace ambit::ptx {

/// Reads a .entry or .func with its body. `linkage` is the linkage that a directive before it names. `begin` is the
/// offset of its first directive.
void read_function(ReaderState& state, Linkage linkage, std::uint32_t begin);

}  // namespace ambit::ptx
