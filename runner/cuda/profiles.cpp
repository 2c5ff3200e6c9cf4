#include "runner/cuda/profiles.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/assert.h"
#include "runner/cuda/kernel_text.h"
#include "runner/cuda/layout.h"

namespace ambit::cuda {
namespace {

/// Tests with this many threads have no profile: their orders would be too many to try.
constexpr std::size_t kMostThreads = 5;

/// Prefixes of the names of devices with profiles.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kDevices = {
    {{"NVIDIA H100", "h100"}, {"NVIDIA H200", "h200"}}};

/// Shapes with profiles: those of the classic tests. Only two GPUs show the weak outcome of load buffering.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kShapes = {{
    {"Ra Rb / Wb Wa", "mp"},
    {"Wa Rb / Wb Ra", "sb"},
    {"Ra Wb / Rb Wa", "lb"},
    {"Wa Wb / Wb Wa", "2+2w"},
    {"Ra Rb / Rb Ra / Wa / Wb", "iriw"},
    {"Ra Rb / Rc Wa / Wb Wc", "isa2"},
    {"Ra Rb / Rb Wa / Wb", "wrc"},
    {"Ra Rb / Wa / Wb Ra", "rwc"},
    {"Ra Rb + Wa + Wb / Rb Ra", "iriw-block"},
    {"Ra Rb / Rb Wa + Wb", "wrc-block"},
}};

/// The accesses of a thread: the kind and the cell.
using Accesses = std::vector<std::pair<char, LocationId>>;

Accesses accesses_of(const Program& program, const Thread& thread) {
  Accesses accesses;
  for (const Instruction& instruction : thread.code) {
    const MemoryAccess* access = access_of(instruction.operation);
    if (access == nullptr) continue;
    const auto cell = access->address.is_constant() ? program.location_at(access->address.constant) : std::nullopt;
    if (!cell) return {};
    const bool is_load = std::holds_alternative<Load>(instruction.operation);
    accesses.emplace_back(is_load ? 'R' : std::holds_alternative<Store>(instruction.operation) ? 'W' : 'U', *cell);
  }
  return accesses;
}

/// The shape with the threads in one order: cells are named as they appear.
std::string written(const Program& program, const std::vector<std::size_t>& order,
                    const std::vector<Accesses>& accesses, bool tells_gpus) {
  std::map<LocationId, char> names;
  std::string text;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const ThreadPlace& place = program.threads[order[i]].place;
    if (i > 0) {
      const ThreadPlace& before = program.threads[order[i - 1]].place;
      const bool is_same_gpu = place.gpu == before.gpu;
      text += tells_gpus && !is_same_gpu ? " // " : is_same_gpu && place.block == before.block ? " + " : " / ";
    }
    std::vector<std::string> words;
    for (const auto& [kind, cell] : accesses[order[i]]) {
      const char name = names.emplace(cell, static_cast<char>('a' + names.size())).first->second;
      words.push_back(fmt::format("{}{}", kind, name));
    }
    text += fmt::format("{}", fmt::join(words, " "));
  }
  return text;
}

/// The name of a device with profiles in the names of their files; empty: it has none.
std::string_view file_name_of(const std::string& device) {
  const auto family =
      std::find_if(kDevices.begin(), kDevices.end(), [&](const auto& one) { return device.starts_with(one.first); });
  return family == kDevices.end() ? "" : family->second;
}

/// The profile for the shape and the device of these names, on one GPU or two.
std::optional<ShippedProfile> profile_of(std::string_view kind, std::string_view device, bool is_for_two_gpus) {
  const std::string name = fmt::format("{}{}-{}", device, is_for_two_gpus ? "x2" : "", kind);
  const std::string file = name + ".json";
  const std::string text = profile_file(file);
  if (text.empty()) return std::nullopt;
  const auto stress = parse_profile(std::make_shared<const SourceFile>(SourceFile{file, text}));
  AMBIT_ASSERT(stress.ok());
  return ShippedProfile{name, is_for_two_gpus, stress.value()};
}

/// Whether equal keys are adjacent.
template <typename Key>
bool is_grouped(const std::vector<Key>& keys) {
  std::set<Key> left;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (keys[i] == keys[i - 1]) continue;
    left.insert(keys[i - 1]);
    if (left.contains(keys[i])) return false;
  }
  return true;
}

/// The least text of all orders in which the threads of each block are adjacent, and those of each GPU, where GPUs
/// count. Empty: an access has no fixed cell, or there are too many threads.
std::string least_shape(const Program& program, bool tells_gpus) {
  if (program.threads.size() > kMostThreads) return {};
  std::vector<Accesses> accesses;
  for (const Thread& thread : program.threads) {
    accesses.push_back(accesses_of(program, thread));
    if (accesses.back().empty()) return {};
  }
  std::vector<std::size_t> order(program.threads.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::string least;
  do {
    std::vector<int> gpus;
    std::vector<std::pair<int, int>> blocks;
    for (const std::size_t thread : order) {
      const ThreadPlace& place = program.threads[thread].place;
      gpus.push_back(tells_gpus ? place.gpu : 0);
      blocks.emplace_back(place.gpu, place.block);
    }
    if (!is_grouped(gpus) || !is_grouped(blocks)) continue;
    std::string text = written(program, order, accesses, tells_gpus);
    if (least.empty() || text < least) least = std::move(text);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

}  // namespace

std::string shape_of(const Program& program) { return least_shape(program, true); }

std::vector<Stress> portfolio(const std::string& device) {
  std::string file = fmt::format("{}-portfolio.json", file_name_of(device));
  std::string text = profile_file(file);
  if (text.empty()) text = profile_file("h200-portfolio.json");
  std::vector<Stress> sets;
  for (const auto& one : nlohmann::json::parse(text)) {
    const auto set = parse_profile(std::make_shared<const SourceFile>(SourceFile{file, one.dump()}));
    AMBIT_ASSERT(set.ok());
    sets.push_back(set.value());
  }
  return sets;
}

std::optional<ShippedProfile> shipped_profile(const Program& program, const std::string& device) {
  const std::string shape = least_shape(program, false);
  const auto kind = std::find_if(kShapes.begin(), kShapes.end(), [&](const auto& one) { return one.first == shape; });
  if (kind == kShapes.end()) return std::nullopt;
  if (is_on_several_gpus(program)) {
    if (auto profile = profile_of(kind->second, file_name_of(device), true)) return profile;
  }
  return profile_of(kind->second, file_name_of(device), false);
}

std::vector<Stress> shipped_profiles(const std::string& device) {
  std::vector<std::string_view> devices;
  for (const auto& [prefix, name] : kDevices) devices.push_back(name);
  std::ranges::stable_partition(devices, [&](std::string_view name) { return name == file_name_of(device); });
  std::vector<Stress> profiles;
  for (const bool is_for_two_gpus : {false, true}) {
    for (const std::string_view one : devices) {
      for (const auto& [shape, name] : kShapes) {
        if (const auto profile = profile_of(name, one, is_for_two_gpus)) profiles.push_back(profile->stress);
      }
    }
  }
  return profiles;
}

}  // namespace ambit::cuda
