#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "core/source.h"
#include "runner/cuda/emit_barriers.h"
#include "runner/cuda/emit_kernel.h"
#include "runner/cuda/layout.h"

namespace ambit::cuda {

/// Where the cells of shared memory are: their numbers within their block.
struct SharedCells {
  std::map<LocationId, std::uint32_t> number;
  std::map<ObjectId, std::uint32_t> place;  ///< of the only block that uses the object
  std::uint32_t most = 0;                   ///< cells of the block with the most
};

/// Finds the block of each shared object from the threads that name it. Errors: threads of two blocks name one.
SharedCells find_shared_cells(const Program& program, const Layout& layout, Diagnostics& errors);

/// Which other virtual address of its cells an object stands for: 1 for the first alias of an object, 2 for its second;
/// 0 for an object that is no alias.
std::uint32_t alias_number(const Program& program, ObjectId object);

/// True when some access of the thread computes its address.
bool computes_addresses(const Thread& thread);

struct EmittedThread {
  std::string text;  ///< the device function
  std::vector<MarkedInstruction> instructions;
  bool is_straight = true;
  bool has_flags = false;  ///< it may set Instance::flag
  std::uint32_t lowest_arch = 75;
};

/// The device function `play_N` that runs thread N of the program in one instance. `in_gpu`: what the detector inside
/// the kernel knows of the test; null: there is no detector.
EmittedThread emit_thread(const Program& program, std::size_t thread, const Layout& layout, const SharedCells& shared,
                          BarrierMapping& barriers, const InGpuTest* in_gpu, Diagnostics& errors);

}  // namespace ambit::cuda
