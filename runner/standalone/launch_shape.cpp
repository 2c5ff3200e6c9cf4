#include "runner/standalone/launch_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "runner/cuda/emit/warpgroups.h"

namespace ambit::standalone {
namespace {

constexpr std::uint32_t kMaxBlockThreads = 1024;

/// Returns the blocks of each cluster, indexed by the number of the cluster.
std::map<int, std::set<int>> clusters_of(const Program& program) {
  std::map<int, std::set<int>> clusters;
  for (const Thread& thread : program.threads) clusters[thread.place.cluster].insert(thread.place.block);
  return clusters;
}

/// For a test whose threads become whole warps, returns the threadIdx.x of each thread's first lane. The warps of a
/// block are consecutive, and warpgroups are first.
std::vector<std::uint32_t> firsts_in_groups(const Program& program) {
  std::map<int, std::vector<std::size_t>> blocks;
  for (std::size_t t = 0; t < program.threads.size(); ++t) blocks[program.threads[t].place.block].push_back(t);
  std::vector<std::uint32_t> firsts(program.threads.size());
  for (const auto& [number, threads] : blocks) {
    const std::vector<std::size_t> warps = cuda::warps_in_groups(program, threads);
    for (std::size_t w = warps.size(); w-- > 0;) firsts[warps[w]] = static_cast<std::uint32_t>(w * 32);
  }
  return firsts;
}

}  // namespace

std::optional<int> rank_in_cluster(const Program& program, const Thread& thread, int block) {
  const auto clusters = clusters_of(program);
  const std::set<int>& blocks = clusters.at(thread.place.cluster);
  if (!blocks.contains(block)) return std::nullopt;
  return static_cast<int>(std::distance(blocks.begin(), blocks.find(block)));
}

Result<LaunchShape> launch_shape(const Program& program) {
  const auto fail = [&](const Thread& thread, std::string message) {
    return Diagnostic{program.source, thread.span, std::move(message), {}};
  };
  if (auto error = cuda::warpgroup_objection(program)) return *std::move(error);
  const bool has_groups = cuda::has_warpgroups(program);
  LaunchShape shape;
  if (has_groups) shape.firsts = firsts_in_groups(program);
  for (const Thread& thread : program.threads) {
    if (thread.place.gpu != program.threads.front().place.gpu) {
      return fail(thread, "threads on several GPUs: one launch runs on one GPU");
    }
    shape.blocks = std::max(shape.blocks, static_cast<std::uint32_t>(thread.place.block) + 1);
    shape.read_threads = std::max(shape.read_threads, LaunchShape::thread_of(thread.place) + 1);
    if (!has_groups) shape.firsts.push_back(LaunchShape::thread_of(thread.place));
    const std::uint32_t first = shape.firsts[static_cast<std::size_t>(&thread - program.threads.data())];
    shape.threads = std::max(shape.threads, first + cuda::lanes_of(thread));
  }
  for (const BlockSize& block : program.blocks) {
    shape.blocks = std::max(shape.blocks, static_cast<std::uint32_t>(block.block) + 1);
    shape.threads = std::max(shape.threads, block.threads);
    shape.read_threads = std::max(shape.read_threads, block.threads);
  }
  if (has_groups) shape.threads = (shape.threads + 31) / 32 * 32;
  if (shape.threads > kMaxBlockThreads) return fail(program.threads.front(), "a block has at most 1024 threads");
  const auto clusters = clusters_of(program);
  for (const auto& [number, blocks] : clusters) {
    shape.cluster = std::max(shape.cluster, static_cast<std::uint32_t>(blocks.size()));
  }
  if (shape.cluster == 1) return shape;
  for (const auto& [number, blocks] : clusters) {
    const int first = *blocks.begin();
    const bool is_aligned = first % static_cast<int>(shape.cluster) == 0;
    if (!is_aligned || blocks.size() != shape.cluster ||
        *blocks.rbegin() - first + 1 != static_cast<int>(shape.cluster)) {
      return fail(program.threads.front(), "the clusters of a launch must have the same size and consecutive blocks");
    }
  }
  return shape;
}

}  // namespace ambit::standalone
