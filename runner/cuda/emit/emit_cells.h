#pragma once

#include <cstdint>
#include <map>

#include "base/source.h"
#include "core/program.h"
#include "runner/cuda/emit/layout.h"

namespace ambit::cuda {

/// The places of the cells of shared memory.
struct SharedCells {
  /// Maps each cell to its number in the block. If the test has asynchronous operations, maps the cell to its byte
  /// offset in the instance's shared memory.
  std::map<LocationId, std::uint32_t> number;
  std::map<ObjectId, std::uint32_t> place;  ///< place of the block that has the object
  std::uint32_t most = 0;                   ///< largest number of cells, or of bytes, in one block
  std::uint32_t alignment = 16;             ///< alignment in bytes
};

/// Finds the block of each shared object from the object's declaration or users. Errors: threads of two blocks name one
/// object, but the test has no asynchronous operations; an object belongs to a block without threads.
SharedCells find_shared_cells(const Program& program, const Layout& layout, Diagnostics& errors);

/// Returns the size in bytes of a cell in a contiguous object. An mbarrier has 8 bytes.
std::uint32_t bytes_of_cell(const Program& program, const MemoryObject& object);

/// Returns the size in bytes of a contiguous object.
std::uint32_t bytes_of_object(const Program& program, ObjectId object);

/// Returns the number of an alias among the aliases of its object, starting at 1. Returns 0 if the object is not an
/// alias.
std::uint32_t alias_number(const Program& program, ObjectId object);

/// Returns whether some access of the thread computes its address.
bool computes_addresses(const Thread& thread);

}  // namespace ambit::cuda
