#include "runner/cuda/stress/stress.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

namespace ambit::cuda {
namespace {

using nlohmann::json;

constexpr std::array<StressField, 22> kFields = {{
    {"block_threads", &Stress::block_threads, 32, 1024, true, "Threads of a block"},
    {"batch", &Stress::batch, 1, 64, true, "Instances that a thread runs in a round"},
    {"occupancy_percent", &Stress::occupancy_percent, 1, 100, false, "Blocks, in percent of the resident maximum"},
    {"testing_percent", &Stress::testing_percent, 1, 100, false, "Share of the blocks that run tests"},
    {"stride", &Stress::stride, 4, 4096, true, "Bytes between the copies of a cell"},
    {"layout", &Stress::layout, 0, 1, false, "0: copies of one cell together; 1: cells of one instance together"},
    {"permute", &Stress::permute, 0, 1, false, "Permute locations, threads and blocks"},
    {"shuffle_percent", &Stress::shuffle_percent, 0, 100, false,
     "Rounds in which the blocks of a group are chosen anew"},
    {"scatter_percent", &Stress::scatter_percent, 0, 100, false,
     "Rounds in which the lanes of a warp have partners in different blocks"},
    {"cell_memory", &Stress::cell_memory, 0, 3, false,
     "Cells of a test on several GPUs: 0: first GPU, 1: last GPU, 2: host, 3: each cell on the next GPU"},
    {"cold", &Stress::cold, 0, 1, false, "1: the driver clears the cells, then launches one round"},
    {"alignment_spins", &Stress::alignment_spins, 0, 65536, true,
     "Longest wait for the group's other blocks, in polls"},
    {"delay_ticks", &Stress::delay_ticks, 0, 65536, true, "Longest random delay of a warp, in clock ticks"},
    {"preload_percent", &Stress::preload_percent, 0, 100, false,
     "Rounds in which threads read their cells before the test"},
    {"pre_stress_percent", &Stress::pre_stress_percent, 0, 100, false, "Rounds with stress before the test"},
    {"pre_stress_iterations", &Stress::pre_stress_iterations, 1, 4096, true,
     "Pairs of accesses of the stress before the test"},
    {"pre_stress_pattern", &Stress::pre_stress_pattern, 0, 3, false, "0 st-st, 1 st-ld, 2 ld-st, 3 ld-ld"},
    {"stress_percent", &Stress::stress_percent, 0, 100, false, "Rounds in which other blocks stress memory"},
    {"stress_iterations", &Stress::stress_iterations, 1, 65536, true,
     "Pairs of accesses of the stress by other blocks"},
    {"stress_pattern", &Stress::stress_pattern, 0, 3, false, "0 st-st, 1 st-ld, 2 ld-st, 3 ld-ld"},
    {"stress_lines", &Stress::stress_lines, 1, 4096, true, "Lines of the scratchpad that the stress accesses"},
    {"stress_line_bytes", &Stress::stress_line_bytes, 4, 4096, true, "Bytes from one stressed line to the next"},
}};

/// For random parameters: limit on the bytes between the copies of one cell that a thread uses in a round.
constexpr std::uint32_t kMostSpread = 8192;
/// For random parameters: limit on the pairs of a store and a load for each 128-byte line that the stress accesses.
/// With this limit, a round takes 0.15 s on an H200. With 65,536 pairs on one line, a round takes 9.4 s, and the launch
/// seems to hang.
constexpr std::uint32_t kMostMixedPairs = 1024;

/// Returns the place of a key in the text, for an error message.
SourceSpan place_of(const SourceFile& source, const std::string& key) {
  const std::size_t at = source.text.find('"' + key + '"');
  if (at == std::string::npos) return {1, 1, 1};
  const auto line = std::count(source.text.begin(), source.text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const std::size_t start = source.text.rfind('\n', at);
  const std::size_t column = start == std::string::npos ? at : at - start - 1;
  return {static_cast<std::uint32_t>(line + 1), static_cast<std::uint32_t>(column + 1),
          static_cast<std::uint32_t>(key.size() + 2)};
}

std::uint32_t random_value(std::mt19937_64& random, const StressField& field) {
  if (!field.by_powers) {
    if (field.high - field.low < 8)
      return field.low + static_cast<std::uint32_t>(random() % (field.high - field.low + 1));
    // A percentage is the least value, the greatest value or a random value, each with a probability of one third.
    const std::uint64_t kind = random() % 3;
    if (kind == 0) return field.low;
    if (kind == 1) return field.high;
    return field.low + static_cast<std::uint32_t>(random() % (field.high - field.low + 1));
  }
  std::vector<std::uint32_t> values;
  if (field.low == 0) values.push_back(0);
  for (std::uint64_t value = 1; value <= field.high; value *= 2) {
    if (value >= field.low) values.push_back(static_cast<std::uint32_t>(value));
  }
  return values[random() % values.size()];
}

/// Reduces stress that mixes stores and loads on few lines. Fields named in `fixed` keep their values.
void limit_mixed_stress(Stress& stress, const std::map<std::string, std::uint32_t>& fixed) {
  const std::uint32_t lines = std::max(stress.stress_lines * stress.stress_line_bytes / 128, 1U);
  const auto limit = [&](const std::string& name, std::uint32_t pattern, std::uint32_t& iterations) {
    const bool is_mixed = pattern == 1 || pattern == 2;
    if (is_mixed && !fixed.contains(name)) iterations = std::min(iterations, lines * kMostMixedPairs);
  };
  limit("pre_stress_iterations", stress.pre_stress_pattern, stress.pre_stress_iterations);
  limit("stress_iterations", stress.stress_pattern, stress.stress_iterations);
}

}  // namespace

std::span<const StressField> stress_fields() { return kFields; }

Result<Stress> parse_profile(const SourceFilePtr& source, const Stress& base) {
  json profile;
  try {
    profile = json::parse(source->text);
  } catch (const json::parse_error& error) {
    const std::size_t at = std::min(error.byte, source->text.size());
    const auto line = std::count(source->text.begin(), source->text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    return Diagnostic{source,
                      {static_cast<std::uint32_t>(line + 1), 1, 1},
                      "this profile is not JSON",
                      "a profile is { \"stride\": 16, ... }; the file may be truncated"};
  }
  if (!profile.is_object())
    return Diagnostic{source, {1, 1, 1}, "a profile is a JSON object", "{ \"stride\": 16, ... }"};
  Stress stress = base;
  Diagnostics errors;
  for (const auto& [key, value] : profile.items()) {
    const auto field =
        std::find_if(kFields.begin(), kFields.end(), [&](const StressField& f) { return f.name == key; });
    if (field == kFields.end()) {
      std::vector<std::string_view> names;
      for (const StressField& known : kFields) names.push_back(known.name);
      const std::string_view nearest = nearest_name(key, names);
      errors.push_back({source, place_of(*source, key), fmt::format("a profile has no '{}'", key),
                        nearest.empty() ? "" : fmt::format("did you mean '{}'?", nearest)});
      continue;
    }
    if (!value.is_number_integer() || value.get<std::int64_t>() < field->low ||
        value.get<std::int64_t>() > field->high) {
      errors.push_back({source, place_of(*source, key),
                        fmt::format("'{}' is a whole number from {} to {}", key, field->low, field->high), ""});
      continue;
    }
    stress.*(field->member) = value.get<std::uint32_t>();
  }
  if (!errors.empty()) return errors;
  return stress;
}

std::string profile_text(const Stress& stress) {
  std::string text = "{";
  for (const StressField& field : kFields) {
    text += fmt::format("{}\n  \"{}\": {}", text.size() > 1 ? "," : "", field.name, stress.*(field.member));
  }
  return text + "\n}\n";
}

void set_fixed(Stress& stress, const std::map<std::string, std::uint32_t>& fixed) {
  for (const StressField& field : kFields) {
    const auto value = fixed.find(std::string(field.name));
    if (value != fixed.end()) stress.*(field.member) = value->second;
  }
}

Stress spread_out(const Stress& base, const std::map<std::string, std::uint32_t>& fixed) {
  Stress stress = base;
  const auto set = [&](std::string_view name, std::uint32_t value) {
    const auto field =
        std::find_if(kFields.begin(), kFields.end(), [&](const StressField& f) { return f.name == name; });
    if (!fixed.contains(std::string(name))) stress.*(field->member) = value;
  };
  set("permute", 1);
  set("shuffle_percent", 64);
  set("alignment_spins", 256);
  set("delay_ticks", 4);
  set("preload_percent", 0);
  set("pre_stress_percent", 100);
  return stress;
}

std::vector<Stress> in_every_memory(const std::vector<Stress>& sets) {
  std::vector<Stress> result;
  for (const CellMemory where : {CellMemory::FirstGpu, CellMemory::LastGpu, CellMemory::Host, CellMemory::InTurn}) {
    for (Stress set : sets) {
      set.cell_memory = static_cast<std::uint32_t>(where);
      result.push_back(set);
    }
  }
  return result;
}

Stress draw(std::mt19937_64& random, const Stress& base, const std::map<std::string, std::uint32_t>& fixed) {
  Stress stress = base;
  for (const StressField& field : kFields) {
    const auto value = fixed.find(std::string(field.name));
    stress.*(field.member) = value == fixed.end() ? random_value(random, field) : value->second;
  }
  // Allocating gigabytes of cells would take longer than a trial of the parameters.
  if (!fixed.contains("stride")) stress.stride = std::min(stress.stride, std::max(kMostSpread / stress.batch, 8U));
  limit_mixed_stress(stress, fixed);
  return stress;
}

Stress neighbour(std::mt19937_64& random, const Stress& base, const std::map<std::string, std::uint32_t>& fixed) {
  Stress stress = base;
  for (int tries = 0; tries < 64; ++tries) {
    const StressField& field = kFields[random() % kFields.size()];
    if (fixed.contains(std::string(field.name))) continue;
    std::uint32_t& value = stress.*(field.member);
    if (field.by_powers && value > 0) {
      value = std::clamp(random() % 2 == 0 ? value * 2 : value / 2, field.low, field.high);
    } else {
      value = random_value(random, field);
    }
    limit_mixed_stress(stress, fixed);
    if (stress != base) return stress;
  }
  return stress;
}

std::uint32_t coprime_from(std::uint32_t from, std::uint32_t modulus) {
  if (modulus <= 1) return 1;
  std::uint32_t candidate = std::max(from % modulus, 1U);
  while (std::gcd(candidate, modulus) != 1) ++candidate;  // the loop ends, because modulus + 1 is coprime to modulus
  return candidate;
}

void choose_permutations(ambit_kernel::Parameters& parameters, std::uint32_t slots, std::uint64_t seed, bool permute) {
  std::mt19937_64 random(seed);
  for (unsigned i = 0; i < ambit_kernel::kMultipliers; ++i) {
    const auto number = [&] { return permute ? static_cast<std::uint32_t>(random() >> 40U) : 1U; };
    parameters.location_multiplier[i] = number() | 1U;
    parameters.slot_multiplier[i] = coprime_from(number(), slots);
    parameters.group_multiplier[i] = coprime_from(number(), parameters.groups);
  }
}

}  // namespace ambit::cuda
