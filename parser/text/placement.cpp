#include "parser/text/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "parser/text/keywords.h"

namespace ambit::parser {
namespace {

using LevelNames = std::array<std::string_view, 5>;
enum Level : std::size_t { kGpu, kCluster, kBlock, kWarp, kLane };
/// Exclusive limits. CUDA has 32 lanes per warp and 1024 threads per block; the other limits are Ambit's.
constexpr std::array<std::uint64_t, 5> kLevelSizes = {1024, 1U << 20U, 1U << 20U, 32, 32};

using Numbers = std::array<std::optional<int>, 5>;

/// Returns the level with this name. Every input language accepts both CUDA's and PTX's names for the level.
std::optional<Level> level_named(std::string_view word) {
  static constexpr std::array<std::pair<std::string_view, Level>, 7> kNames = {{{"gpu", kGpu},
                                                                                {"device", kGpu},
                                                                                {"cluster", kCluster},
                                                                                {"block", kBlock},
                                                                                {"cta", kBlock},
                                                                                {"warp", kWarp},
                                                                                {"lane", kLane}}};
  const auto* found = std::ranges::find(kNames, word, &std::pair<std::string_view, Level>::first);
  return found == kNames.end() ? std::nullopt : std::optional(found->second);
}

/// Returns the request with the missing block: "P0 @ gpu 1 block 0".
std::string with_block(const PlaceRequest& request, std::string_view block_word) {
  std::string text = fmt::format("{} @", request.name.text);
  bool lacks_block = true;
  const auto add_block = [&] {
    if (std::exchange(lacks_block, false)) text += fmt::format(" {} 0", block_word);
  };
  for (const PlaceWord& word : *request.place) {
    const std::optional<Level> level = level_named(word.level.text);
    if (level > kBlock) add_block();
    text += fmt::format(" {} {}", word.level.text, word.number);
  }
  add_block();
  return text;
}

std::optional<Numbers> read_place(const PlaceRequest& request, const LevelNames& names, Reporter& reporter) {
  Numbers numbers;
  bool good = true;
  for (const PlaceWord& word : *request.place) {
    const std::optional<Level> level = level_named(word.level.text);
    if (!level) {
      reporter.error(
          word.level.span, fmt::format("unknown place '{}'", word.level.text),
          did_you_mean(
              word.level.text, {names.begin(), names.end()},
              fmt::format("the levels of a place are gpu, cluster, {}, warp and lane{}", names[kBlock],
                          word.level.text == "thread" ? "; each thread without a warp gets its own warp" : "")));
      good = false;
    } else if (numbers[*level]) {
      reporter.error(word.level.span, fmt::format("'{}' is given twice", names[*level]));
      good = false;
    } else if (word.number >= kLevelSizes[*level]) {
      reporter.error(word.number_span, fmt::format("{} {} does not exist: the highest is {}", word.level.text,
                                                   word.number, kLevelSizes[*level] - 1));
      good = false;
    } else {
      numbers[*level] = static_cast<int>(word.number);
    }
  }
  if (good && !numbers[kBlock]) {
    reporter.error(request.name.span, fmt::format("the place of '{}' has no {}", request.name.text, names[kBlock]),
                   fmt::format("write {}", with_block(request, names[kBlock])));
    good = false;
  }
  return good ? std::optional(numbers) : std::nullopt;
}

/// Places each thread without a warp in a separate warp, in file order. The thread gets the first warp that is free: no
/// thread names this warp, and no earlier thread got this warp.
void choose_warps(std::vector<Numbers>& places) {
  std::map<BlockId, std::set<int>> named;
  for (const Numbers& place : places) {
    if (place[kWarp]) named[{place[kGpu].value_or(0), *place[kBlock]}].insert(*place[kWarp]);
  }
  std::map<BlockId, int> next;
  for (Numbers& place : places) {
    if (place[kWarp]) continue;
    const BlockId block{place[kGpu].value_or(0), *place[kBlock]};
    int& warp = next[block];
    while (named[block].contains(warp)) ++warp;
    place[kWarp] = warp++;
  }
}

void count_block(Program& program, BlockId block) {
  const auto found = std::find_if(program.blocks.begin(), program.blocks.end(), [&](const BlockSize& size) {
    return size.gpu == block.gpu && size.block == block.block;
  });
  if (found != program.blocks.end()) {
    ++found->threads;
  } else {
    program.blocks.push_back({block.gpu, block.block, 1});
  }
}

}  // namespace

bool ClusterNumbers::declare(BlockId block, int cluster) {
  const auto [known, fresh] = declared_.emplace(block, cluster);
  int& first_free = first_free_[block.gpu];
  first_free = std::max(first_free, cluster + 1);
  return fresh || known->second == cluster;
}

int ClusterNumbers::cluster_of(BlockId block) const {
  if (const auto found = declared_.find(block); found != declared_.end()) return found->second;
  const auto offset = first_free_.find(block.gpu);
  return (offset == first_free_.end() ? 0 : offset->second) + block.block;
}

void check_thread_count(const ProgramOptions& options, std::size_t count, SourceSpan where, Reporter& reporter) {
  const std::size_t most = options.max_threads;
  if (count <= most) return;
  reporter.error(where, fmt::format("the test has {} threads with events, more than the limit of {}", count, most),
                 "raise the limit with --max-threads");
}

std::vector<PlacedThread> place_threads(const std::vector<PlaceRequest>& requests, std::string_view block_word,
                                        const ProgramOptions& options, Program& program, ClusterNumbers& clusters,
                                        Reporter& reporter) {
  const LevelNames names = {"gpu", "cluster", block_word, "warp", "lane"};
  std::map<std::string_view, std::size_t> by_name;
  std::vector<Numbers> places;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Word& name = requests[i].name;
    if (!by_name.emplace(name.text, i).second) {
      std::size_t number = requests.size();
      const auto is_used = [&](const PlaceRequest& other) { return other.name.text == fmt::format("P{}", number); };
      while (std::ranges::any_of(requests, is_used)) ++number;
      reporter.error(name.span, fmt::format("two threads are named '{}'", name.text),
                     fmt::format("rename one of them, for example P{}", number));
    }
    const std::optional<Numbers> place = read_place(requests[i], names, reporter);
    if (!place) continue;
    const BlockId block{(*place)[kGpu].value_or(0), *(*place)[kBlock]};
    if ((*place)[kCluster] && !clusters.declare(block, *(*place)[kCluster])) {
      reporter.error(name.span, fmt::format("{} {} is in two clusters: {} and {}", block_word, block.block,
                                            clusters.cluster_of(block), *(*place)[kCluster]));
    }
    places.push_back(*place);
    found.push_back(i);
  }
  if (requests.size() > options.max_threads) {
    check_thread_count(options, requests.size(), found.empty() ? SourceSpan{} : requests[found.back()].name.span,
                       reporter);
    return {};
  }
  choose_warps(places);
  std::vector<PlacedThread> placed;
  std::map<std::array<int, 4>, std::size_t> taken;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Word& name = requests[found[i]].name;
    const ThreadPlace at = {places[i][kGpu].value_or(0), 0, *places[i][kBlock], *places[i][kWarp],
                            places[i][kLane].value_or(0)};
    const auto [other, free] = taken.emplace(std::array{at.gpu, at.block, at.warp, at.lane}, found[i]);
    if (!free) {
      reporter.error(name.span,
                     fmt::format("'{}' and '{}' have the same place: {} {} warp {} lane {}",
                                 requests[other->second].name.text, name.text, block_word, at.block, at.warp, at.lane),
                     "give them different lanes");
    }
    count_block(program, {at.gpu, at.block});
    placed.push_back({found[i], at});
  }
  return placed;
}

}  // namespace ambit::parser
