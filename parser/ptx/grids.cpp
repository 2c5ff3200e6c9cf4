#include "parser/ptx/grids.h"

#include <fmt/format.h>

#include <utility>

namespace ambit::parser::ptx {

ObjectId add_counter(Program& program, const std::string& name) {
  const auto id = static_cast<ObjectId>(program.objects.size());
  MemoryObject object;
  object.name = name;
  object.type = kInt;
  object.first = static_cast<LocationId>(program.locations.size());
  program.locations.push_back({name, id, 0, kInt, 0});
  program.objects.push_back(std::move(object));
  return id;
}

MemoryAccess counter_access(ObjectId counter, Order order) {
  MemoryAccess access;
  access.address = Expr::make_constant(make_address(counter, 0), kLongLong);
  access.type = kInt;
  access.order = order;
  access.scope = Scope::Device;
  access.is_atomic = true;
  return access;
}

std::shared_ptr<const MachineInstruction> machine_of(std::string_view name) {
  auto machine = std::make_shared<MachineInstruction>();
  machine->name = name;
  return machine;
}

void Grids::add(BlockId block, int grid, SourceSpan where, Reporter& reporter) {
  const auto [known, is_new] = grids_.emplace(block, grid);
  if (known->second != grid) {
    reporter.error(where, fmt::format("cta {} is in two grids: {} and {}", block.block, known->second, grid));
  }
  ++threads_[grid];
  ++block_threads_[block];
}

int Grids::grid_of(BlockId block) const {
  const auto found = grids_.find(block);
  return found == grids_.end() ? 0 : found->second;
}

void Grids::make_counters(Program& program) {
  for (const auto& [grid, threads] : threads_) {
    if (!threads_.contains(grid + 1)) continue;
    Counters counters;
    for (const auto& [block, number] : grids_) {
      if (number == grid) counters.blocks.push_back(block);
    }
    for (const BlockId block : counters.blocks) {
      const std::string cta = counters.blocks.size() > 1 ? fmt::format("_cta{}", block.block) : std::string();
      started_.emplace(block, add_counter(program, fmt::format("%grid{}{}_started", grid, cta)));
    }
    counters.finished = add_counter(program, fmt::format("%grid{}_finished", grid));
    counters_.emplace(grid, counters);
  }
}

void Exits::add(BlockId block, bool exits) {
  const auto [known, is_new] = threads_.emplace(block, 0);
  if (!is_new && known->second == kNever) return;
  known->second = exits ? known->second + 1 : kNever;
}

void Exits::make_counters(const std::set<BlockId>& reached, Program& program) {
  for (const auto& [block, threads] : threads_) {
    if (threads != kNever && reached.contains(block))
      counters_.emplace(block, add_counter(program, fmt::format("%cta{}_exited", block.block)));
  }
}

}  // namespace ambit::parser::ptx
