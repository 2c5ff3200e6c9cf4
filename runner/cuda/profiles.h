#pragma once

#include <optional>
#include <string>

#include "core/program.h"
#include "runner/cuda/stress.h"

namespace ambit::cuda {

/// What decides which parameters suit a test: its threads, in which blocks they stand, and which of its cells each
/// reads and writes, whatever threads, blocks and cells are called and in which order threads are written. "Wa Wb / Ra
/// Rb": message passing, its threads in different blocks; threads of one block are joined by a "+".
std::string shape_of(const Program& program);

/// A profile that is part of Ambit.
struct ShippedProfile {
  std::string name;  ///< "h100-mp"
  Stress stress;
};

/// The profile for a test's shape on a device by that name ("NVIDIA H100 80GB HBM3"); nothing: none was made for them.
std::optional<ShippedProfile> shipped_profile(const Program& program, const std::string& device);

}  // namespace ambit::cuda
