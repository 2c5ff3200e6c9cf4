#include "runner/standalone/launch_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace ambit::standalone {
namespace {

constexpr std::uint32_t kMaxBlockThreads = 1024;

/// Blocks of a cluster by its number.
std::map<int, std::set<int>> clusters_of(const Program& program) {
  std::map<int, std::set<int>> clusters;
  for (const Thread& thread : program.threads) clusters[thread.place.cluster].insert(thread.place.block);
  return clusters;
}

}  // namespace

Result<LaunchShape> launch_shape(const Program& program) {
  const auto fail = [&](const Thread& thread, std::string message) {
    return Diagnostic{program.source, thread.span, std::move(message), {}};
  };
  LaunchShape shape;
  for (const Thread& thread : program.threads) {
    if (thread.place.gpu != program.threads.front().place.gpu) {
      return fail(thread, "threads on several GPUs: one launch runs on one GPU");
    }
    shape.blocks = std::max(shape.blocks, static_cast<std::uint32_t>(thread.place.block) + 1);
    shape.threads = std::max(shape.threads, LaunchShape::thread_of(thread.place) + 1);
  }
  for (const BlockSize& block : program.blocks) {
    shape.blocks = std::max(shape.blocks, static_cast<std::uint32_t>(block.block) + 1);
    shape.threads = std::max(shape.threads, block.threads);
  }
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
      return fail(program.threads.front(),
                  "the clusters of a launch are equally large and hold blocks that follow each other");
    }
  }
  return shape;
}

}  // namespace ambit::standalone
