#include "runner/cuda/emit/warpgroups.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>
#include <variant>

#include "core/asynchronous.h"

namespace ambit::cuda {
namespace {

constexpr std::string_view kProduct = "wgmma.mma_async.sync.aligned.";
constexpr std::uint32_t kRows = 64;      // Rows of the first matrix and of the product.
constexpr std::uint32_t kRowBytes = 32;  // Bytes in a row of a factor; the same for all element types.

/// The values that follow the operands, depending on the type of the factors (PTX ISA 9.7.15.5.2).
struct FactorType {
  std::string_view name;
  std::uint32_t bits;
  bool has_scales;          ///< the operands include scales of the factors
  bool has_transpositions;  ///< the operands include transpositions of factors in shared memory
};
constexpr std::array kFactorTypes = {
    FactorType{"f16", 16, true, true},  FactorType{"bf16", 16, true, true}, FactorType{"tf32", 32, true, false},
    FactorType{"e4m3", 8, true, false}, FactorType{"e5m2", 8, true, false}, FactorType{"s8", 8, false, false},
    FactorType{"u8", 8, false, false},  FactorType{"b1", 1, false, false},
};

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t dot = text.find('.');
    words.push_back(text.substr(0, dot));
    text.remove_prefix(dot == std::string_view::npos ? text.size() : dot + 1);
  }
  return words;
}

/// Removes a letter and a number from the start of the text and returns the number: from "n8k16", removes "n8" and
/// returns 8. Returns 0 if the text does not have this form.
std::uint32_t take_extent(std::string_view& text, char letter) {
  std::uint32_t extent = 0;
  if (!text.starts_with(letter)) return 0;
  const char* const last = text.data() + text.size();
  const char* const end = std::from_chars(text.data() + 1, last, extent).ptr;
  text = std::string_view(end, static_cast<std::size_t>(last - end));
  return extent;
}

std::size_t addresses_of(const MachineInstruction& machine) {
  return static_cast<std::size_t>(std::ranges::count_if(machine.operands, [](const auto& operand) {
    return operand.kind == MachineInstruction::Operand::Kind::Address;
  }));
}

bool shares_warp(const Program& program, const Thread& thread) {
  return std::ranges::any_of(program.threads, [&](const Thread& other) {
    return &other != &thread && same_instance(other.place, thread.place, Scope::Block) &&
           other.place.warp == thread.place.warp;
  });
}

bool has_factor_elsewhere(const Program& program, const Thread& thread, const MachineInstruction& machine) {
  return std::ranges::any_of(machine.operands, [&](const MachineInstruction::Operand& operand) {
    const auto location = operand.value.is_constant() ? program.location_at(operand.value.constant) : std::nullopt;
    if (operand.kind != MachineInstruction::Operand::Kind::Address || !location) return false;
    const MemoryObject& object = program.objects[program.locations[*location].object];
    return object.space != MemorySpace::Shared || (object.home && object.home->block != thread.place.block);
  });
}

}  // namespace

bool is_of_warpgroup(const Instruction& instruction) {
  return instruction.machine != nullptr && instruction.machine->name.starts_with("wgmma.");
}

bool completes_products(const Instruction& instruction) {
  return is_of_warpgroup(instruction) && instruction.machine->name.starts_with("wgmma.wait_group");
}

std::uint32_t warps_of(const Thread& thread) {
  return std::ranges::any_of(thread.code, is_of_warpgroup) ? kWarpgroup : 1;
}

bool has_warpgroups(const Program& program) {
  return std::ranges::any_of(program.threads, [](const Thread& thread) { return warps_of(thread) > 1; });
}

std::optional<Diagnostic> warpgroup_objection(const Program& program) {
  if (!has_warpgroups(program)) return std::nullopt;
  if (has_dependent_grids(program)) {
    return Diagnostic{program.source, program.threads.front().span,
                      "wgmma in grids that depend on each other is not run on hardware",
                      "the models support this test"};
  }
  for (const Thread& thread : program.threads) {
    if (shares_warp(program, thread)) {
      return Diagnostic{program.source, thread.span,
                        "threads that share a warp in a test with wgmma: each thread represents whole warps",
                        "give each thread a warp of its own"};
    }
    for (const Instruction& instruction : thread.code) {
      if (!is_of_warpgroup(instruction) || !has_factor_elsewhere(program, thread, *instruction.machine)) continue;
      return Diagnostic{program.source, instruction.span,
                        "a factor of wgmma outside the shared memory of the thread's own block",
                        "declare the factor in that block: 's @ cta 0'"};
    }
  }
  return std::nullopt;
}

std::optional<Program> with_own_warps(const Program& program) {
  if (!has_warpgroups(program)) return std::nullopt;
  const auto is_of_warp = [](const Instruction& instruction) {
    const auto* barrier = std::get_if<Barrier>(&instruction.operation);
    return barrier != nullptr && barrier->kind == BarrierKind::Warp;
  };
  bool is_shared = false;
  for (const Thread& thread : program.threads) {
    if (std::ranges::any_of(thread.code, is_of_warp)) return std::nullopt;
    is_shared = is_shared || shares_warp(program, thread);
  }
  if (!is_shared) return std::nullopt;
  Program result = program;
  for (std::size_t t = 0; t < result.threads.size(); ++t) {
    result.threads[t].place.warp = static_cast<int>(t);
    result.threads[t].place.lane = 0;
  }
  return result;
}

std::vector<std::size_t> warps_in_groups(const Program& program, const std::vector<std::size_t>& threads) {
  std::vector<std::size_t> warps;
  for (const std::uint32_t size : {kWarpgroup, 1U}) {
    for (const std::size_t thread : threads) {
      if (warps_of(program.threads[thread]) == size) warps.insert(warps.end(), size, thread);
    }
  }
  return warps;
}

std::optional<Product> product_of(const MachineInstruction& machine) {
  if (!machine.name.starts_with(kProduct)) return std::nullopt;
  const std::vector<std::string_view> words = words_of(std::string_view(machine.name).substr(kProduct.size()));
  if (words.size() < 4) return std::nullopt;
  std::string_view shape = words[0];
  const std::uint32_t rows = take_extent(shape, 'm');
  const std::uint32_t columns = take_extent(shape, 'n');
  const std::uint32_t depth = take_extent(shape, 'k');
  const auto type = std::ranges::find(kFactorTypes, words[2], &FactorType::name);
  const auto second = std::ranges::find(kFactorTypes, words[3], &FactorType::name);
  const std::size_t addresses = addresses_of(machine);
  const bool has_shape = shape.empty() && rows == kRows && columns % 8 == 0 && columns > 0 && columns <= 256;
  const bool has_factors = addresses >= 1 && addresses <= 2 && machine.operands.size() == addresses;
  if (!has_shape || !has_factors || type == kFactorTypes.end() || second == kFactorTypes.end()) return std::nullopt;
  const bool fit = second == type || (second->bits == 8 && type->bits == 8 && second->has_scales == type->has_scales);
  const bool may_be_half = words[2] != "bf16" && words[2] != "tf32";
  const bool has_result =
      type->has_scales ? words[1] == "f32" || (words[1] == "f16" && may_be_half) : words[1] == "s32";
  if (!fit || !has_result || depth * type->bits != kRowBytes * 8) return std::nullopt;
  Product product;
  product.is_float = words[1] == "f32";
  product.accumulators = columns / (words[1] == "f16" ? 4 : 2);  // 128 lanes share 64 rows; a register holds two f16
  const bool has_registers = addresses == 1;
  // Makes the product add to the accumulators, because the assembler drops a product that the next product overwrites.
  product.suffix = ", 1";
  if (type->has_scales) product.suffix += ", 1, 1";
  if (type->has_transpositions) product.suffix += has_registers ? ", 0" : ", 0, 0";
  product.first_bytes = has_registers ? 0 : kRows * kRowBytes;
  product.second_bytes = columns * kRowBytes;
  return product;
}

std::uint32_t bytes_of_factor(const Program& program, ObjectId object) {
  std::uint32_t most = 0;
  for (const Thread& thread : program.threads) {
    for (const Instruction& instruction : thread.code) {
      const auto product = is_of_warpgroup(instruction) ? product_of(*instruction.machine) : std::nullopt;
      if (!product) continue;
      bool is_first = product->first_bytes > 0;
      for (const MachineInstruction::Operand& operand : instruction.machine->operands) {
        const std::uint32_t bytes = std::exchange(is_first, false) ? product->first_bytes : product->second_bytes;
        const auto location = program.location_at(operand.value.constant);
        if (!location || program.locations[*location].object != object) continue;
        const Location& cell = program.locations[*location];
        most = std::max(most, cell.index * static_cast<std::uint32_t>(cell.type.bits) / 8 + bytes);
      }
    }
  }
  return most;
}

std::vector<std::string> products_of(const Thread& thread) {
  std::vector<std::string> names;
  for (const Instruction& instruction : thread.code) {
    if (!is_of_warpgroup(instruction) || !product_of(*instruction.machine)) continue;
    const std::string& name = instruction.machine->name;
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string accumulators_name(const Thread& thread, const MachineInstruction& machine) {
  const std::vector<std::string> names = products_of(thread);
  return fmt::format("product{}", std::ranges::find(names, machine.name) - names.begin());
}

std::uint32_t accumulators_of(const Thread& thread) {
  std::map<std::string, std::uint32_t> accumulators;
  for (const Instruction& instruction : thread.code) {
    const auto product = is_of_warpgroup(instruction) ? product_of(*instruction.machine) : std::nullopt;
    if (product) accumulators[instruction.machine->name] = product->accumulators;
  }
  std::uint32_t sum = 0;
  for (const auto& [name, registers] : accumulators) sum += registers;
  return sum;
}

std::string accumulators_text(const Thread& thread) {
  std::string text;
  for (const Instruction& instruction : thread.code) {
    if (!is_of_warpgroup(instruction)) continue;
    const auto product = product_of(*instruction.machine);
    const std::string name = accumulators_name(thread, *instruction.machine);
    if (!product || text.find(" " + name + "[") != std::string::npos) continue;
    text += fmt::format("  {} {}[{}] = {{}};\n", product->is_float ? "float" : "unsigned", name, product->accumulators);
  }
  return text;
}

}  // namespace ambit::cuda
