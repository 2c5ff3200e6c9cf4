#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/source.h"
#include "core/program.h"
#include "runner/cuda/emit/emit_barriers.h"
#include "runner/cuda/emit/emit_cells.h"
#include "runner/cuda/emit/in_gpu.h"
#include "runner/cuda/emit/kernel.h"
#include "runner/cuda/emit/layout.h"

namespace ambit::cuda {

struct EmittedThread {
  std::string text;  ///< the device function
  std::vector<MarkedInstruction> instructions;
  bool is_straight = true;
  bool has_flags = false;  ///< the thread may set Instance::flag
  std::uint32_t lowest_arch = 75;
  bool is_specific = false;  ///< Kernel::is_specific
};

/// Writes the device function `play_N` that runs thread N of the program in one instance. `in_gpu` is the data of the
/// test for the detector inside the kernel; null if there is no detector.
EmittedThread emit_thread(const Program& program, std::size_t thread, const Layout& layout, const SharedCells& shared,
                          BarrierMapping& barriers, const InGpuTest* in_gpu, Diagnostics& errors);

}  // namespace ambit::cuda
