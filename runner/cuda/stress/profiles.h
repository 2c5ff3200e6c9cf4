#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "runner/cuda/stress/stress.h"

namespace ambit::cuda {

/// Returns the shape of a test. The shape determines which parameters suit the test. The shape consists of the threads,
/// their blocks, and the cells that each thread reads and writes. The names of threads, blocks and cells, and the order
/// of the threads, do not affect the shape. For example, "Wa Wb / Ra Rb" is message passing with threads in different
/// blocks. "+" joins threads of one block, and "//" separates GPUs.
std::string shape_of(const Program& program);

/// A profile that is part of Ambit.
struct ShippedProfile {
  std::string name;              ///< "h100-mp"; "h200x2-mp" on two GPUs
  bool is_for_two_gpus = false;  ///< the profile also has a tuned `cell_memory`
  Stress stress;
};

/// Returns the profile for a test's shape on a device named `device` ("NVIDIA H100 80GB HBM3"), if any. For a test on
/// several GPUs, prefers a profile for two GPUs with the same placement of the threads. If no such profile exists,
/// ignores the placement on GPUs.
std::optional<ShippedProfile> shipped_profile(const Program& program, const std::string& device);

/// Returns the parameters of all profiles, because a profile often suits other shapes, too. The profiles for a device
/// named `device` are first, the profiles for two GPUs are last.
std::vector<Stress> shipped_profiles(const std::string& device);

/// Returns the parameter sets with which every campaign with a budget begins. In experiments, these sets together
/// showed the most outcomes on a device named `device`. A device without sets of its own uses the sets of the H200.
std::vector<Stress> portfolio(const std::string& device);

}  // namespace ambit::cuda
