#include "runner/cuda/stress/profiles.h"

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

#include "base/assert.h"
#include "runner/cuda/emit/kernel_files.h"
#include "runner/cuda/emit/layout.h"

namespace ambit::cuda {
namespace {

/// Tests with more threads have no profile, because their threads have too many orders.
constexpr std::size_t kMostThreads = 5;

/// Prefixes of the device names for which profiles exist.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kDevices = {
    {{"NVIDIA H100", "h100"}, {"NVIDIA H200", "h200"}}};

/// Shapes with profiles on one GPU: the shapes of the classic tests.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kShapes = {{
    {"Ra Rb / Wb Wa", "mp"},
    {"Wa Rb / Wb Ra", "sb"},
    {"Wa Wb / Wb Wa", "2+2w"},
    {"Ra Rb / Rb Ra / Wa / Wb", "iriw"},
    {"Ra Rb / Rc Wa / Wb Wc", "isa2"},
    {"Ra Rb / Rb Wa / Wb", "wrc"},
    {"Ra Rb / Wa / Wb Ra", "rwc"},
    {"Ra Rb + Wa + Wb / Rb Ra", "iriw-block"},
    {"Ra Rb / Rb Wa + Wb", "wrc-block"},
}};

/// Shapes with profiles on two GPUs. The rates depend on the distances between threads and cells. Therefore each
/// placement of the threads on the GPUs has its own profile. For example, "iriw-g01_23" has the first two threads of
/// IRIW on the first GPU (litmus/classic/README.md).
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kShapesOnTwoGpus = {{
    {"Wa Wb // Rb Ra", "mp"},
    {"Wa Rb // Wb Ra", "sb"},
    {"Ra Wb // Rb Wa", "lb"},
    {"Wa Wb // Wb Wa", "2+2w"},
    {"Ra Rb / Wa / Wb // Rb Ra", "iriw-g012_3"},
    {"Wa / Wb // Ra Rb / Rb Ra", "iriw-g01_23"},
    {"Ra Rb / Rb Ra / Wa // Wb", "iriw-g023_1"},
    {"Ra Rb / Wa // Rb Ra / Wb", "iriw-g02_13"},
    {"Ra Rb / Wb // Rb Ra / Wa", "iriw-g03_12"},
    {"Ra Wb / Wc Wa // Rb Rc", "isa2-g01_2"},
    {"Ra Rb / Wb Wc // Rc Wa", "isa2-g02_1"},
    {"Wa Wb // Rb Wc / Rc Ra", "isa2-g0_12"},
    {"Ra Wb / Wa // Rb Ra", "wrc-g01_2"},
    {"Ra Rb / Wb // Rb Wa", "wrc-g02_1"},
    {"Wa // Ra Wb / Rb Ra", "wrc-g0_12"},
}};

/// How the text of a shape describes the placement of threads on GPUs.
enum class GpuOrder {
  Ignored,     ///< the text does not mention GPUs
  Any,         ///< the text shows which threads share a GPU
  Ascending,   ///< like Any, and the threads of GPU 0 are first
  Descending,  ///< like Any, and the threads of GPU 0 are last
};

/// The accesses of a thread. Each access has a kind and a cell.
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

/// Returns the text of the shape with the threads in the order `order`. Cells are named in order of appearance.
std::string written(const Program& program, const std::vector<std::size_t>& order,
                    const std::vector<Accesses>& accesses, GpuOrder gpu_order) {
  std::map<LocationId, char> names;
  std::string text;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const ThreadPlace& place = program.threads[order[i]].place;
    if (i > 0) {
      const ThreadPlace& before = program.threads[order[i - 1]].place;
      const bool is_same_gpu = place.gpu == before.gpu;
      const bool separates_gpus = gpu_order != GpuOrder::Ignored && !is_same_gpu;
      text += separates_gpus ? " // " : is_same_gpu && place.block == before.block ? " + " : " / ";
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

/// Returns the prefix of a device's profile files. Returns an empty text if the device has no profiles.
std::string_view file_name_of(const std::string& device) {
  const auto family =
      std::find_if(kDevices.begin(), kDevices.end(), [&](const auto& one) { return device.starts_with(one.first); });
  return family == kDevices.end() ? "" : family->second;
}

/// Returns the profile for a shape and a device, on one GPU or two.
std::optional<ShippedProfile> profile_of(std::string_view kind, std::string_view device, bool is_for_two_gpus) {
  const std::string name = fmt::format("{}{}-{}", device, is_for_two_gpus ? "x2" : "", kind);
  const std::string file = name + ".json";
  const std::string text = profile_file(file);
  if (text.empty()) return std::nullopt;
  const auto stress = parse_profile(std::make_shared<const SourceFile>(SourceFile{file, text}));
  AMBIT_ASSERT(stress.ok());
  return ShippedProfile{name, is_for_two_gpus, stress.value()};
}

/// Returns whether all equal keys are adjacent.
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

/// Returns whether `order` permits a sequence of threads. `gpus` contains the GPU of each thread of the sequence.
bool fits(const std::vector<int>& gpus, GpuOrder order) {
  switch (order) {
    case GpuOrder::Ignored: return true;
    case GpuOrder::Any: return is_grouped(gpus);
    case GpuOrder::Ascending: return std::is_sorted(gpus.begin(), gpus.end());
    case GpuOrder::Descending: return std::is_sorted(gpus.rbegin(), gpus.rend());
  }
  return false;
}

/// Returns the alphabetically first text of the shape. Considers all orders of the threads that `gpu_order` permits and
/// that keep the threads of each block adjacent. Returns an empty text if an access has no fixed cell, or if there are
/// too many threads.
std::string least_shape(const Program& program, GpuOrder gpu_order) {
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
      gpus.push_back(place.gpu);
      blocks.emplace_back(place.gpu, place.block);
    }
    if (!fits(gpus, gpu_order) || !is_grouped(blocks)) continue;
    std::string text = written(program, order, accesses, gpu_order);
    if (least.empty() || text < least) least = std::move(text);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

/// Returns the value of Stress::cell_memory that selects the same memory if the two GPUs of a test are swapped.
std::uint32_t seen_from_the_other_gpu(std::uint32_t cell_memory) {
  switch (static_cast<CellMemory>(cell_memory)) {
    case CellMemory::FirstGpu: return static_cast<std::uint32_t>(CellMemory::LastGpu);
    case CellMemory::LastGpu: return static_cast<std::uint32_t>(CellMemory::FirstGpu);
    case CellMemory::Host:
    case CellMemory::InTurn: return cell_memory;
  }
  return cell_memory;
}

}  // namespace

std::string shape_of(const Program& program) { return least_shape(program, GpuOrder::Any); }

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
  const std::string_view file_name = file_name_of(device);
  const auto profile_for = [&](const auto& shapes, GpuOrder order, bool is_for_two_gpus) {
    const std::string shape = least_shape(program, order);
    const auto known = std::find_if(shapes.begin(), shapes.end(), [&](const auto& one) { return one.first == shape; });
    return known == shapes.end() ? std::nullopt : profile_of(known->second, file_name, is_for_two_gpus);
  };
  if (is_on_several_gpus(program)) {
    if (auto profile = profile_for(kShapesOnTwoGpus, GpuOrder::Ascending, true)) return profile;
    if (auto profile = profile_for(kShapesOnTwoGpus, GpuOrder::Descending, true)) {
      profile->stress.cell_memory = seen_from_the_other_gpu(profile->stress.cell_memory);
      return profile;
    }
  }
  return profile_for(kShapes, GpuOrder::Ignored, false);
}

std::vector<Stress> shipped_profiles(const std::string& device) {
  std::vector<std::string_view> devices;
  for (const auto& [prefix, name] : kDevices) devices.push_back(name);
  std::ranges::stable_partition(devices, [&](std::string_view name) { return name == file_name_of(device); });
  std::vector<Stress> profiles;
  const auto add_all = [&](const auto& shapes, bool is_for_two_gpus) {
    for (const std::string_view one : devices) {
      for (const auto& [shape, name] : shapes) {
        if (const auto profile = profile_of(name, one, is_for_two_gpus)) profiles.push_back(profile->stress);
      }
    }
  };
  add_all(kShapes, false);
  add_all(kShapesOnTwoGpus, true);
  return profiles;
}

}  // namespace ambit::cuda
