#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "parser/litmus_threads.h"
#include "parser/litmus_words.h"

namespace ambit::parser::litmus {
namespace {

constexpr std::array<std::string_view, 5> kLevels = {"gpu", "cluster", "block", "warp", "lane"};
enum Level : std::size_t { kGpu, kCluster, kBlock, kWarp, kLane };
/// Exclusive limits: 32 lanes a warp, 1024 threads a block; the others are this tool's.
constexpr std::array<std::uint64_t, 5> kLevelSizes = {1024, 1U << 20U, 1U << 20U, 32, 32};

using Numbers = std::array<std::optional<int>, 5>;

std::optional<Numbers> read_place(const ThreadNode& node, Reporter& reporter) {
  Numbers numbers;
  bool good = true;
  const std::vector<std::string_view> levels(kLevels.begin(), kLevels.end());
  for (const PlaceWord& word : node.place) {
    const auto* found = std::find(kLevels.begin(), kLevels.end(), word.level.text);
    const auto level = static_cast<std::size_t>(found - kLevels.begin());
    std::string message;
    if (found == kLevels.end()) {
      message = fmt::format("unknown place '{}'", word.level.text);
      const std::string near = did_you_mean(word.level.text, levels);
      reporter.error(word.level.span, message, near.empty() ? "a place is gpu, cluster, block, warp or lane" : near);
      good = false;
    } else if (numbers[level]) {
      reporter.error(word.level.span, fmt::format("'{}' is given twice", word.level.text));
      good = false;
    } else if (word.number >= kLevelSizes[level]) {
      reporter.error(word.number_span, fmt::format("{} {} does not exist: the highest is {}", word.level.text,
                                                   word.number, kLevelSizes[level] - 1));
      good = false;
    } else {
      numbers[level] = static_cast<int>(word.number);
    }
  }
  if (good && !numbers[kBlock]) {
    reporter.error(node.name.span, fmt::format("the place of '{}' names no block", node.name.text),
                   fmt::format("write {} @ block 0", node.name.text));
    good = false;
  }
  return good ? std::optional(numbers) : std::nullopt;
}

/// Threads without a warp get one of their own, in file order, among those that no thread names.
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

void check_thread_count(Assembly& assembly, std::size_t count, SourceSpan where) {
  const std::size_t most = assembly.options.max_threads;
  if (count <= most) return;
  assembly.reporter.error(where,
                          fmt::format("the test has {} threads with events, more than the limit of {}", count, most),
                          "raise the limit with --max-threads");
}

void add_placed_threads(Assembly& assembly, ClusterNumbers& clusters) {
  std::map<std::string_view, const ThreadNode*> by_name;
  std::vector<Numbers> places;
  std::vector<const ThreadNode*> nodes;
  Reporter& reporter = assembly.reporter;
  for (const ThreadNode& node : assembly.file.threads) {
    if (!by_name.emplace(node.name.text, &node).second) {
      reporter.error(node.name.span, fmt::format("there are two threads named '{}'", node.name.text));
    }
    const std::optional<Numbers> place = read_place(node, reporter);
    if (!place) continue;
    const BlockId block{(*place)[kGpu].value_or(0), *(*place)[kBlock]};
    if ((*place)[kCluster] && !clusters.declare(block, *(*place)[kCluster])) {
      reporter.error(node.name.span, fmt::format("block {} is in two clusters: {} and {}", block.block,
                                                 clusters.cluster_of(block), *(*place)[kCluster]));
    }
    places.push_back(*place);
    nodes.push_back(&node);
  }
  if (assembly.file.threads.size() > assembly.options.max_threads) {
    check_thread_count(assembly, assembly.file.threads.size(), nodes.empty() ? SourceSpan{} : nodes.back()->name.span);
    return;
  }
  choose_warps(places);
  std::map<std::array<int, 4>, const ThreadNode*> taken;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const ThreadNode& node = *nodes[i];
    ThreadSetting setting;
    setting.name = node.name.text;
    setting.place = {places[i][kGpu].value_or(0), 0, *places[i][kBlock], *places[i][kWarp],
                     places[i][kLane].value_or(0)};
    const ThreadPlace& at = setting.place;
    const auto [other, free] = taken.emplace(std::array{at.gpu, at.block, at.warp, at.lane}, &node);
    if (!free) {
      reporter.error(node.name.span,
                     fmt::format("'{}' and '{}' are both placed at block {} warp {} lane {}", other->second->name.text,
                                 node.name.text, at.block, at.warp, at.lane),
                     "give them different lanes");
    }
    count_block(assembly.program, {at.gpu, at.block});
    assembly.program.threads.push_back(ThreadLowering(std::move(setting), assembly.functions, assembly.memory,
                                                      assembly.budget, assembly.checked, reporter)
                                           .lower(node));
  }
}

}  // namespace ambit::parser::litmus
