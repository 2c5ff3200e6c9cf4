#include "detector/algorithms/scord.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include "detector/algorithms/in_gpu_form.h"
#include "detector/algorithms/trace_rules.h"
#include "detector/options.h"
#include "kernels/detectors/scord_rules.h"

namespace ambit::detector {
namespace {

struct ScordOptions {
  /// If true, behave like the published source. Counters wrap at the width of their fields. An entry does not record a
  /// second reader under a lock. The entry of a word that blocks share can look unused although the word was written.
  bool as_source = false;
  /// If true, fences order only strong accesses (volatile or atomic). The published source has this option, too.
  bool needs_strong = true;
  /// If true, entries are in a direct-mapped table with tags, so a word can evict another word's entry.
  bool has_cache = false;
};

constexpr std::uint32_t kWordBytes = 4;
constexpr std::uint32_t kCacheEntries = 4096;
constexpr std::uint32_t kTagsOfSource = 16;

std::string_view scord_reason(ambit_kernel::Kind kind, ambit_kernel::Detail /*detail*/) {
  using ambit_kernel::Kind;
  switch (kind) {
    case Kind::AtomicScopeTooNarrow: return "an atomic of block scope, and then an access from another block";
    case Kind::FenceScopeTooNarrow: return "the first thread's warp has run block fences only since its access";
    case Kind::MissingFence: return "the first thread's warp has run no fence since its access";
    case Kind::NotAtomic: return "one of them is not atomic, and no fence separates them";
    case Kind::NoCommonLock: return "no lock is held at both accesses";
    default: return "one of them is neither volatile nor atomic, so a fence does not make it visible";
  }
}

/// ScoRD on traces. If several lanes of a warp run a fence by one instruction, the detector counts one fence.
class Scord : public RuleDetector {
 public:
  Scord(const TraceTables& tables, const ScordOptions& options)
      : RuleDetector(tables, kWordBytes, scord_reason), options_(options), rules_(shape(), memory_, log(), options) {
    if (options.has_cache) tags_.resize(kCacheEntries);
  }

  void on(const Observation& observation) override {
    // Handle the barriers that complete before the event takes effect.
    for (const BarrierTracker::Completion& done : observation.completions()) on_barrier(done);
    const TraceEvent& event = observation.event;
    const bool begins_fence = begins_fence_of_warp(event);
    if (event.is_access()) return access(observation);
    switch (event.op) {
      case TraceOp::Fence:
        if (begins_fence) fence(event.thread, event.scope);
        break;
      case TraceOp::LockAcquire: rules_.take_lock(event_of(observation), true); break;
      case TraceOp::LockRelease:
        fence(event.thread, event.scope);
        rules_.drop_lock(event_of(observation));
        break;
      case TraceOp::Fork: fence(event.thread, Scope::System); break;
      case TraceOp::Join: fence(event.object, Scope::System); break;
      default: break;
    }
  }

 private:
  using Rules = RulesOfTraces<ScordOptions>;

  void access(const Observation& observation) {
    // ScoRD ignores accesses to shared memory, except accesses to locks.
    if (!observation.event.is_update() && !is_global(observation.event.object)) return;
    TraceRuleEvent event = event_of(observation);
    if (options_.has_cache && !event.entry.is_shared) use_cache(event.entry);
    rules_.on(event);
  }
  void fence(std::uint32_t thread, Scope scope) {
    rules_.fence_of_warp(places_.of(thread).warp, scope >= Scope::Device);
  }
  void on_barrier(const BarrierTracker::Completion& done) {
    if (done.op != TraceOp::Barrier) return;
    for (const std::uint32_t block : places_.blocks_of(done.waiting)) rules_.block_barrier(block);
    if (done.level <= Scope::Block) return;
    // A barrier of several blocks consists of device fences and atomics.
    for (const std::uint32_t warp : places_.warps_of(done.waiting)) rules_.fence_of_warp(warp, true);
  }

  /// Replaces the word's number by its index in the cache.
  void use_cache(TraceEntry& entry) {
    const std::uint32_t all = entry.index / kCacheEntries;
    const std::uint32_t tag = options_.as_source ? all % kTagsOfSource : all;
    entry.index %= kCacheEntries;
    entry.is_new = tags_[entry.index] != tag;
    tags_[entry.index] = tag;
  }

  ScordOptions options_;
  Rules::Memory memory_;
  ambit_kernel::ScordRules<Rules> rules_;
  std::vector<std::uint32_t> tags_;  ///< for each entry of the cache
};

}  // namespace

DetectorDescription scord() {
  const auto options =
      OptionTable<ScordOptions>()
          .choice("rules", &ScordOptions::as_source, {{"paper", false}, {"source", true}},
                  "follow the paper or the published source where the two differ")
          .yes_or_no("strong", &ScordOptions::needs_strong, "accesses that fences order must be volatile or atomic")
          .yes_or_no("cache", &ScordOptions::has_cache, "4096 entries: a word can take the entry of another word");
  return {.name = "scord",
          .source = "Kamath, George, Basu, ISCA 2020",
          .summary = "one metadata entry for each word: scoped fences, atomics and locks",
          .options = options.described(),
          .in_gpu = in_gpu_form<ambit_kernel::Scord>("scord_rules.h", "Scord"),
          .make = options.maker<Scord>()};
}

}  // namespace ambit::detector
