#include "detector/algorithms/haccrg.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "detector/algorithms/in_gpu_form.h"
#include "detector/algorithms/trace_rules.h"
#include "detector/options.h"
#include "kernels/detectors/haccrg_rules.h"

namespace ambit::detector {
namespace {

struct HaccrgOptions {
  std::uint32_t granularity = 4;  ///< bytes per entry; a power of two
  /// The most recently used pages (of 4096 bytes) have entries: this number of pages, or all pages if it is 0.
  std::uint32_t pages = 0;
};

constexpr std::uint32_t kPageBytes = 4096;

std::string_view haccrg_reason(ambit_kernel::Kind kind, ambit_kernel::Detail detail) {
  using ambit_kernel::Detail;
  using ambit_kernel::Kind;
  switch (detail) {
    case Detail::ReadAfterWrite:
      return kind == Kind::MissingFence ? "read after write, and the writer's warp has run no fence since"
                                        : "read after write, with no barrier between";
    case Detail::WriteAfterRead: return "write after read by another warp, with no barrier between";
    case Detail::WriteAfterWrite: return "write after write by another warp, with no barrier between";
    case Detail::OneSideHoldsLock: return "only one side holds a lock";
    case Detail::None: break;
  }
  return kind == Kind::IntraWarp ? "two lanes of one instruction write the same granule"
                                 : "no lock is held at both accesses";
}

/// The set of the most recently used pages.
class RecentPages {
 public:
  RecentPages(const TraceTables& tables, std::uint32_t most) : numbers_(tables, kPageBytes), most_(most) {}

  /// Allocates entries for a location's page. If too many pages have entries, frees the least recently used page's
  /// entries. `now` grows with each call. Returns the page's version, which changes when the page loses its entries.
  std::uint32_t use(std::uint32_t location, std::uint64_t now) {
    const std::uint32_t number = numbers_.of(location);
    if (number >= pages_.size()) pages_.resize(std::max(number + 1, numbers_.count()));
    if (!pages_[number].is_resident) {
      if (resident_.size() == most_) {
        const auto oldest = std::ranges::min_element(
            resident_, {}, [this](std::uint32_t candidate) { return pages_[candidate].last_use; });
        pages_[*oldest].is_resident = false;
        ++pages_[*oldest].version;
        *oldest = number;
      } else {
        resident_.push_back(number);
      }
      pages_[number].is_resident = true;
    }
    pages_[number].last_use = now;
    return pages_[number].version;
  }

 private:
  struct Page {
    std::uint64_t last_use = 0;
    std::uint32_t version = 1;
    bool is_resident = false;
  };
  Granules numbers_;
  std::uint32_t most_;
  std::vector<Page> pages_;
  std::vector<std::uint32_t> resident_;
};

/// HAccRG on traces. The inference finds the critical sections.
class Haccrg : public RuleDetector {
 public:
  Haccrg(const TraceTables& tables, const HaccrgOptions& options)
      : RuleDetector(tables, options.granularity, haccrg_reason),
        has_pages_(options.pages != 0),
        pages_(tables, options.pages),
        rules_(shape(), memory_, log(), options) {}

  void on(const Observation& observation) override {
    // Handle the barriers that complete before the event takes effect.
    for (const BarrierTracker::Completion& done : observation.completions()) on_barrier(done);
    for (const Action& action : observation.actions) on_action(action);
    TraceRuleEvent event = event_of(observation);
    if (event.is_access() && has_pages_) use_page(event);
    const TraceOp op = observation.event.op;
    if (op == TraceOp::LockRelease || op == TraceOp::Fork) rules_.count_fence(event.info.warp);
    if (op == TraceOp::Join) rules_.count_fence(places_.of(event.location).warp);
    log_.event = observation.number;
    rules_.on(event);
  }

 private:
  using Rules = RulesOfTraces<HaccrgOptions>;

  void on_barrier(const BarrierTracker::Completion& done) {
    if (done.op != TraceOp::Barrier) return;
    for (const std::uint32_t block : places_.blocks_of(done.waiting)) rules_.block_barrier(block);
  }
  void on_action(const Action& action) {
    if (action.kind == ActionKind::Acquire) {
      if (!action.is_widening) rules_.take_lock(action.thread, action.object);
    } else if (action.kind == ActionKind::Release || action.kind == ActionKind::Abandon) {
      rules_.drop_lock(action.thread);
    }
  }
  /// Sets `entry.is_new` if the page of the accessed location has lost its entries since the last access.
  void use_page(TraceRuleEvent& event) {
    const bool is_plain = !event.is_update() && !event.is_atomic();
    if (!is_plain) return;  // the rules ignore the access
    const std::uint32_t version = pages_.use(event.location, event.info.number);
    std::uint32_t& known = at(versions_, event.entry.index);
    event.entry.is_new = known != version;
    known = version;
  }

  bool has_pages_;
  RecentPages pages_;
  std::vector<std::uint32_t> versions_;  ///< for each granule, the version of its page at the last access
  Rules::Memory memory_;
  ambit_kernel::HaccrgRules<Rules> rules_;
};

DetectorDescription describe(std::string name, std::string summary) {
  const auto options =
      OptionTable<HaccrgOptions>()
          .number("granularity", &HaccrgOptions::granularity, {4, 8, 16, 32, 64}, "bytes that share an entry")
          .choice("pages", &HaccrgOptions::pages,
                  {{"all", 0}, {"1", 1}, {"4", 4}, {"16", 16}, {"64", 64}, {"256", 256}},
                  "pages of 4096 bytes that have entries: the most recently used ones");
  return {.name = std::move(name),
          .source = "Holey 2015, chapter 6",
          .summary = std::move(summary),
          .options = options.described(),
          .in_gpu = in_gpu_form<ambit_kernel::Haccrg>("haccrg_rules.h", "Haccrg"),
          .make = options.maker<Haccrg>()};
}

}  // namespace

DetectorDescription haccrg() {
  return describe("haccrg", "a state machine of four states for each granule, in hardware");
}

DetectorDescription srg() { return describe("srg", "the software form of haccrg, with the same verdicts"); }

}  // namespace ambit::detector
