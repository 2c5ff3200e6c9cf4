#include "detector/algorithms/iguard.h"

#include <cstdint>
#include <string_view>

#include "detector/algorithms/in_gpu_form.h"
#include "detector/algorithms/trace_rules.h"
#include "detector/options.h"
#include "kernels/detectors/iguard_rules.h"

namespace ambit::detector {
namespace {

struct IguardOptions {
  /// If true, behave like the published source: metadata has two words, counters wrap, and the bins of a lock signature
  /// overlap.
  bool as_source = false;
};

constexpr std::uint32_t kIguardWordBytes = 4;

std::string_view iguard_reason(ambit_kernel::Kind kind, ambit_kernel::Detail /*detail*/) {
  using ambit_kernel::Kind;
  switch (kind) {
    case Kind::AtomicScopeTooNarrow: return "an atomic of block scope, and then an access from another block";
    case Kind::IntraWarp: return "lanes of one warp that have diverged, and no warp barrier since";
    case Kind::MissingFence: return "the first thread has run no fence since its access";
    case Kind::NotAtomic: return "one of them is not atomic, and no fence separates them";
    case Kind::FenceScopeTooNarrow: return "the first thread has run block fences only since its access";
    default: return "no lock is held at both accesses";
  }
}

/// iGUARD on traces.
class Iguard : public RuleDetector {
 public:
  Iguard(const TraceTables& tables, const IguardOptions& options)
      : RuleDetector(tables, kIguardWordBytes, iguard_reason), rules_(shape(), memory_, log(), options) {}

  void on(const Observation& observation) override {
    // Handle the barriers that complete before the event takes effect.
    for (const BarrierTracker::Completion& done : observation.completions()) on_barrier(done);
    const TraceEvent& event = observation.event;
    if (event.is_access()) return rules_.on(event_of(observation));
    rules_.flush();
    switch (event.op) {
      case TraceOp::Fence: fence(event.thread, event.scope); break;
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
  void finish(std::span<const Action> /*rest*/, const SyncInference& /*inference*/) override { rules_.finish(); }

 private:
  using Rules = RulesOfTraces<IguardOptions>;

  void fence(std::uint32_t thread, Scope scope) {
    places_.of(thread);  // computes the thread's place, which the rules use
    rules_.fence(thread, scope >= Scope::Device);
  }
  void on_barrier(const BarrierTracker::Completion& done) {
    rules_.flush();
    if (done.op == TraceOp::WarpBarrier) {
      for (const std::uint32_t warp : places_.warps_of(done.waiting)) rules_.warp_barrier(warp);
      return;
    }
    for (const std::uint32_t block : places_.blocks_of(done.waiting)) rules_.block_barrier(block);
    if (done.level <= Scope::Block) return;
    // A barrier of several blocks consists of device fences and atomics.
    for (const std::uint32_t thread : done.waiting) fence(thread, Scope::Device);
  }

  Rules::Memory memory_;
  ambit_kernel::IguardRules<Rules> rules_;
};

}  // namespace

DetectorDescription iguard() {
  const auto options =
      OptionTable<IguardOptions>().choice("rules", &IguardOptions::as_source, {{"paper", false}, {"source", true}},
                                          "source: counters wrap at the width of their fields");
  return {
      .name = "iguard",
      .source = "Kamath, Basu, SOSP 2021",
      .summary = "last writer and last accessor of each word: scoped fences, atomics, locks, diverged lanes of a warp",
      .options = options.described(),
      .in_gpu = in_gpu_form<ambit_kernel::Iguard>("iguard_rules.h", "Iguard"),
      .make = options.maker<Iguard>()};
}

}  // namespace ambit::detector
