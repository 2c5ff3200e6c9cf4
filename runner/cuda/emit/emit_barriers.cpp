#include "runner/cuda/emit/emit_barriers.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <variant>

#include "runner/cuda/emit/counted_barriers.h"

namespace ambit::cuda {
namespace {

/// Returns the number of barriers of a block that a test can use. The harness and the groups of four warps
/// (kernels/groups.cuh) use the block's other barriers.
std::uint32_t free_barriers(const Layout& layout) { return layout.group_warps > 1 ? 7 : 15; }

/// Returns the number of arrivals at the cluster's barrier.
std::size_t arrivals_of(const Thread& thread) {
  return static_cast<std::size_t>(
      std::count_if(thread.code.begin(), thread.code.end(), [](const Instruction& instruction) {
        const auto* barrier = std::get_if<Barrier>(&instruction.operation);
        return barrier != nullptr && barrier->kind == BarrierKind::Cluster && !barrier->wait_only;
      }));
}

}  // namespace

std::size_t barriers_before(const Thread& thread, std::size_t instruction) {
  const auto end = thread.code.begin() + static_cast<std::ptrdiff_t>(instruction);
  return static_cast<std::size_t>(std::count_if(
      thread.code.begin(), end, [](const Instruction& one) { return std::holds_alternative<Barrier>(one.operation); }));
}

BarrierMapping::BarrierMapping(const Program& program, const Layout& layout, Diagnostics& errors)
    : program_(program), layout_(layout), errors_(errors) {
  count_cluster_arrivals();
  refuse_arrivals_left_over();
  refuse_early_exits();
}

void BarrierMapping::fail(std::size_t thread, std::size_t instruction, std::string message, std::string hint) {
  const SourceSpan span = program_.threads[thread].code[instruction].span;
  if (std::ranges::find(refused_, span) != refused_.end()) return;
  refused_.push_back(span);
  errors_.push_back({program_.source, span, std::move(message), std::move(hint)});
}

void BarrierMapping::count_cluster_arrivals() {
  for (const Thread& thread : program_.threads) cluster_arrivals_ = std::max(cluster_arrivals_, arrivals_of(thread));
  for (const Thread& thread : program_.threads) {
    if (arrivals_of(thread) == cluster_arrivals_) continue;
    errors_.push_back(
        {program_.source, thread.span,
         fmt::format("this thread arrives {} times at the cluster's barrier, but another thread {} times: "
                     "on hardware, the cluster would hang",
                     arrivals_of(thread), cluster_arrivals_),
         ""});
  }
}

void BarrierMapping::refuse_arrivals_left_over() {
  for (const CountedBarrier& barrier : counted_barriers(program_)) {
    if (!barrier.may_leave_arrivals()) continue;
    fail(barrier.first_without_wait->first, barrier.first_without_wait->second,
         fmt::format("the test arrives {} times at a barrier that waits for {} arrivals: on hardware a surplus arrival "
                     "counts in the next run",
                     barrier.arrivals, *barrier.counts.begin()),
         "the models and --backend sim support this test");
  }
}

/// Rejects early exits from a test with barriers. On hardware, a thread that exits early continues with its next
/// instance, so barriers still wait for this thread.
void BarrierMapping::refuse_early_exits() {
  using Key = std::tuple<int, int, std::uint32_t>;  // GPU, block, number of the barrier
  std::map<Key, std::map<std::size_t, std::size_t>> arrivals;
  std::map<Key, std::pair<std::size_t, std::size_t>> first;
  for (std::size_t t = 0; t < program_.threads.size(); ++t) {
    const Thread& thread = program_.threads[t];
    for (std::size_t i = 0; i < thread.code.size(); ++i) {
      const auto* barrier = std::get_if<Barrier>(&thread.code[i].operation);
      if (barrier == nullptr || barrier->kind != BarrierKind::Block || barrier->count || barrier->resource) continue;
      const Key key{thread.place.gpu, thread.place.block, barrier->id};
      ++arrivals[key][t];
      first.try_emplace(key, t, i);
    }
  }
  for (auto& [key, of_threads] : arrivals) {
    std::size_t most = 0;
    for (const auto& [t, count] : of_threads) most = std::max(most, count);
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      const ThreadPlace& place = program_.threads[t].place;
      if (place.gpu != std::get<0>(key) || place.block != std::get<1>(key) || of_threads[t] == most) continue;
      fail(
          first.at(key).first, first.at(key).second,
          fmt::format("{} does not reach a barrier at which other threads of its block wait: the instances of the test "
                      "that share a block would deadlock",
                      program_.threads[t].name),
          "the models and --backend sim support this test");
      return;
    }
  }
}

/// Returns whether some jump skips or repeats the instruction.
bool BarrierMapping::is_conditional(const Thread& thread, std::size_t instruction) const {
  for (std::size_t i = 0; i < thread.code.size(); ++i) {
    std::size_t target = i;
    if (const auto* branch = std::get_if<Branch>(&thread.code[i].operation)) target = branch->target;
    if (const auto* jump = std::get_if<Jump>(&thread.code[i].operation)) target = jump->target;
    if (i < instruction && instruction < target) return true;
    if (target <= instruction && instruction < i) return true;
  }
  return false;
}

std::vector<std::string> BarrierMapping::instructions(std::size_t thread, std::size_t instruction,
                                                      const Barrier& barrier) {
  AMBIT_ASSERT(barrier.kind != BarrierKind::Warp);
  if (barrier.kind == BarrierKind::Grid) {
    fail(thread, instruction, "hardware has no instruction for a barrier of the whole grid",
         "CUDA's library builds this barrier from atomics: write these atomics instead");
    return {};
  }
  if (is_conditional(program_.threads[thread], instruction)) {
    fail(thread, instruction,
         "a barrier that a thread may jump over or repeat: the instances of the test that share a block would deadlock",
         "the models and --backend sim support this test");
    return {};
  }
  if (barrier.kind == BarrierKind::Block) return {block_barrier(thread, instruction, barrier)};
  std::vector<std::string> halves;
  if (!barrier.wait_only)
    halves.push_back(barrier.is_relaxed ? "barrier.cluster.arrive.relaxed" : "barrier.cluster.arrive");
  if (!barrier.arrive_only) halves.push_back("barrier.cluster.wait");
  return halves;
}

std::uint32_t BarrierMapping::hardware_number(std::size_t thread, std::size_t instruction, const Barrier& barrier) {
  if (barrier.resource && !barrier.resource->is_constant()) {
    fail(thread, instruction, "a register selects this barrier, but the kernel requires a constant number");
    return 0;
  }
  const std::pair<std::uint32_t, Value> key = {barrier.id, barrier.resource ? barrier.resource->constant : 0};
  const std::uint32_t free = free_barriers(layout_);
  // A barrier keeps its number if a test can use this number on hardware.
  if (!barrier.resource && barrier.id < free) numbers_.try_emplace(key, barrier.id);
  const auto found = numbers_.find(key);
  if (found != numbers_.end()) return found->second;
  for (std::uint32_t number = 0; number < free; ++number) {
    const bool taken =
        std::any_of(numbers_.begin(), numbers_.end(), [&](const auto& entry) { return entry.second == number; });
    if (!taken) return numbers_.emplace(key, number).first->second;
  }
  fail(thread, instruction, fmt::format("a block of the test uses more than {} barriers", free));
  return 0;
}

std::string BarrierMapping::block_barrier(std::size_t thread, std::size_t instruction, const Barrier& barrier) {
  const TestBlock& block = layout_.block_at(layout_.place_of(thread));
  bool is_full = true;
  for (const TestWarp& warp : block.warps) {
    is_full = is_full && warp.size() == layout_.lanes;
  }
  if (!is_full || 32 % layout_.lanes != 0) {
    fail(thread, instruction, "this barrier is in a block whose warps have different numbers of threads",
         "give each thread a warp of its own");
    return {};
  }
  std::size_t warps = block.warps.size();
  if (barrier.count) {
    if (!barrier.count->is_constant() || barrier.count->constant % static_cast<Value>(layout_.lanes) != 0) {
      fail(thread, instruction, "on hardware, a barrier's count must be a constant number of whole warps");
      return {};
    }
    warps = static_cast<std::size_t>(barrier.count->constant) / layout_.lanes;
  }
  const std::uint32_t number = hardware_number(thread, instruction, barrier);
  return fmt::format("barrier.{} {}, {}", barrier.arrive_only ? "arrive" : "sync", number,
                     warps * layout_.warp_groups() * 32);
}

std::uint32_t BarrierMapping::warp_mask(std::size_t thread, const Barrier& barrier) const {
  const TestBlock& block = layout_.block_at(layout_.place_of(thread));
  std::uint32_t mask = 0;
  for (const TestWarp& warp : block.warps) {
    if (std::find(warp.begin(), warp.end(), thread) == warp.end()) continue;
    for (std::size_t lane = 0; lane < warp.size(); ++lane) {
      const int number = program_.threads[warp[lane]].place.lane;
      if (((barrier.mask >> static_cast<unsigned>(number)) & 1U) != 0) mask |= 1U << lane;
    }
  }
  return mask;
}

}  // namespace ambit::cuda
