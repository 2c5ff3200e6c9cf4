#pragma once

#include "runner/virtual/reach.h"

namespace ambit::virtual_gpu {

/// Reports a read of bytes that have not been written. The launch continues.
void report_uninitialised(Warp& warp, const Instruction& instruction, const MemoryOperation& operation,
                          const Reach& found, unsigned lane, unsigned bytes);
/// These functions report an invalid access to shared, local or parameter memory and end the launch. They return false.
bool refuse_shared(Warp& warp, const Instruction& instruction, const MemoryOperation& operation, unsigned lane,
                   std::uint64_t offset, unsigned bytes);
bool refuse_private(Warp& warp, const Instruction& instruction, const MemoryOperation& operation, Place place,
                    unsigned lane, std::uint64_t offset, unsigned bytes, std::uint64_t size);

}  // namespace ambit::virtual_gpu
