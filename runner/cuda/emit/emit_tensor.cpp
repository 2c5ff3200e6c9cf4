// Implements the tensor maps of a test by hardware descriptors. Finds the objects that hold descriptors, and writes the
// code for a thread's instructions on descriptors.

#include "runner/cuda/emit/emit_tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <variant>

#include "runner/cuda/emit/emit_names.h"

namespace ambit::cuda {
namespace {

using TensorOperand = MachineInstruction::Operand;

template <typename T>
void add_once(std::vector<T>& values, const T& value) {
  if (std::ranges::find(values, value) == values.end()) values.push_back(value);
}

/// `maps`: the maps of a thread's tensor copies. `copies`: the shared-memory descriptors that the thread changes.
struct ThreadTensorMaps {
  std::vector<std::size_t> maps;
  std::vector<ObjectId> copies;
};
ThreadTensorMaps tensor_maps_of(const Program& program, const Thread& thread) {
  ThreadTensorMaps found;
  for (const MachineInstruction* machine : machine_instructions(thread)) {
    for (const TensorOperand& operand : machine->operands) {
      if (operand.kind == TensorOperand::Kind::Tensor) {
        add_once(found.maps, static_cast<std::size_t>(operand.value.constant));
      } else if (const auto object = object_at(program, operand); object && machine->uses_tensor_map()) {
        const bool is_copy = program.objects[*object].space == MemorySpace::Shared && map_in(program, *object);
        if (is_copy) add_once(found.copies, *object);
      }
    }
  }
  return found;
}

/// Returns whether several threads use the same copy of a descriptor in shared memory. The runner can reset a copy only
/// if a single thread uses it.
bool shares_copies(const Program& program, const Thread& thread) {
  const std::vector<ObjectId> copies = tensor_maps_of(program, thread).copies;
  return std::ranges::any_of(program.threads, [&](const Thread& other) {
    const std::vector<ObjectId> others =
        &other == &thread ? std::vector<ObjectId>() : tensor_maps_of(program, other).copies;
    return std::ranges::any_of(copies, [&](ObjectId copy) { return std::ranges::find(others, copy) != others.end(); });
  });
}

/// Returns the map whose descriptor an access reads or writes.
std::optional<std::size_t> map_of_access(const Program& program, const MemoryAccess& access) {
  const auto location = access.address.is_constant() ? program.location_at(access.address.constant) : std::nullopt;
  return location ? map_in(program, program.locations[*location].object) : std::nullopt;
}

/// Rejects accesses to a descriptor's bytes, because the bytes are opaque. Ordinary stores to a descriptor in global
/// memory are allowed (map_word()).
void refuse_accesses(const Program& program, Diagnostics& errors) {
  for (const Thread& thread : program.threads) {
    for (const Instruction& instruction : thread.code) {
      const MemoryAccess* access = access_of(instruction.operation);
      if (instruction.machine != nullptr || access == nullptr || !map_of_access(program, *access)) continue;
      const bool is_store = std::holds_alternative<Store>(instruction.operation);
      const Location& cell = program.locations[*program.location_at(access->address.constant)];
      if (is_store && program.objects[cell.object].space == MemorySpace::Global) continue;
      errors.push_back({program.source, instruction.span,
                        is_store ? "an ordinary store to a copy of a tensor map in shared memory is not run on hardware"
                                 : "the bytes of a tensor map are opaque on hardware",
                        is_store ? "write tensormap.replace" : "write a test that does not read these bytes"});
    }
  }
}

/// The value of the field that tensormap.replace writes. The value comes from the map's declaration.
struct MapField {
  std::string value;          ///< C++ text or a literal
  bool is_immediate = false;  ///< PTX requires a literal
};
MapField map_field(const Program& program, const MachineInstruction& machine) {
  const TensorMap& map = program.tensor_maps[*map_in(program, *object_at(program, machine.operands.front()))];
  const MemoryObject& array = program.objects[map.array];
  const std::size_t dimension =
      machine.operands.size() > 2 ? static_cast<std::size_t>(machine.operands[1].value.constant) : 0;
  const ScalarType element = program.locations[array.first].type;
  const auto is_of = [&](std::string_view field) { return machine.name.find(field) != std::string::npos; };
  if (is_of(".global_address.")) return {fmt::format("at.cell({} /* {} */)", array.first, array.name)};
  if (is_of(".box_dim.")) return {fmt::format("{}", map.box[dimension])};
  if (is_of(".global_dim.")) return {fmt::format("{}", map.sizes[dimension])};
  if (is_of(".element_stride.")) return {"1"};
  if (is_of(".rank.")) return {fmt::format("{}", map.sizes.size() - 1)};  // counted from 0
  if (is_of(".global_stride.")) {
    std::uint64_t bytes = element.bits / 8U;
    for (std::size_t i = 0; i <= dimension; ++i) bytes *= map.sizes[i];
    return {fmt::format("{}ull", bytes)};
  }
  if (is_of(".elemtype.")) return {fmt::format("{}", tensor_element(element)), true};
  return {"0", true};  // 0: not interleaved, not swizzled, zeros outside the array
}

/// Returns whether the map has the dimension that the instruction names. Returns true if the instruction names no
/// dimension.
bool names_a_dimension(const Program& program, const MachineInstruction& machine, std::size_t map) {
  if (!replaces_in_map(machine) || machine.operands.size() < 3) return true;
  const auto dimension = static_cast<std::size_t>(machine.operands[1].value.constant);
  const bool is_stride =
      machine.name.find(".global_stride.") != std::string::npos;  // the innermost dimension has no stride
  return dimension + (is_stride ? 1 : 0) < program.tensor_maps[map].sizes.size();
}

/// Returns whether the instruction has the width of its field: 64 bits for addresses and strides, 32 bits for other
/// fields (PTX ISA, tensormap.replace).
bool has_width_of_field(const MachineInstruction& machine) {
  if (!replaces_in_map(machine)) return true;
  const auto is_of = [&](std::string_view field) { return machine.name.find(field) != std::string::npos; };
  return machine.name.ends_with(".b64") == (is_of(".global_address.") || is_of(".global_stride."));
}

}  // namespace

std::vector<KernelTensorMap> kernel_tensor_maps(const Program& program, Diagnostics& errors) {
  std::vector<KernelTensorMap> maps;
  for (const TensorMap& map : program.tensor_maps) {
    const Location& first = program.locations[program.objects[map.array].first];
    if (first.type.bits > 64) {
      errors.push_back({program.source, map.span, "no tensor map has elements of 16 bytes", "declare it with .u64"});
    }
    maps.push_back({program.objects[map.array].first, first.type, map.sizes, map.box});
  }
  refuse_accesses(program, errors);
  for (const Observable& observable : program.observables) {
    if (observable.kind != Observable::Kind::Memory) continue;
    const ObjectId object = program.locations[observable.location].object;
    if (!map_in(program, object)) continue;
    errors.push_back({program.source, program.objects[object].span,
                      fmt::format("the bytes of the tensor map '{}' are opaque on hardware", observable.name),
                      "write a condition that does not name the tensor map"});
  }
  return maps;
}

std::string made_map_text(const Program& program, std::size_t map) {
  const TensorMap& made = program.tensor_maps[map];
  const MemoryObject& array = program.objects[made.array];
  return fmt::format("made_map(at, {} /* {} */, {} /* {} */)", map, made.name, array.first, array.name);
}

std::string tensor_map_text(const Program& program, std::size_t map, const ObjectAddresses& objects) {
  const auto descriptor = program.tensor_maps[map].descriptor;
  return descriptor ? objects.generic(program.objects[*descriptor].first).text : made_map_text(program, map);
}

std::optional<std::string> map_word(const Program& program, const MemoryAccess& access) {
  const auto map = map_of_access(program, access);
  if (!map) return std::nullopt;
  const std::string type = type_name(access.type);
  return fmt::format("*reinterpret_cast<const {}*>({})", type, made_map_text(program, *map));
}

std::string thread_maps_text(const Program& program, const Thread& thread, const ObjectAddresses& objects) {
  const ThreadTensorMaps used = tensor_maps_of(program, thread);
  std::string text;
  for (const ObjectId copy : used.copies) {
    text += fmt::format("  reset_map({}, {});\n", objects.generic(program.objects[copy].first).text,
                        made_map_text(program, *map_in(program, copy)));
  }
  for (const std::size_t map : used.maps) {
    text += fmt::format("  acquire_map({});\n", tensor_map_text(program, map, objects));
  }
  return text;
}

std::string tensor_objection(const Program& program, const Thread& thread, const MachineInstruction& machine) {
  if (!machine.uses_tensor_map()) return {};
  for (const TensorOperand& operand : machine.operands) {
    const auto object = object_at(program, operand);
    if (!object || program.objects[*object].space != MemorySpace::Shared || program.objects[*object].mbarrier) continue;
    const Location& cell = program.locations[*program.location_at(operand.value.constant)];
    if (cell.index * (cell.type.bits / 8U) % kTensorAlignment == 0) continue;
    return "the shared memory of a tensor copy must begin at a multiple of 128 bytes on hardware";
  }
  if (!replaces_in_map(machine) && !needs_whole_warp(machine)) return {};
  const auto object = object_at(program, machine.operands.front());
  const auto map = object ? map_in(program, *object) : std::nullopt;
  if (!map) {
    return "a changed descriptor must belong to a declared tensor map, or be copied to such a map by "
           "tensormap.cp_fenceproxy";
  }
  if (!names_a_dimension(program, machine, *map)) return "the tensor map does not have this dimension";
  if (!has_width_of_field(machine)) return "the fields global_address and global_stride are .b64, other fields .b32";
  return shares_copies(program, thread) ? "on hardware, only one thread can use each copy of a tensor map" : "";
}

bool replaces_in_map(const MachineInstruction& machine) { return machine.name.starts_with("tensormap.replace"); }

MachineText replace_text(const Program& program, const MachineInstruction& machine, const MachineNames& names) {
  const MapField field = map_field(program, machine);
  const ObjectAddress address = names.address(machine.operands.front().value);
  const bool is_wide = machine.name.ends_with(".b64");
  MachineText text;
  text.operands = "[%0], ";
  if (machine.operands.size() > 2) text.operands += fmt::format("{}, ", machine.operands[1].value.constant);
  text.operands += field.is_immediate ? field.value : "%1";
  text.constraints = fmt::format(" :: \"{}\"({})", address.is_narrow ? 'r' : 'l', address.text);
  if (!field.is_immediate) text.constraints += fmt::format(", \"{}\"({})", is_wide ? 'l' : 'r', field.value);
  return text;
}

MachineNames names_of_lane(const MachineNames& names) {
  MachineNames of_lane = names;
  of_lane.address = [address = names.address](const Expr& at) {
    ObjectAddress found = address(at);
    found.text = fmt::format("of_lane({}, lane)", found.text);
    return found;
  };
  return of_lane;
}

}  // namespace ambit::cuda
