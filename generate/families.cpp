#include "generate/families.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>

#include "generate/shapes.h"

namespace ambit::generate {
namespace {

/// The way in which the two accesses of a thread are ordered.
enum class Ordering {
  None,          ///< both accesses are relaxed
  Acquire,       ///< the first access, a load, is an acquire
  Release,       ///< the second access, a store, is a release
  Fence,         ///< a fence of acq_rel order is between the accesses
  FirstSeqCst,   ///< the first access is seq_cst
  SecondSeqCst,  ///< the second access is seq_cst
  SeqCstFence,   ///< a fence of seq_cst order is between the accesses
};

bool is_fence(Ordering ordering) { return ordering == Ordering::Fence || ordering == Ordering::SeqCstFence; }

/// Returns the word for the ordering that test names contain.
std::string_view word_of(Ordering ordering) {
  switch (ordering) {
    case Ordering::None: return "rlx";
    case Ordering::Acquire: return "acq";
    case Ordering::Release: return "rel";
    case Ordering::Fence: return "f";
    case Ordering::FirstSeqCst: return "sc1";
    case Ordering::SecondSeqCst: return "sc2";
    case Ordering::SeqCstFence: return "fsc";
  }
  return "";
}

/// A family of tests: the name of its shape, and the orderings to try for each thread with two accesses.
struct Family {
  std::string_view shape;
  std::vector<std::vector<Ordering>> orderings;
};

std::vector<Family> families() {
  using enum Ordering;
  const std::vector<Ordering> none;
  const std::vector<Ordering> reads = {Acquire, Fence};                            // Used for a load, then a load.
  const std::vector<Ordering> writes = {Release, Fence};                           // Used for a store, then a store.
  const std::vector<Ordering> passes = {Acquire, Release, Fence};                  // Used for a load, then a store.
  const std::vector<Ordering> buffers = {FirstSeqCst, SecondSeqCst, SeqCstFence};  // Used for a store, then a load.
  return {{"IRIW", {none, none, reads, reads}}, {"ISA2", {writes, passes, reads}},  {"WRC", {none, passes, reads}},
          {"RWC", {none, reads, buffers}},      {"WWC", {none, passes, passes}},    {"WRW+2W", {none, passes, writes}},
          {"2+2W", {writes, writes}},           {"3.2W", {writes, writes, writes}}, {"Z6.3", {writes, writes, reads}}};
}

/// Returns the families for two GPUs: MP, SB, LB and four of the families above.
std::vector<Family> gpu_families() {
  using enum Ordering;
  std::vector<Family> all = {{"MP", {{Release, Fence}, {Acquire, Fence}}},
                             {"SB", {{FirstSeqCst, SeqCstFence}, {FirstSeqCst, SeqCstFence}}},
                             {"LB", {{Acquire, Release, Fence}, {Acquire, Release, Fence}}}};
  for (const Family& family : families()) {
    if (std::ranges::count(std::array{"IRIW", "WRC", "ISA2", "2+2W"}, family.shape) > 0) all.push_back(family);
  }
  return all;
}

Shape shape_named(std::string_view name) {
  std::vector<Shape> shapes = further_shapes();
  for (auto more : {two_thread_shapes(), wide_shapes()}) shapes.insert(shapes.end(), more.begin(), more.end());
  return *std::ranges::find(shapes, name, &Shape::name);
}

/// Returns the block of each thread, for every partition of the threads into blocks. Blocks are numbered by first use.
std::vector<std::vector<int>> partitions(std::size_t threads) {
  std::vector<std::vector<int>> all = {{}};
  for (std::size_t t = 0; t < threads; ++t) {
    std::vector<std::vector<int>> longer;
    for (const std::vector<int>& blocks : all) {
      const int next = blocks.empty() ? 0 : *std::ranges::max_element(blocks) + 1;
      for (int block = 0; block <= next; ++block) {
        longer.push_back(blocks);
        longer.back().push_back(block);
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// Returns all combinations that choose one ordering for each thread. Adds the combination in which all threads have
/// None. A thread with one access always has None.
std::vector<std::vector<Ordering>> choices(const Family& family) {
  std::vector<std::vector<Ordering>> all = {{}};
  for (const std::vector<Ordering>& orderings : family.orderings) {
    std::vector<std::vector<Ordering>> longer;
    for (const std::vector<Ordering>& choice : all) {
      for (const Ordering ordering : orderings.empty() ? std::vector{Ordering::None} : orderings) {
        longer.push_back(choice);
        longer.back().push_back(ordering);
      }
    }
    all = std::move(longer);
  }
  all.emplace_back(family.orderings.size(), Ordering::None);
  return all;
}

/// Returns the threads of each block, for example "0_12". The blocks are in the order of their first threads.
std::string placement_name(const std::vector<int>& blocks) {
  std::string name;
  for (int block = 0; block <= *std::ranges::max_element(blocks); ++block) {
    if (block > 0) name += '_';
    for (std::size_t t = 0; t < blocks.size(); ++t) {
      if (blocks[t] == block) name += std::to_string(t);
    }
  }
  return name;
}

/// One test of a family.
struct Member {
  std::vector<Ordering> orderings;
  Scope scope = Scope::Device;        ///< scope of accesses
  Scope fence_scope = Scope::Device;  ///< scope of fences
  std::vector<int> blocks;
  std::vector<int> gpus;  ///< the GPU of each thread; empty if all threads are on one GPU

  bool has_fence() const { return std::ranges::any_of(orderings, is_fence); }
};

std::string name_of(const Shape& shape, const Member& member) {
  const auto ptx = [](Scope scope) { return scope == Scope::Block ? "cta" : scope == Scope::Device ? "gpu" : "sys"; };
  std::string name = fmt::format("{}+{}", shape.name, ptx(member.scope));
  std::string orderings;
  for (std::size_t t = 0; t < shape.threads.size(); ++t) {
    if (shape.threads[t].size() < 2) continue;
    orderings += fmt::format("{}{}", orderings.empty() ? "+" : "-", word_of(member.orderings[t]));
  }
  name += orderings;
  if (member.has_fence()) name += fmt::format("+fence.{}", ptx(member.fence_scope));
  if (!member.gpus.empty()) return name + "+g" + placement_name(member.gpus);
  return name + "+" + placement_name(member.blocks);
}

/// Returns the steps of one thread, including the orders and fences that `ordering` requires.
std::vector<Step> ordered(std::vector<Step> steps, const Member& member, Ordering ordering) {
  for (Step& step : steps) {
    step.mechanism = Mechanism::Atomic;
    step.order = Order::Relaxed;
    step.scope = member.scope;
  }
  switch (ordering) {
    case Ordering::None: break;
    case Ordering::Acquire: steps.front().order = Order::Acquire; break;
    case Ordering::Release: steps.back().order = Order::Release; break;
    case Ordering::FirstSeqCst: steps.front().order = Order::SeqCst; break;
    case Ordering::SecondSeqCst: steps.back().order = Order::SeqCst; break;
    case Ordering::Fence:
    case Ordering::SeqCstFence: {
      const Order order = ordering == Ordering::Fence ? Order::AcqRel : Order::SeqCst;
      Step fence;
      fence.kind = Step::Kind::Fence;
      fence.order = order;
      fence.scope = member.fence_scope;
      steps.insert(steps.begin() + 1, fence);
      break;
    }
  }
  return steps;
}

GeneratedTest make(const Shape& shape, const Member& member) {
  GeneratedTest test;
  test.name = name_of(shape, member);
  test.description = shape.description;
  test.locations = shape.locations;
  test.condition = shape.condition;
  std::vector<int> warps(member.blocks.size(), 0);  // for each block, the number of its threads so far
  for (std::size_t t = 0; t < shape.threads.size(); ++t) {
    const int block = member.blocks[t];
    GeneratedThread& thread = test.threads.emplace_back();
    thread.place.gpu = member.gpus.empty() ? 0 : member.gpus[t];
    thread.place.block = block;
    thread.place.cluster = block;
    thread.place.warp = warps[static_cast<std::size_t>(block)]++;
    thread.steps = ordered(shape.threads[t], member, member.orderings[t]);
  }
  return test;
}

}  // namespace

namespace {

/// Adds the tests of a family for one placement, with accesses and fences of two scopes.
void add_members(const Family& family, Member member, std::array<Scope, 2> scopes, std::vector<GeneratedTest>& tests) {
  const Shape shape = shape_named(family.shape);
  for (const Scope scope : scopes) {
    for (const std::vector<Ordering>& orderings : choices(family)) {
      member.orderings = orderings;
      member.scope = scope;
      member.fence_scope = scopes[1];
      tests.push_back(make(shape, member));
      if (!member.has_fence()) continue;
      member.fence_scope = scopes[0];
      tests.push_back(make(shape, member));
    }
  }
}

}  // namespace

std::vector<GeneratedTest> family_tests() {
  std::vector<GeneratedTest> tests;
  for (const Family& family : families()) {
    for (const std::vector<int>& blocks : partitions(family.orderings.size())) {
      add_members(family, {.orderings = {}, .blocks = blocks, .gpus = {}}, {Scope::Block, Scope::Device}, tests);
    }
  }
  return tests;
}

std::vector<GeneratedTest> gpu_family_tests() {
  std::vector<GeneratedTest> tests;
  for (const Family& family : gpu_families()) {
    std::vector<int> blocks(family.orderings.size());
    std::iota(blocks.begin(), blocks.end(), 0);
    for (const std::vector<int>& gpus : partitions(family.orderings.size())) {
      if (*std::ranges::max_element(gpus) != 1) continue;
      add_members(family, {.orderings = {}, .blocks = blocks, .gpus = gpus}, {Scope::Device, Scope::System}, tests);
    }
  }
  return tests;
}

}  // namespace ambit::generate
