#include "runner/sim/ldetector.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

#include "core/asynchronous.h"
#include "core/opaque.h"
#include "runner/sim/ldetector_regions.h"
#include "runner/sim/trace_maker.h"

namespace ambit::sim {
namespace {

using ldetection::Block;
using ldetection::blocks_of;
using ldetection::Finding;
using ldetection::PassOne;
using ldetection::Place;
using ldetection::Regions;
using ldetection::Verdict;
using ldetection::WarpRun;

// ---- supported programs ----

/// Returns why the detector does not support programs with this instruction, or an empty text.
std::string objection(const Operation& operation) {
  if (const MemoryAccess* access = access_of(operation)) {
    if (access->is_atomic || std::holds_alternative<Rmw>(operation)) {
      return "ldetector does not support programs with atomics or locks: it runs the warps of a region "
             "separately, so atomics would have different results";
    }
    if (access->proxy != Proxy::Generic) {
      return fmt::format("ldetector supports only generic accesses, not accesses by the {} proxy",
                         to_string(access->proxy));
    }
  }
  if (const auto* barrier = std::get_if<Barrier>(&operation); barrier != nullptr && barrier->exchange) {
    return "ldetector does not support programs whose threads exchange values";
  }
  if (const auto* barrier = std::get_if<Barrier>(&operation)) {
    const bool is_whole = !barrier->count && !barrier->resource && !barrier->arrive_only && !barrier->wait_only;
    const bool is_known = barrier->kind == BarrierKind::Warp || (barrier->kind == BarrierKind::Block && is_whole);
    if (!is_known) {
      return "ldetector supports only barriers of a whole block, because its regions are the code between these "
             "barriers";
    }
  }
  return {};
}

Diagnostics objections(const Program& program) {
  if (Diagnostics errors = opaque_objections(program); !errors.empty()) return errors;
  if (auto error = asynchronous_objection(program, "ldetector")) return {*std::move(error)};
  Diagnostics errors = transaction_objections(program, "ldetector has", "ambit check decides the test");
  if (!errors.empty()) return errors;
  for (const Thread& thread : program.threads) {
    for (const Instruction& instruction : thread.code) {
      std::string message = objection(instruction.operation);
      if (message.empty()) continue;
      return {{program.source, instruction.span, std::move(message),
               "use a detector that works on traces: ambit detect --list"}};
    }
  }
  return {};
}

// ---- all regions of all blocks ----

class PassRun {
 public:
  PassRun(const Program& program, const LDetectorOptions& options, Context& context)
      : program_(program), options_(options), context_(context), regions_(program, options, stop_), traces_(program) {
    result_.tables = traces_.tables();
  }

  Result<LDetectorResult> run();

 private:
  /// A region whose pass two may still be running.
  struct Pending {
    PassOne one;
    std::future<Verdict> verdict;
  };

  void run_block(const Block& block, State& state);
  void run_speculatively(const Block& block, State& state);
  bool take(const Verdict& verdict);
  bool pass_barrier(const Block& block, State& state);
  void report(const Finding& finding);
  RaceAccess access(const Place& place, bool is_write) const;
  void cancel_if_requested() {
    if (context_.should_stop(100)) stop_.store(true, std::memory_order_relaxed);
  }

  const Program& program_;
  LDetectorOptions options_;
  Context& context_;
  std::atomic<bool> stop_ = false;
  Regions regions_;
  TraceMaker traces_;  ///< gives sites the same names as in traces of the program
  LDetectorResult result_;
  std::optional<Diagnostic> error_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::size_t> reported_;
};

RaceAccess PassRun::access(const Place& place, bool is_write) const {
  StepEvent step;
  step.thread = place.thread;
  step.instruction = place.instruction;
  RaceAccess access{.thread = place.thread, .site = traces_.event_of(step).site, .is_write = is_write};
  return access;
}

void PassRun::report(const Finding& finding) {
  RaceReport race;
  race.first = access(finding.first, true);
  race.second = access(finding.second, finding.second_writes);
  const std::string& name = program_.locations[finding.location].name;
  race.location = finding.location;
  const auto [at, is_new] =
      reported_.try_emplace({race.first.site, race.second.site, finding.second_writes ? 1U : 0U}, result_.races.size());
  if (!is_new) {
    ++result_.races[at->second].count;
    return;
  }
  race.kind = RaceKind::MissingBarrier;
  race.level = RaceLevel::Block;
  const std::string& first = program_.threads[finding.first.thread].name;
  const std::string& second = program_.threads[finding.second.thread].name;
  if (finding.second_writes) {
    race.sentence =
        fmt::format("The warps of {} and {} both change {} between two barriers{}.", first, second, name,
                    finding.same_value ? ", here to the same value" : ", so the result depends on the last writer");
  } else {
    race.sentence = fmt::format(
        "{} changes {} and {} reads it between the same two barriers; if the reader sees the new value, "
        "its warp has a different result.",
        first, name, second);
  }
  result_.races.push_back(std::move(race));
}

/// Adds the races of a region to the result. Returns whether the block continues.
bool PassRun::take(const Verdict& verdict) {
  ++result_.regions;
  for (const Finding& finding : verdict.findings) report(finding);
  if (verdict.error) error_ = verdict.error;
  result_.is_cancelled = result_.is_cancelled || verdict.is_cancelled;
  return verdict.is_clean();
}

/// Lets all threads that wait at the barrier continue. Returns false if all threads have exited, or if some thread
/// never arrives.
bool PassRun::pass_barrier(const Block& block, State& state) {
  const Machine& machine = regions_.machine();
  std::vector<std::uint32_t> waiting;
  std::ranges::copy_if(block.threads, std::back_inserter(waiting),
                       [&](std::uint32_t t) { return regions_.is_at_end(state, t); });
  if (waiting.empty()) return false;
  const bool is_complete = std::ranges::all_of(waiting, [&](std::uint32_t t) { return machine.can_step(state, t); });
  if (!is_complete) {
    result_.remarks.push_back(fmt::format(
        "{} waits at a barrier that some thread of its block never reaches: the code after the barrier is not checked",
        program_.threads[waiting.front()].name));
    return false;
  }
  for (const std::uint32_t t : waiting) machine.step(state, t, 0);
  return true;
}

void PassRun::run_block(const Block& block, State& state) {
  for (bool goes_on = true; goes_on;) {
    cancel_if_requested();
    PassOne one = regions_.pass_one(block, std::move(state));
    const bool is_clean = take(regions_.check(block, one));
    state = std::move(one.end);
    goes_on = is_clean && pass_barrier(block, state);
  }
}

/// Runs pass two of each region on a separate thread, in parallel with pass one of the next region.
void PassRun::run_speculatively(const Block& block, State& state) {
  std::optional<Pending> before;
  for (bool goes_on = true; goes_on;) {
    cancel_if_requested();
    const std::size_t remarks = result_.remarks.size();
    PassOne one = regions_.pass_one(block, std::move(state));
    state = one.end;
    const bool has_failed =
        std::ranges::any_of(one.warps, [](const WarpRun& run) { return run.error || run.is_cancelled; });
    goes_on = !has_failed && pass_barrier(block, state);
    if (before && !take(before->verdict.get())) {
      ++result_.rollbacks;
      result_.remarks.resize(remarks);
      state = std::move(before->one.end);
      return;
    }
    before.emplace(Pending{std::move(one), {}});
    before->verdict = std::async(std::launch::async,
                                 [this, &block, &pending = *before] { return regions_.check(block, pending.one); });
  }
  take(before->verdict.get());
}

Result<LDetectorResult> PassRun::run() {
  if (!regions_.has_shared_memory()) {
    return Diagnostics{{program_.source,
                        {},
                        "ldetector checks only shared memory, and the program has no shared memory",
                        "detectors that work on traces check global memory: ambit detect --list"}};
  }
  State state;
  regions_.machine().reset(state);
  for (const Block& block : blocks_of(program_)) {
    if (options_.speculative) {
      run_speculatively(block, state);
    } else {
      run_block(block, state);
    }
    if (error_) return Diagnostics{*error_};
    if (result_.is_cancelled) {
      result_.remarks.emplace_back("stopped before the end: the remaining regions are not checked");
      break;
    }
  }
  return std::move(result_);
}

}  // namespace

Result<LDetectorResult> ldetector(const Program& program, const LDetectorOptions& options, Context& context) {
  Diagnostics errors = objections(program);
  if (!errors.empty()) return errors;
  return PassRun(program, options, context).run();
}

}  // namespace ambit::sim
