#include "runner/standalone/barrier_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace ambit::standalone {
namespace {

/// Returns whether some jump skips or repeats the instruction.
bool is_conditional(const Thread& thread, std::size_t instruction) {
  for (std::size_t i = 0; i < thread.code.size(); ++i) {
    std::size_t to = i;
    if (const auto* branch = std::get_if<Branch>(&thread.code[i].operation)) to = branch->target;
    if (const auto* jump = std::get_if<Jump>(&thread.code[i].operation)) to = jump->target;
    if ((i < instruction && instruction < to) || (to <= instruction && instruction < i)) return true;
  }
  return false;
}

/// Returns inline assembly for the arrival at a barrier of the cluster, or for the wait.
std::string cluster_half(const Barrier& barrier) {
  const std::string name = barrier.wait_only ? "wait" : barrier.is_relaxed ? "arrive.relaxed" : "arrive";
  return fmt::format("asm volatile(\"barrier.cluster.{};\" : : : \"memory\");", name);
}

}  // namespace

std::optional<Value> barrier_number(const Program& program, const Barrier& barrier) {
  if (!barrier.resource) return barrier.id;
  if (!barrier.resource->is_constant()) return std::nullopt;
  const Value number = barrier.resource->constant;
  for (const Thread& thread : program.threads) {
    for (const Instruction& instruction : thread.code) {
      const auto* other = std::get_if<Barrier>(&instruction.operation);
      if (other == nullptr || other->kind != BarrierKind::Block) continue;
      if (other->resource ? other->id != barrier.id : other->id == number) return std::nullopt;
    }
  }
  return number >= 0 && number < 16 ? std::optional(number) : std::nullopt;
}

bool waits_for_all(const Program& program, const ThreadPlace& place, const Barrier& barrier) {
  if (!barrier.count) return true;
  const auto threads = std::count_if(program.threads.begin(), program.threads.end(), [&](const Thread& other) {
    return same_instance(other.place, place, Scope::Block);
  });
  return !barrier.arrive_only && barrier.count->is_constant() && barrier.count->constant == threads;
}

std::string full_barrier(Value number) { return fmt::format("__barrier_sync({});", number); }

std::string cluster_barrier(const Barrier& barrier) {
  const bool is_half = barrier.arrive_only || barrier.wait_only || barrier.is_relaxed;
  return is_half ? cluster_half(barrier) : "cooperative_groups::this_cluster().sync();";
}

std::optional<std::vector<std::string>> block_barriers(const Program& program, int block) {
  std::optional<std::vector<std::string>> all;
  for (const Thread& thread : program.threads) {
    if (thread.place.block != block) continue;
    std::vector<std::string> found;
    for (std::size_t i = 0; i < thread.code.size(); ++i) {
      const auto* barrier = std::get_if<Barrier>(&thread.code[i].operation);
      if (barrier == nullptr || barrier->kind == BarrierKind::Warp) continue;
      if (!waits_for_all(program, thread.place, *barrier)) continue;
      if (is_conditional(thread, i)) return std::nullopt;
      if (barrier->kind == BarrierKind::Cluster) found.push_back(cluster_barrier(*barrier));
      if (barrier->kind == BarrierKind::Grid) found.emplace_back("cooperative_groups::this_grid().sync();");
      if (barrier->kind == BarrierKind::Block)
        found.push_back(full_barrier(barrier_number(program, *barrier).value_or(0)));
    }
    if (all && *all != found) return std::nullopt;
    all = std::move(found);
  }
  return all;
}

}  // namespace ambit::standalone
