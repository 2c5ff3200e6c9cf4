// Tests whose grids depend on each other. Each round launches all grids of the test, then a kernel that counts the
// outcomes.

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "runner/cuda/launch/test_run.h"

namespace ambit::cuda {
namespace {

constexpr std::uint32_t kCountingThreads = 256;  ///< threads of a block of the counting kernel

}  // namespace

Result<bool> TestRun::load_dependent(const std::string& cubin) {
  const auto load = [&](const char* name) { return driver_.load(cubin, name); };
  for (std::size_t grid = 0; grid < loaded_.kernel.layout.grid_clusters.size(); ++grid) {
    auto function = load("ambit_grid");
    if (!function) return function.errors();
    loaded_.grids.push_back({.function = function.value(), .shape = {}});
  }
  auto function = load("ambit_count");
  if (!function) return function.errors();
  loaded_.counter = Driver::Grid{.function = function.value(), .shape = {}};
  return true;
}

/// Gives each grid a share of the device, because all grids must be resident at the same time.
Result<bool> TestRun::choose_size_of_dependent() {
  const Layout& layout = loaded_.kernel.layout;
  std::uint32_t groups = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t grid = 0; grid < loaded_.grids.size(); ++grid) {
    LaunchShape& shape = loaded_.grids[grid].shape;
    shape = {.block_threads = layout.shape.block_threads,
             .cluster_blocks = layout.cluster_blocks,
             .shared_bytes = static_cast<std::uint32_t>(loaded_.kernel.shared_bytes),
             .start = grid == 0 ? LaunchShape::Start::InOrder : LaunchShape::Start::Dependent};
    const Result<std::uint32_t> resident = driver_.resident_blocks(loaded_.grids[grid].function, shape);
    if (!resident) return resident.errors();
    const auto most = resident.value() / static_cast<std::uint32_t>(loaded_.grids.size());
    const std::uint32_t smallest = layout.grid_clusters[grid] * layout.cluster_blocks;
    if (most < smallest) {
      return Diagnostic{program_.source,
                        {},
                        fmt::format("a grid of the test needs {} resident blocks, but only {} fit", smallest, most),
                        "use fewer threads in a block"};
    }
    const std::uint32_t wanted = std::max(most * stress_.occupancy_percent / 100, smallest);
    shape.blocks = wanted / layout.cluster_blocks * layout.cluster_blocks;
    const std::uint32_t units = shape.blocks / layout.cluster_blocks;
    groups = std::min(groups, units * stress_.testing_percent / 100 / layout.grid_clusters[grid]);
  }
  if (auto set = set_groups(std::max(groups, 1U)); !set) return set;
  loaded_.counter->shape = {.blocks = (instances() + kCountingThreads - 1) / kCountingThreads,
                            .block_threads = kCountingThreads,
                            .start = LaunchShape::Start::InOrder};
  return true;
}

Result<double> TestRun::launch_dependent(std::uint64_t rounds) {
  ambit_kernel::Parameters& parameters = loaded_.parameters;
  parameters.rounds = 1;
  parameters.is_reset = 0;
  parameters.alignment_spins = 0;  // dependent grids start one after the other and do not wait for each other
  unsigned round = 0;
  unsigned counts = 0;
  std::vector<Driver::Grid> grids = loaded_.grids;
  std::vector<GridArguments> arguments(grids.size() + 1);
  for (std::size_t grid = 0; grid <= grids.size(); ++grid) {
    GridArguments& one = arguments[grid];
    const bool is_last = grid == grids.size();
    one.buffers = loaded_.buffers;
    one.buffers.scratchpad = loaded_.scratchpads.front();
    one.parameters = parameters;
    one.pointers = {&one.parameters, &one.buffers, is_last ? &counts : &round};
    if (is_last) break;
    parameters.clusters = loaded_.kernel.layout.grid_clusters[grid];
    one.parameters.clusters = parameters.clusters;
    parameters.first_cluster += parameters.clusters;
    grids[grid].arguments = one.pointers.data();
  }
  parameters.first_cluster = 0;
  Driver::Grid counter = *loaded_.counter;
  counter.arguments = arguments.back().pointers.data();
  const auto before = [&](std::uint64_t launch) -> Result<bool> {
    round = static_cast<unsigned>(launch);
    return true;
  };
  // Resets the cells to their initial values without counting.
  const Result<double> reset = driver_.launch({&counter, 1}, 1, before);
  if (!reset) return reset;
  counts = 1;
  grids.push_back(counter);
  Result<double> took = driver_.launch(grids, rounds, before);
  if (took) took.value() += reset.value();
  return took;
}

}  // namespace ambit::cuda
