#include "runner/cuda/emit/emit_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <variant>

#include "base/overloaded.h"
#include "runner/cuda/emit/tensor_objects.h"
#include "runner/cuda/emit/warpgroups.h"

namespace ambit::cuda {
namespace {

void find_constants(const Expr& expr, std::set<ObjectId>& objects, const Program& program) {
  if (expr.is_constant() && expr.type.bits == 64 && program.location_at(expr.constant)) {
    objects.insert(static_cast<ObjectId>(object_of(expr.constant)));
  }
  for (const Expr& argument : expr.arguments) find_constants(argument, objects, program);
}

/// Returns all objects whose addresses an instruction names.
std::set<ObjectId> objects_of(const Operation& operation, const Program& program) {
  std::set<ObjectId> objects;
  const auto add = [&](const Expr& expr) { find_constants(expr, objects, program); };
  std::visit(
      Overloaded{
          [&](const Assign& assign) { add(assign.value); }, [&](const Branch& branch) { add(branch.condition); },
          [&](const Load& load) { add(load.access.address); },
          [&](const Store& store) {
            add(store.access.address);
            add(store.value);
          },
          [&](const Rmw& rmw) {
            add(rmw.access.address);
            add(rmw.operand);
            add(rmw.compare);
          },
          [&](const AsyncStep& step) {
            for (const AsyncElement& element : step.elements) {
              if (element.source) add(element.source->address);
              if (element.target) add(element.target->address);
            }
            for (const Rmw& done : step.completions) add(done.access.address);
          },
          [](const OneOf<Fence, ProxyFence, Barrier, Jump, Assume, Assert, TransactionBegin, TransactionEnd> auto&) {}},
      operation);
  return objects;
}

/// For each shared object that is declared without a block, returns the block of the threads that name the object.
std::map<ObjectId, std::uint32_t> places_by_use(const Program& program, const Layout& layout) {
  std::map<ObjectId, std::uint32_t> places;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    for (const Instruction& instruction : program.threads[t].code) {
      for (const ObjectId id : objects_of(instruction.operation, program)) places.emplace(id, layout.place_of(t));
    }
  }
  return places;
}

/// Gives each object contiguous memory, because asynchronous operations copy whole objects.
SharedCells find_shared_objects(const Program& program, const Layout& layout, Diagnostics& errors) {
  SharedCells cells;
  std::map<std::uint32_t, std::uint32_t> used;  // for each block, the number of bytes or cells in use
  const std::map<ObjectId, std::uint32_t> users = places_by_use(program, layout);
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    const MemoryObject& object = program.objects[id];
    if (object.space != MemorySpace::Shared || object.alias_of) continue;
    if (!object.home && !users.contains(id)) continue;
    const auto place = object.home ? layout.place_of_block(object.home->block) : std::optional(users.at(id));
    if (!place) {
      errors.push_back({program.source, object.span,
                        fmt::format("'{}' is shared memory of a block without threads", object.name), ""});
      continue;
    }
    cells.place.emplace(id, *place);
    std::uint32_t& bytes = used[*place];
    const std::uint32_t alignment = shared_alignment(program, id);
    cells.alignment = std::max(cells.alignment, alignment);
    bytes = (bytes + alignment - 1) / alignment * alignment;
    const std::uint32_t size = bytes_of_cell(program, object);
    for (std::uint32_t i = 0; i < object.length; ++i) cells.number.emplace(object.first + i, bytes + i * size);
    bytes += std::max(bytes_of_object(program, id), bytes_of_factor(program, id));
    cells.most = std::max(cells.most, bytes);
  }
  cells.most = (cells.most + cells.alignment - 1) / cells.alignment * cells.alignment;
  return cells;
}

}  // namespace

std::uint32_t bytes_of_cell(const Program& program, const MemoryObject& object) {
  constexpr std::uint32_t kMbarrier = 8;
  const auto bytes = static_cast<std::uint32_t>(program.locations[object.first].type.bits) / 8;
  return object.mbarrier ? kMbarrier : bytes;
}

std::uint32_t bytes_of_object(const Program& program, ObjectId id) {
  const MemoryObject& object = program.objects[id];
  return map_in(program, id) ? kTensorMapBytes : object.length * bytes_of_cell(program, object);
}

SharedCells find_shared_cells(const Program& program, const Layout& layout, Diagnostics& errors) {
  if (layout.is_asynchronous) return find_shared_objects(program, layout, errors);
  SharedCells cells;
  std::map<std::uint32_t, std::uint32_t> used;  // for each block, the number of bytes or cells in use
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const std::uint32_t place = layout.place_of(t);
    for (const Instruction& instruction : program.threads[t].code) {
      for (const ObjectId id : objects_of(instruction.operation, program)) {
        const MemoryObject& object = program.objects[id];
        if (object.space != MemorySpace::Shared) continue;
        const auto [entry, is_new] = cells.place.emplace(id, place);
        if (!is_new && entry->second != place) {
          errors.push_back({program.source, instruction.span,
                            fmt::format("'{}' is shared memory of another block", object.name),
                            "Ambit runs no tests of distributed shared memory on hardware"});
        }
        if (!is_new) continue;
        std::uint32_t& count = used[place];
        for (std::uint32_t i = 0; i < object.length; ++i) cells.number.emplace(object.first + i, count++);
        cells.most = std::max(cells.most, count);
      }
    }
  }
  return cells;
}

std::uint32_t alias_number(const Program& program, ObjectId object) {
  if (!program.objects[object].alias_of) return 0;
  std::uint32_t number = 1;
  for (ObjectId other = 0; other < object; ++other) {
    number += program.objects[other].alias_of == program.objects[object].alias_of ? 1 : 0;
  }
  return number;
}

bool computes_addresses(const Thread& thread) {
  return std::any_of(thread.code.begin(), thread.code.end(), [](const Instruction& instruction) {
    const MemoryAccess* access = nullptr;
    if (const auto* load = std::get_if<Load>(&instruction.operation)) access = &load->access;
    if (const auto* store = std::get_if<Store>(&instruction.operation)) access = &store->access;
    if (const auto* rmw = std::get_if<Rmw>(&instruction.operation)) access = &rmw->access;
    return access != nullptr && !access->address.is_constant();
  });
}

}  // namespace ambit::cuda
