#include "ptx/opcode.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace ambit::ptx {
namespace {

struct Alias {
  std::string_view name;
  Opcode opcode;
};
constexpr std::array kAliases = {
    Alias{"bar.cta.sync", Opcode::BarrierSync},     Alias{"barrier.sync", Opcode::BarrierSync},
    Alias{"barrier.cta.sync", Opcode::BarrierSync}, Alias{"bar.cta.arrive", Opcode::BarrierArrive},
    Alias{"barrier.arrive", Opcode::BarrierArrive}, Alias{"barrier.cta.arrive", Opcode::BarrierArrive},
    Alias{"bar.cta.red", Opcode::BarrierReduce},    Alias{"barrier.red", Opcode::BarrierReduce},
    Alias{"barrier.cta.red", Opcode::BarrierReduce}};

/// The maximum number of dot-separated components in the name of an opcode.
constexpr std::size_t kMaximumComponents = 4;

const std::unordered_map<std::string_view, const OpcodeRow*>& rows_by_name() {
  static const std::unordered_map<std::string_view, const OpcodeRow*> kByName = [] {
    std::unordered_map<std::string_view, const OpcodeRow*> result;
    for (std::size_t i = 1; i < kOpcodeRows.size(); ++i) result.emplace(kOpcodeRows[i].name, &kOpcodeRows[i]);
    for (const Alias& alias : kAliases) result.emplace(alias.name, &row_of(alias.opcode));
    return result;
  }();
  return kByName;
}

}  // namespace

std::string_view to_string(Effect effect) {
  constexpr std::array<std::string_view, 9> kNames = {
      "none", "read", "write", "read-modify-write", "fence", "barrier", "warp exchange", "asynchronous", "control"};
  return kNames[static_cast<std::size_t>(effect)];
}

std::string_view to_string(Opcode opcode) { return opcode == Opcode::Unknown ? "unknown" : row_of(opcode).name; }

bool takes_operands(const OpcodeRow& row, std::size_t count) {
  if (row.operands == "call") return true;
  if (row.operands == "-") return count == 0;
  const auto blanks = static_cast<std::size_t>(std::ranges::count(row.operands, ' '));
  const auto optional = static_cast<std::size_t>(std::ranges::count(row.operands, '?'));
  return count + optional >= blanks + 1 && count <= blanks + 1;
}

std::optional<OpcodeMatch> match_opcode(std::string_view spelling) {
  std::array<std::size_t, kMaximumComponents> ends = {};
  std::size_t count = 0;
  for (std::size_t from = 0; count < kMaximumComponents && from <= spelling.size();) {
    const std::size_t dot = std::min(spelling.find('.', from), spelling.size());
    ends[count++] = dot;
    from = dot + 1;
  }
  while (count > 0) {
    const std::size_t length = ends[--count];
    const auto found = rows_by_name().find(spelling.substr(0, length));
    if (found != rows_by_name().end()) return OpcodeMatch{found->second, length};
  }
  return std::nullopt;
}

}  // namespace ambit::ptx
