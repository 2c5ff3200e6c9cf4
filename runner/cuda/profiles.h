#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "runner/cuda/stress.h"

namespace ambit::cuda {

/// Returns the shape of a test, which determines suitable parameters: its threads, their blocks, and the cells that
/// each reads and writes, regardless of the names of threads, blocks and cells and of the order of the threads. "Wa Wb
/// / Ra Rb" is message passing with threads in different blocks; "+" joins threads of one block, "//" separates GPUs.
std::string shape_of(const Program& program);

/// A profile that is part of Ambit.
struct ShippedProfile {
  std::string name;              ///< "h100-mp"; "h200x2-mp" on two GPUs
  bool is_for_two_gpus = false;  ///< its `cell_memory` was chosen, too
  Stress stress;
};

/// Returns the profile for a test's shape on a device of that name ("NVIDIA H100 80GB HBM3"), if any.
/// A test on several GPUs has the profile of its shape on two, else that of its shape without regard to GPUs.
std::optional<ShippedProfile> shipped_profile(const Program& program, const std::string& device);

/// Returns the parameters of all profiles, those for a device of that name first: a shape's profile often suits others,
/// too. The profiles for two GPUs come last.
std::vector<Stress> shipped_profiles(const std::string& device);

/// Returns the parameter sets with which every campaign with a budget begins: together they showed the most outcomes on
/// a device of that name. A device without its own sets has those of the H200.
std::vector<Stress> portfolio(const std::string& device);

}  // namespace ambit::cuda
