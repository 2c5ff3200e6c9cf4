#include "runner/cuda/emit/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "core/asynchronous.h"
#include "core/opaque.h"
#include "runner/cuda/emit/counted_barriers.h"
#include "runner/cuda/emit/emit_transactions.h"
#include "runner/cuda/emit/warpgroups.h"

namespace ambit::cuda {
namespace {

constexpr std::uint32_t kMaxClusterBlocks = 8;

/// Threads, indexed by cluster, block, warp and lane.
using Tree = std::map<int, std::map<int, std::map<int, std::map<int, std::size_t>>>>;

/// Returns why a test cannot run on several GPUs. Returns nothing if the test can run, or if it uses one GPU.
std::optional<Diagnostic> several_gpus_objection(const Program& program, const Shape& shape) {
  if (!is_on_several_gpus(program)) return std::nullopt;
  const auto refuse = [&](SourceSpan where, std::string_view what) {
    return Diagnostic{program.source, where, fmt::format("{} on several GPUs", what), "the models support this test"};
  };
  const SourceSpan where = program.threads.back().span;
  if (shape.records) return refuse(where, "the recorder does not support a test");
  if (shape.detector != nullptr) return refuse(where, "a detector inside a kernel does not support a test");
  if (is_asynchronous(program)) return refuse(where, "asynchronous operations do not run in a test");
  if (has_dependent_grids(program)) return refuse(where, "grids that depend on each other do not run in a test");
  if (program.first_transaction()) return refuse(where, "transactions do not run in a test");
  for (const MemoryObject& object : program.objects) {
    if (object.alias_of) return refuse(object.span, "a second virtual address is not mapped for a test");
  }
  return std::nullopt;
}

/// Returns whether some thread arrives at a barrier of its block without waiting there.
bool arrives_without_waiting(const Program& program) {
  const auto arrives = [](const Instruction& instruction) {
    const auto* barrier = std::get_if<Barrier>(&instruction.operation);
    return barrier != nullptr && barrier->kind == BarrierKind::Block && barrier->arrive_only;
  };
  return std::any_of(program.threads.begin(), program.threads.end(), [&](const Thread& thread) {
    return std::any_of(thread.code.begin(), thread.code.end(), arrives);
  });
}

/// Adds a cluster. `blocks` maps numbers to blocks; each block has warps, and each warp has lanes.
void add_cluster(const Tree::mapped_type& blocks, Layout& layout) {
  auto& cluster = layout.clusters.emplace_back();
  for (const auto& [number, warps] : blocks) {
    TestBlock& block = cluster.emplace_back();
    block.number = number;
    for (const auto& [warp_number, lanes] : warps) {
      TestWarp& warp = block.warps.emplace_back();
      for (const auto& [lane, thread] : lanes) warp.push_back(thread);
      layout.lanes = std::max(layout.lanes, static_cast<std::uint32_t>(warp.size()));
    }
    layout.warps = std::max(layout.warps, static_cast<std::uint32_t>(block.warps.size()));
  }
  layout.cluster_blocks = std::max(layout.cluster_blocks, static_cast<std::uint32_t>(cluster.size()));
}

/// Returns why the recorder or a detector inside the kernel cannot observe the test.
std::optional<Diagnostic> objection_to_watching(const Program& program, const Shape& shape) {
  if (!shape.records && shape.detector == nullptr) return std::nullopt;
  const char* const who = shape.records ? "the recorder" : "a detector inside a kernel";
  if (auto error = grid_objection(program, who)) return error;
  return asynchronous_objection(program, who);
}

/// Returns an error unless each grid, except the first, depends on the previous grid.
std::optional<Diagnostic> chain_objection(const Program& program) {
  std::map<int, SourceSpan> grids;
  for (const Thread& thread : program.threads) grids.emplace(thread.grid, thread.span);
  for (const auto& [grid, span] : grids) {
    if (grid == grids.begin()->first || grids.contains(grid - 1)) continue;
    return Diagnostic{program.source, span, fmt::format("grid {} depends on no other grid of the test", grid),
                      "on a GPU each grid depends on the grid before it; the models support this test"};
  }
  return std::nullopt;
}

/// Returns the maximum number of threads in a block, given the registers that the program's products use.
std::uint32_t most_block_threads(const Program& program) {
  constexpr std::uint32_t kRegisters = 65536;  // Registers of a block.
  constexpr std::uint32_t kOthers = 40;        // Registers of a lane besides the accumulators, as reported by ptxas.
  std::uint32_t most = 0;
  for (const Thread& thread : program.threads) most = std::max(most, accumulators_of(thread));
  return std::min(kMaxBlockThreads, kRegisters / (most + kOthers) / 128 * 128);
}

/// Gives each thread of a test with wgmma its own warps.
void use_groups(const Program& program, Layout& layout) {
  if (!has_warpgroups(program)) return;
  layout.group_warps = kWarpgroup;
  layout.most_threads = most_block_threads(program);
  layout.warps = 0;
  for (const auto& cluster : layout.clusters) {
    for (const TestBlock& block : cluster) {
      const auto warps = static_cast<std::uint32_t>(warps_in_groups(program, block.threads()).size());
      layout.warps = std::max(layout.warps, (warps + kWarpgroup - 1) / kWarpgroup * kWarpgroup);
    }
  }
}

/// Returns why the test's transactions cannot be run.
Diagnostics objections_to_transactions(const Program& program, const Shape& shape) {
  if (!program.first_transaction()) return {};
  if (!shape.stm) {
    return transaction_objections(program, "a GPU has",
                                  "use a software transactional memory: ambit run --backend cuda --stm pstm");
  }
  if (is_asynchronous(program) || has_dependent_grids(program)) {
    return transaction_objections(program, "on hardware, a test with asynchronous operations has", "");
  }
  if (shape.records) return transaction_objections(program, "the recorder has", "");
  if (shape.detector != nullptr) return transaction_objections(program, "a detector inside a kernel has", "");
  return objections_of_stm(program);
}

}  // namespace

bool is_on_several_gpus(const Program& program) {
  return std::ranges::any_of(
      program.threads, [&](const Thread& thread) { return thread.place.gpu != program.threads.front().place.gpu; });
}

std::vector<std::size_t> TestBlock::threads() const {
  std::vector<std::size_t> all;
  for (const TestWarp& warp : warps) all.insert(all.end(), warp.begin(), warp.end());
  return all;
}

std::uint32_t Layout::blocks() const {
  std::uint32_t count = 0;
  for (const auto& cluster : clusters) count += static_cast<std::uint32_t>(cluster.size());
  return count;
}

std::uint32_t Layout::place_of(std::size_t thread) const {
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    for (std::size_t b = 0; b < clusters[c].size(); ++b) {
      for (const TestWarp& warp : clusters[c][b].warps) {
        if (std::find(warp.begin(), warp.end(), thread) != warp.end()) return place(c, b);
      }
    }
  }
  AMBIT_ASSERT(false && "every thread is in a block");
  return 0;
}

std::optional<std::uint32_t> Layout::place_of_block(int number) const {
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    for (std::size_t b = 0; b < clusters[c].size(); ++b) {
      if (clusters[c][b].number == number) return place(c, b);
    }
  }
  return std::nullopt;
}

Result<Layout> make_layout(const Program& program, Shape shape) {
  if (Diagnostics errors = opaque_objections(program); !errors.empty()) return errors;
  if (auto error = objection_to_watching(program, shape)) return *std::move(error);
  if (Diagnostics errors = objections_to_transactions(program, shape); !errors.empty()) return errors;
  if (auto error = several_gpus_objection(program, shape)) return *std::move(error);
  const bool has_grids = has_dependent_grids(program);
  if (auto error = chain_objection(program); error && has_grids) return *std::move(error);
  std::map<std::pair<int, int>, Tree> trees;  // by GPU, and by grid if grids depend on each other
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const Thread& thread = program.threads[t];
    const ThreadPlace& at = thread.place;
    trees[{at.gpu, has_grids ? thread.grid : 0}][at.cluster][at.block][at.warp][at.lane] = t;
  }
  Layout layout;
  layout.shape = shape;
  layout.is_asynchronous = is_asynchronous(program) || has_grids;
  // An operation of one instance may still be pending when the next instance begins.
  if (layout.is_asynchronous) layout.shape.batch = 1;
  // A thread that does not wait would arrive for its next instance before the barrier of this instance completes.
  if (arrives_without_waiting(program)) layout.shape.batch = 1;
  if (std::ranges::any_of(counted_barriers(program), &CountedBarrier::may_mix_instances)) {
    layout.shape.batch = 1;
    layout.shape.block_threads = 0;  // 0: the block gets no additional warps
  }
  // The first warp that executes launch_dependents acts for its whole block. Therefore a block of the grid runs only
  // one copy of the test's block.
  if (has_grids) layout.shape.block_threads = 0;
  for (const auto& [where, tree] : trees) {
    const auto clusters = static_cast<std::uint32_t>(tree.size());
    if (has_grids) layout.grid_clusters.push_back(clusters);
    if (!has_grids || layout.gpu_clusters.empty()) layout.gpu_clusters.push_back(0);
    layout.gpu_clusters.back() += clusters;
    for (const auto& [number, blocks] : tree) add_cluster(blocks, layout);
  }
  const SourceSpan where = program.threads.empty() ? SourceSpan{} : program.threads[0].span;
  if (program.threads.empty()) return Diagnostic{program.source, where, "no thread of the test has instructions", ""};
  if (layout.lanes > 32) return Diagnostic{program.source, where, "a warp has more than 32 threads", ""};
  if (auto error = warpgroup_objection(program)) return *std::move(error);
  use_groups(program, layout);
  const std::uint32_t wanted = std::min(layout.shape.block_threads, layout.most_threads);
  layout.shape.block_threads = std::max(wanted / 32, layout.warps) * 32;
  if (layout.shape.block_threads > layout.most_threads) {
    return Diagnostic{
        program.source, where,
        fmt::format("a block of {} warps: a launch has at most {} in a block", layout.warps, layout.most_threads / 32),
        ""};
  }
  if (layout.cluster_blocks > kMaxClusterBlocks) {
    return Diagnostic{program.source, where,
                      fmt::format("a cluster of {} blocks: hardware has at most {} in a cluster", layout.cluster_blocks,
                                  kMaxClusterBlocks),
                      ""};
  }
  return layout;
}

}  // namespace ambit::cuda
