#include "parser/litmus/special_registers.h"

#include <array>
#include <cstdint>
#include <utility>

namespace ambit::parser::litmus {
namespace {

using Coordinates = ThreadSetting::Coordinates;

constexpr std::uint32_t kWarp = 32;

Operand number(std::uint32_t value) { return Operand::constant(static_cast<Value>(value), kUnsigned); }

/// Returns the dimension that the suffix of the name denotes: 0 for .x, 1 for .y, 2 for .z; nothing without a suffix.
std::optional<std::size_t> component_of(std::string_view name) {
  if (name.size() < 3 || name[name.size() - 2] != '.') return std::nullopt;
  const char last = name.back();
  return last >= 'x' && last <= 'z' ? std::optional(static_cast<std::size_t>(last - 'x')) : std::nullopt;
}

std::optional<Operand> of_lane(const ThreadPlace& place, std::string_view name) {
  const auto lane = static_cast<std::uint32_t>(place.lane);
  const std::uint32_t bit = 1U << lane;
  const std::array<std::pair<std::string_view, std::uint32_t>, 7> kRegisters = {
      {{"%laneid", lane},
       {"%warpid", static_cast<std::uint32_t>(place.warp)},
       {"%lanemask_eq", bit},
       {"%lanemask_lt", bit - 1},
       {"%lanemask_le", bit - 1 + bit},
       {"%lanemask_ge", ~(bit - 1)},
       {"%lanemask_gt", ~(bit - 1 + bit)}}};
  for (const auto& [known, value] : kRegisters) {
    if (known == name) return number(value);
  }
  return std::nullopt;
}

std::optional<Operand> of_machine(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, ScalarType>, 8> kRegisters = {{{"%clock", kUnsigned},
                                                                                  {"%clock_hi", kUnsigned},
                                                                                  {"%clock64", kUnsignedLongLong},
                                                                                  {"%globaltimer", kUnsignedLongLong},
                                                                                  {"%globaltimer_lo", kUnsigned},
                                                                                  {"%globaltimer_hi", kUnsigned},
                                                                                  {"%smid", kUnsigned},
                                                                                  {"%nsmid", kUnsigned}}};
  for (const auto& [known, type] : kRegisters) {
    if (known == name) return Operand::opaque(Type{.scalar = type, .is_opaque = true});
  }
  return std::nullopt;
}

std::optional<Operand> of_kernel(const Coordinates& at, std::string_view name) {
  const std::uint32_t blocks = at.cluster_blocks;
  if (name == "%cluster_ctarank") return number(at.block[0] % blocks);
  if (name == "%cluster_nctarank") return number(blocks);
  if (name == "%is_explicit_cluster") return number(blocks > 1 ? 1 : 0);
  if (name == "%nwarpid") return number((at.block_dim[0] * at.block_dim[1] * at.block_dim[2] + kWarp - 1) / kWarp);
  const std::optional<std::size_t> component = component_of(name);
  if (!component) return std::nullopt;
  const std::size_t i = *component;
  const std::uint32_t along = i == 0 ? blocks : 1;  // number of blocks of a cluster along this dimension
  const std::array<std::pair<std::string_view, std::uint32_t>, 8> kRegisters = {
      {{"%tid", at.thread[i]},
       {"%ntid", at.block_dim[i]},
       {"%ctaid", at.block[i]},
       {"%nctaid", at.grid_dim[i]},
       {"%clusterid", at.block[i] / along},
       {"%nclusterid", at.grid_dim[i] / along},
       {"%cluster_ctaid", at.block[i] % along},
       {"%cluster_nctaid", along}}};
  for (const auto& [known, value] : kRegisters) {
    if (known == name.substr(0, name.size() - 2)) return number(value);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Operand> special_register(const ThreadSetting& setting, std::string_view name) {
  if (std::optional<Operand> found = of_lane(setting.place, name)) return found;
  if (std::optional<Operand> found = of_machine(name)) return found;
  return setting.kernel ? of_kernel(*setting.kernel, name) : std::nullopt;
}

}  // namespace ambit::parser::litmus
