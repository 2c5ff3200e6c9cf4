#include "generate/variants.h"

#include <optional>
#include <string_view>

namespace ambit::generate {
namespace {

/// The placement of a test's threads.
enum class Placement {
  SameBlock,  ///< all threads in one block
  Blocks,     ///< each thread in its own block, on one gpu
  Split,      ///< the first two threads in block 0, the others in block 1
  Devices,    ///< each thread on its own gpu
};

/// The kind of all accesses of a test.
enum class Flavour { Plain, Volatile, Relaxed, ReleaseAcquire, SeqCst, Rmw };

/// Fences between the accesses of a thread.
struct Fences {
  Order order = Order::SeqCst;
  Scope scope = Scope::Device;
  std::optional<std::size_t> only;  ///< the only thread with the fence; absent if all threads have the fence
};

struct Variant {
  Flavour flavour = Flavour::Plain;
  Scope scope = Scope::Device;
  Placement placement = Placement::Blocks;
  std::optional<Fences> fences;
  bool mixed = false;  ///< location y is shared by the first two threads, and its accesses have block scope
};

std::string_view ptx_name(Scope scope) {
  switch (scope) {
    case Scope::Block: return "cta";
    case Scope::Device: return "gpu";
    case Scope::System: return "sys";
    case Scope::Thread:
    case Scope::Cluster: break;
  }
  return "other";
}

std::string name_of(const Variant& variant) {
  std::string name;
  switch (variant.flavour) {
    case Flavour::Plain: name = "+plain"; break;
    case Flavour::Volatile: name = "+vol"; break;
    case Flavour::Relaxed: name = "+rlx."; break;
    case Flavour::ReleaseAcquire: name = "+relacq."; break;
    case Flavour::SeqCst: name = "+sc."; break;
    case Flavour::Rmw: name = "+rmw."; break;
  }
  if (name.back() == '.') name += ptx_name(variant.scope);
  if (variant.mixed) name += "+y.cta";
  if (variant.fences) {
    name += variant.fences->order == Order::SeqCst ? "+fence.sc." : "+fence.ar.";
    name += ptx_name(variant.fences->scope);
    if (variant.fences->only) name += ".P" + std::to_string(*variant.fences->only);
  }
  switch (variant.placement) {
    case Placement::SameBlock: return name + "+iblock";
    case Placement::Blocks: return name + "+xblock";
    case Placement::Split: return name + "+split";
    case Placement::Devices: return name + "+xgpu";
  }
  return name;
}

ThreadPlace place_of(Placement placement, int thread) {
  ThreadPlace place;
  switch (placement) {
    case Placement::SameBlock: place.warp = thread; break;
    case Placement::Blocks: place.block = thread; break;
    case Placement::Split:
      place.block = thread < 2 ? 0 : 1;
      place.warp = thread % 2;
      break;
    case Placement::Devices: place.gpu = thread; break;
  }
  place.cluster = place.block;
  return place;
}

void apply_flavour(Step& step, Flavour flavour, Scope scope) {
  step.scope = scope;
  switch (flavour) {
    case Flavour::Plain: step.mechanism = Mechanism::Plain; return;
    case Flavour::Volatile: step.mechanism = Mechanism::Volatile; return;
    case Flavour::Relaxed:
      step.mechanism = Mechanism::Atomic;
      step.order = Order::Relaxed;
      return;
    case Flavour::ReleaseAcquire:
      step.mechanism = Mechanism::Atomic;
      step.order = step.kind == Step::Kind::Read ? Order::Acquire : Order::Release;
      return;
    case Flavour::SeqCst:
      step.mechanism = Mechanism::Atomic;
      step.order = Order::SeqCst;
      return;
    case Flavour::Rmw:
      step.mechanism = Mechanism::ReadModifyWrite;
      step.order = Order::Relaxed;
      return;
  }
}

Step make_fence(const Fences& fences) {
  Step fence;
  fence.kind = Step::Kind::Fence;
  fence.order = fences.order;
  fence.scope = fences.scope;
  return fence;
}

/// Returns the test for a shape and a variant. If `plain_data` is true, all accesses of location 0 are plain.
GeneratedTest instantiate(const Shape& shape, const Variant& variant, bool plain_data) {
  GeneratedTest test;
  test.name = shape.name + name_of(variant);
  test.description = shape.description;
  test.locations = shape.locations;
  test.is_volatile = variant.flavour == Flavour::Volatile;
  test.condition = shape.condition;
  for (std::size_t t = 0; t < shape.threads.size(); ++t) {
    GeneratedThread thread;
    thread.place = place_of(variant.placement, static_cast<int>(t));
    const bool fenced = variant.fences && (!variant.fences->only || *variant.fences->only == t);
    for (Step step : shape.threads[t]) {
      if (fenced && !thread.steps.empty()) thread.steps.push_back(make_fence(*variant.fences));
      const bool narrow = variant.mixed && step.location == 1;
      apply_flavour(step, plain_data && step.location == 0 ? Flavour::Plain : variant.flavour,
                    narrow ? Scope::Block : variant.scope);
      thread.steps.push_back(step);
    }
    test.threads.push_back(std::move(thread));
  }
  return test;
}

/// Adds the variants of an atomic flavour: variants whose scopes include all threads, and variants whose scopes are too
/// narrow.
void add_scopes(std::vector<Variant>& variants, Flavour flavour) {
  variants.push_back({flavour, Scope::Block, Placement::SameBlock, {}});
  variants.push_back({flavour, Scope::Block, Placement::Blocks, {}});
  variants.push_back({flavour, Scope::Device, Placement::Blocks, {}});
  variants.push_back({flavour, Scope::Device, Placement::Devices, {}});
  variants.push_back({flavour, Scope::System, Placement::Devices, {}});
}

constexpr Fences kFence{Order::SeqCst, Scope::Device, {}};
constexpr Fences kBlockFence{Order::SeqCst, Scope::Block, {}};
constexpr Fences kSystemFence{Order::SeqCst, Scope::System, {}};
constexpr Fences kWeakFence{Order::AcqRel, Scope::Device, {}};
constexpr Fences kFirst{Order::SeqCst, Scope::Device, 0};
constexpr Fences kSecond{Order::SeqCst, Scope::Device, 1};

std::vector<Variant> two_thread_variants() {
  std::vector<Variant> variants = {{Flavour::Plain, Scope::Device, Placement::Blocks, {}, false},
                                   {Flavour::Plain, Scope::Device, Placement::Blocks, kFence},
                                   {Flavour::Volatile, Scope::System, Placement::Blocks, {}, false},
                                   {Flavour::Volatile, Scope::System, Placement::Blocks, kFence}};
  for (const Flavour flavour : {Flavour::Relaxed, Flavour::ReleaseAcquire, Flavour::SeqCst})
    add_scopes(variants, flavour);
  for (const Fences& fences : {kFence, kBlockFence, kWeakFence, kFirst, kSecond}) {
    variants.push_back({Flavour::Relaxed, Scope::Device, Placement::Blocks, fences});
  }
  variants.push_back({Flavour::Relaxed, Scope::Block, Placement::Blocks, kFence});
  variants.push_back({Flavour::Relaxed, Scope::Block, Placement::SameBlock, kFence});
  variants.push_back({Flavour::Relaxed, Scope::Device, Placement::SameBlock, kBlockFence});
  variants.push_back({Flavour::Relaxed, Scope::System, Placement::Devices, kSystemFence});
  variants.push_back({Flavour::Relaxed, Scope::System, Placement::Devices, kFence});
  variants.push_back({Flavour::Rmw, Scope::Device, Placement::Blocks, {}, false});
  variants.push_back({Flavour::Rmw, Scope::Block, Placement::Blocks, {}, false});
  variants.push_back({Flavour::Rmw, Scope::Device, Placement::Blocks, kFence});
  return variants;
}

std::vector<Variant> wide_variants() {
  return {{Flavour::Plain, Scope::Device, Placement::Blocks, {}, false},
          {Flavour::Relaxed, Scope::Device, Placement::Blocks, {}, false},
          {Flavour::Relaxed, Scope::Device, Placement::Blocks, kFence},
          {Flavour::Relaxed, Scope::Device, Placement::Blocks, kWeakFence},
          {Flavour::Relaxed, Scope::Device, Placement::Split, kBlockFence},
          {Flavour::ReleaseAcquire, Scope::Block, Placement::SameBlock, {}, false},
          {Flavour::ReleaseAcquire, Scope::Block, Placement::Split, {}, false},
          {Flavour::ReleaseAcquire, Scope::Device, Placement::Blocks, {}, false},
          {Flavour::ReleaseAcquire, Scope::Device, Placement::Split, {}, false},
          {Flavour::SeqCst, Scope::Device, Placement::Blocks, {}, false},
          {Flavour::SeqCst, Scope::Block, Placement::Split, {}, false},
          {Flavour::ReleaseAcquire, Scope::Device, Placement::Split, {}, true}};
}

std::vector<Variant> coherence_variants() {
  return {{Flavour::Plain, Scope::Device, Placement::Blocks, {}, false},
          {Flavour::Volatile, Scope::System, Placement::Blocks, {}, false},
          {Flavour::Relaxed, Scope::Block, Placement::SameBlock, {}, false},
          {Flavour::Relaxed, Scope::Block, Placement::Blocks, {}, false},
          {Flavour::Relaxed, Scope::Device, Placement::Blocks, {}, false},
          {Flavour::ReleaseAcquire, Scope::Device, Placement::Blocks, {}, false},
          {Flavour::Rmw, Scope::Device, Placement::Blocks, {}, false},
          {Flavour::Rmw, Scope::Block, Placement::Blocks, {}, false}};
}

std::vector<Variant> guarded_variants() {
  std::vector<Variant> variants = {{Flavour::Plain, Scope::Device, Placement::Blocks, {}, false},
                                   {Flavour::Plain, Scope::Device, Placement::Blocks, kFence},
                                   {Flavour::Relaxed, Scope::Device, Placement::Blocks, {}, false},
                                   {Flavour::Relaxed, Scope::Device, Placement::Blocks, kFence},
                                   {Flavour::Relaxed, Scope::Device, Placement::Blocks, kWeakFence},
                                   {Flavour::Relaxed, Scope::Device, Placement::Blocks, kFirst},
                                   {Flavour::Relaxed, Scope::Device, Placement::Blocks, kSecond},
                                   {Flavour::Relaxed, Scope::Device, Placement::Blocks, kBlockFence},
                                   {Flavour::Relaxed, Scope::Block, Placement::SameBlock, kFence},
                                   {Flavour::Rmw, Scope::Device, Placement::Blocks, kFence},
                                   {Flavour::SeqCst, Scope::Device, Placement::Blocks, {}, false}};
  add_scopes(variants, Flavour::ReleaseAcquire);
  variants.push_back({Flavour::ReleaseAcquire, Scope::Device, Placement::Split, {}, true});
  return variants;
}

void add(std::vector<GeneratedTest>& tests, const std::vector<Shape>& shapes, const std::vector<Variant>& variants,
         bool plain_data) {
  for (const Shape& shape : shapes) {
    for (const Variant& variant : variants) {
      const bool one_thread = shape.threads.size() == 1;
      if (one_thread && variant.scope == Scope::Block) continue;  // Placement and scope have no effect in this case.
      if (variant.mixed && shape.locations < 3) continue;         // Further threads also access y.
      tests.push_back(instantiate(shape, variant, plain_data));
    }
  }
}

}  // namespace

std::vector<GeneratedTest> all_tests() {
  std::vector<GeneratedTest> tests;
  add(tests, two_thread_shapes(), two_thread_variants(), false);
  add(tests, wide_shapes(), wide_variants(), false);
  add(tests, coherence_shapes(), coherence_variants(), false);
  add(tests, guarded_shapes(), guarded_variants(), true);
  return tests;
}

}  // namespace ambit::generate
