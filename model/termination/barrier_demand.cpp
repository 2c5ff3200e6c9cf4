// Who must arrive at each barrier, as the event graph has it (model/events/barriers.cpp), for barriers whose operands
// are constants.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "model/termination/termination_question.h"

namespace ambit::termination {
namespace {

/// Kind, id, resource, gpu, number of the block | cluster | (block, warp), mask.
using BarrierKey = std::tuple<BarrierKind, std::uint32_t, Value, int, int, int, std::uint32_t>;

BarrierKey key_of(const Barrier& barrier, const ThreadPlace& place, const Mappings& mappings) {
  const Value resource = barrier.resource ? barrier.resource->constant : 0;
  switch (barrier.kind) {
    case BarrierKind::Block:
      return {barrier.kind, barrier.id, resource, place.gpu, mappings.barriers_per_gpu ? 0 : place.block, 0, 0};
    case BarrierKind::Warp: return {barrier.kind, 0, 0, place.gpu, place.block, place.warp, barrier.mask};
    case BarrierKind::Cluster: return {barrier.kind, 0, 0, place.gpu, place.cluster, 0, 0};
    case BarrierKind::Grid: return {barrier.kind, 0, 0, place.gpu, 0, 0, 0};
  }
  return {};
}

std::string name_of(const Barrier& barrier, const ThreadPlace& place, const Mappings& mappings) {
  switch (barrier.kind) {
    case BarrierKind::Block: {
      const std::string resource = barrier.resource ? fmt::format(", resource {},", barrier.resource->constant) : "";
      const bool per_gpu = mappings.barriers_per_gpu;
      return fmt::format("barrier {}{} of {} {}", barrier.id, resource, per_gpu ? "gpu" : "block",
                         per_gpu ? place.gpu : place.block);
    }
    case BarrierKind::Warp: return fmt::format("the barrier of warp {} of block {}", place.warp, place.block);
    case BarrierKind::Cluster: return fmt::format("the barrier of cluster {}", place.cluster);
    case BarrierKind::Grid: return "the grid barrier";
  }
  return "a barrier";
}

bool is_member(const Barrier& barrier, const ThreadPlace& mine, const ThreadPlace& other, const Mappings& mappings) {
  switch (barrier.kind) {
    case BarrierKind::Block:
      return same_instance(mine, other, mappings.barriers_per_gpu ? Scope::Device : Scope::Block);
    case BarrierKind::Cluster: return same_instance(mine, other, Scope::Cluster);
    case BarrierKind::Grid: return same_instance(mine, other, Scope::Device);
    case BarrierKind::Warp: {
      const bool is_named = ((barrier.mask >> (static_cast<unsigned>(other.lane) % 32U)) & 1U) != 0;
      return same_instance(mine, other, Scope::Block) && mine.warp == other.warp && is_named;
    }
  }
  return false;
}

/// The instructions that use one barrier.
struct Uses {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> instructions;  ///< thread, index
};

class GroupFinder {
 public:
  GroupFinder(const Program& program, const Mappings& mappings, const Uses& uses)
      : program_(program),
        mappings_(mappings),
        uses_(uses),
        place_(program.threads[uses.instructions.front().first].place) {}

  BarrierGroup find() {
    const Barrier& first = barrier(uses_.instructions.front());
    BarrierGroup group;
    group.name = name_of(first, place_, mappings_);
    for (const auto& use : uses_.instructions) {
      if (group.threads.empty() || group.threads.back() != use.first) group.threads.push_back(use.first);
    }
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t) {
      if (is_member(first, place_, program_.threads[t].place, mappings_)) group.required.push_back(t);
    }
    const std::uint32_t absent = vanished(first.kind, group.required);
    const auto everyone = static_cast<std::uint32_t>(group.required.size()) + absent;
    std::optional<std::uint32_t> count;
    for (const auto& use : uses_.instructions) {
      if (barrier(use).wait_only) continue;
      const std::optional<Expr>& written = barrier(use).count;
      const std::uint32_t given = written ? static_cast<std::uint32_t>(written->constant) : everyone;
      group.never_completes = group.never_completes || (count && *count != given);
      count = given;
    }
    if (!count || count == everyone) {
      group.never_completes = group.never_completes || absent > 0;
    } else if (*count > group.threads.size()) {
      group.never_completes = true;
    } else {
      group.required = group.threads;
      if (*count < group.threads.size()) group.count = count;
    }
    return group;
  }

 private:
  const Barrier& barrier(const std::pair<std::uint32_t, std::uint32_t>& use) const {
    return std::get<Barrier>(program_.threads[use.first].code[use.second].operation);
  }

  /// Threads launched in the group that the program no longer has: they never arrive. Unknown for warps.
  std::uint32_t vanished(BarrierKind kind, const std::vector<std::uint32_t>& members) const {
    if (kind == BarrierKind::Warp) return 0;
    const bool spans_gpu = kind == BarrierKind::Grid || (kind == BarrierKind::Block && mappings_.barriers_per_gpu);
    std::uint32_t launched = 0;
    for (const BlockSize& block : program_.blocks) {
      const bool has_member = std::any_of(members.begin(), members.end(), [&](std::uint32_t t) {
        return program_.threads[t].place.block == block.block;
      });
      if (block.gpu == place_.gpu && (has_member || spans_gpu)) launched += block.threads;
    }
    const auto present = static_cast<std::uint32_t>(members.size());
    return launched > present ? launched - present : 0;
  }

  const Program& program_;
  const Mappings& mappings_;
  const Uses& uses_;
  ThreadPlace place_;
};

}  // namespace

BarrierUse find_barriers(const events::EventGraph& graph) {
  const Program& program = *graph.program;
  BarrierUse result;
  for (const Thread& thread : program.threads) result.of_instruction.emplace_back(thread.code.size());
  std::map<BarrierKey, Uses> uses;
  for (const events::Event& event : graph.events) {
    if (event.kind != events::EventKind::Barrier) continue;
    const Thread& thread = program.threads[event.thread];
    const auto& barrier = std::get<Barrier>(thread.code[event.instruction].operation);
    const auto varies = [](const std::optional<Expr>& operand) { return operand && !operand->is_constant(); };
    if (varies(barrier.resource) || varies(barrier.count)) {
      result.unsupported = "Ambit does not follow a barrier whose number or thread count is computed";
    }
    auto& instructions = uses[key_of(barrier, thread.place, graph.options.mappings)].instructions;
    const std::pair<std::uint32_t, std::uint32_t> use{event.thread, event.instruction};
    if (std::find(instructions.begin(), instructions.end(), use) == instructions.end()) instructions.push_back(use);
  }
  for (const auto& [key, of_key] : uses) {
    for (const auto& [thread, instruction] : of_key.instructions) {
      result.of_instruction[thread][instruction] = result.groups.size();
    }
    result.groups.push_back(GroupFinder(program, graph.options.mappings, of_key).find());
    if (result.groups.back().count) {
      result.unsupported = result.groups.back().name + " is used by more threads than it waits for";
    }
  }
  return result;
}

void find_safe_barriers(const events::EventGraph& graph, const std::vector<bool>& is_promised, BarrierUse& barriers) {
  const Program& program = *graph.program;
  std::vector<std::map<std::size_t, std::size_t>> arrivals(program.threads.size());  // by thread: barrier, how often
  std::vector<bool> is_plain = is_promised;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) is_plain[t] = is_plain[t] && !has_loop(program.threads[t]);
  for (const events::Event& event : graph.events) {
    if (event.kind != events::EventKind::Barrier) continue;
    const std::optional<std::size_t> barrier = barriers.of_instruction[event.thread][event.instruction];
    ++arrivals[event.thread][*barrier];
    if (!event.is_unconditional()) is_plain[event.thread] = false;
  }
  for (std::size_t b = 0; b < barriers.groups.size(); ++b) {
    BarrierGroup& group = barriers.groups[b];
    const std::size_t times = arrivals[group.threads.front()][b];
    group.always_completes =
        !group.never_completes && !group.count &&
        std::all_of(group.required.begin(), group.required.end(), [&](std::uint32_t t) {
          return is_plain[t] && arrivals[t].size() == 1 && arrivals[t].contains(b) && arrivals[t][b] == times;
        });
  }
}

std::vector<SchedulingUnit> scheduling_units(const Program& program) {
  std::map<std::pair<int, int>, SchedulingUnit> units;
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    const ThreadPlace& place = program.threads[t].place;
    const auto [found, is_new] = units.try_emplace({place.gpu, place.cluster});
    SchedulingUnit& unit = found->second;
    unit.gpu = place.gpu;
    unit.first_block = is_new ? place.block : std::min(unit.first_block, place.block);
    unit.threads.push_back(t);
  }
  std::vector<SchedulingUnit> result;
  for (auto& [key, unit] : units) result.push_back(std::move(unit));
  std::sort(result.begin(), result.end(), [](const SchedulingUnit& a, const SchedulingUnit& b) {
    return std::pair(a.gpu, a.first_block) < std::pair(b.gpu, b.first_block);
  });
  return result;
}

}  // namespace ambit::termination
