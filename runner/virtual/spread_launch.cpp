#include "runner/virtual/spread_launch.h"

#include <algorithm>
#include <csignal>
#include <system_error>

#include "base/parallel_for.h"
#include "runner/virtual/barrier_objects.h"
#include "runner/virtual/control.h"
#include "runner/virtual/spread.h"

namespace ambit::virtual_gpu {
namespace {

/// For kernels with loops: estimate of the instructions of a warp before the first launch.
constexpr double kGuessedSteps = 4096;
/// Limit on the launches of a kernel that restart because an allocation was not tracked. Later launches track all
/// allocations.
constexpr unsigned kMostUntracked = 8;
/// Time between two checks of the context while parallel_for() waits for its threads, in units of Context::should_stop.
constexpr std::uint64_t kCostOfWait = 500'000;

bool goes_to_global(const MemoryOperation& operation) {
  return operation.place == Place::Global || operation.place == Place::Generic;
}

bool is_alone(const MemoryOperation& operation) {
  if (!goes_to_global(operation)) return true;
  const bool is_plain = operation.kind == AccessKind::Read || operation.kind == AccessKind::Write;
  return is_plain && operation.order == Order::Weak && !operation.is_volatile;
}

/// Returns whether blocks with the instruction can run on different host threads. The result is false for reads of a
/// clock, because the clock counts the instructions of all blocks. For operations on an mbarrier, the result is true
/// only if the mbarrier is in shared memory.
bool is_alone(const FunctionCode& function, const Instruction& instruction) {
  if (instruction.execute == execute_read_special) return false;
  return instruction.execute != execute_barrier_object || !goes_to_global(function.memory[instruction.extra]);
}

bool is_alone(const CallOperation& call) {
  return call.builtin == BuiltinFunction::None || call.builtin == BuiltinFunction::AssertFail;
}

bool is_backward(const FunctionCode& function, const Instruction& instruction) {
  if (instruction.target != nullptr) return instruction.target <= &instruction;
  if (instruction.execute != execute_indexed_branch) return false;
  const auto& table = function.targets[instruction.extra];
  return std::any_of(table.begin(), table.end(), [&](const Instruction* target) { return target <= &instruction; });
}

double guessed_steps(const KernelCode& code) {
  const FunctionCode& kernel = *code.functions[0];
  const bool may_repeat =
      code.functions.size() > 1 || std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                                               [&](const Instruction& one) { return is_backward(kernel, one); });
  return may_repeat ? kGuessedSteps : static_cast<double>(kernel.instructions.size());
}

std::uint64_t warps_of(const MachineParts& parts) { return parts.launch.grid.count() * parts.info.warps_of_block; }

/// Blocks signals in this thread, because a program's signal handlers must run on the program's own threads.
void block_signals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

/// The work and the results of one host thread.
struct Part {
  Part(SpreadState& state, unsigned thread, unsigned granule_shift) : footprint(state, thread, granule_shift) {}

  Footprint footprint;
  LaunchReport report;
};

void run_part(const MachineParts& parts, KernelCode& code, SpreadState& state, Part& part) {
  block_signals();
  try {
    Context context;
    context.set_cancellation(&state.has_failed());
    MachineParts own{parts.memory, parts.options,    nullptr,          code, parts.launch, parts.info,
                     context,      parts.generation, parts.heap_in_use};
    own.footprint = &part.footprint;
    part.report = Machine(own).run();
    if (part.report.end != LaunchEnd::Completed) state.fail();
  } catch (...) {  // out of memory; the launch on a single thread may need less memory, or throws again
    state.fail();
  }
}

bool parts_conflict(const std::vector<std::unique_ptr<Part>>& all) {
  for (std::size_t i = 1; i < all.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (all[i]->footprint.conflicts_with(all[k]->footprint)) return true;
    }
  }
  return false;
}

LaunchReport sum_of(const std::vector<std::unique_ptr<Part>>& all) {
  LaunchReport sum;
  for (const auto& part : all) {
    const LaunchStatistics& own = part->report.statistics;
    sum.statistics.warp_instructions += own.warp_instructions;
    sum.statistics.lane_instructions += own.lane_instructions;
    sum.statistics.accesses += own.accesses;
  }
  sum.statistics.threads = static_cast<unsigned>(all.size());
  return sum;
}

void keep(const MachineParts& parts, const std::vector<std::unique_ptr<Part>>& all) {
  const auto make_keeper = [&] {
    block_signals();
    return [&](std::size_t i) { all[i]->footprint.keep_data(); };
  };
  try {
    parallel_for(all.size(), make_keeper, {.threads = static_cast<unsigned>(all.size())});
  } catch (const std::system_error&) {  // the system provides no more threads
    for (const auto& part : all) part->footprint.keep_data();
  }
  if (!parts.options.checks_initialised) return;
  for (const auto& part : all) part->footprint.keep_stored();
}

/// Tries a launch once. If later tries would also fail, sets `known.is_possible` to false. The outcome has no report if
/// the try failed, if an allocation must be tracked, or if the context stops.
SpreadOutcome try_launch(SpreadKnowledge& known, const MachineParts& parts) {
  const auto threads = static_cast<unsigned>(known.codes.size());
  const bool tracks_all = known.untracked_launches > kMostUntracked;
  SpreadState state(parts.launch.grid.count(), threads, parts.memory.allocation_count(),
                    tracks_all ? nullptr : &known.tracked);
  std::vector<std::unique_ptr<Part>> all;
  for (unsigned i = 0; i < threads; ++i) all.push_back(std::make_unique<Part>(state, i, known.granule_shift));
  SpreadOutcome outcome;
  const auto make_worker = [&] { return [&](std::size_t i) { run_part(parts, *known.codes[i], state, *all[i]); }; };
  const auto look = [&](std::size_t, std::size_t) {
    if (!parts.context.should_stop(kCostOfWait)) return;
    outcome.was_stopped = true;
    state.fail();
  };
  try {
    parallel_for(threads, make_worker, {.threads = threads, .waiting = look});
  } catch (const std::system_error&) {  // the system provides no more threads
    state.fail();
  }
  if (outcome.was_stopped) return outcome;
  if (!state.untracked().empty()) {
    known.tracked.insert(state.untracked().begin(), state.untracked().end());
    ++known.untracked_launches;
    return outcome;
  }
  LaunchReport report = sum_of(all);
  const std::uint64_t budget = parts.options.step_budget;
  const bool is_over = budget != 0 && report.statistics.warp_instructions >= budget;
  known.is_possible = !state.has_failed() && !is_over && !parts_conflict(all);
  if (!known.is_possible) return outcome;
  keep(parts, all);
  outcome.report = std::move(report);
  return outcome;
}

}  // namespace

void look_at_code(SpreadKnowledge& known, const KernelCode& code) {
  if (known.is_known) return;
  known.is_known = true;
  known.is_possible = !code.uses_clusters;
  known.steps_of_warp = guessed_steps(code);
  unsigned narrowest = 4;
  for (const auto& function : code.functions) {
    for (const Instruction& instruction : function->instructions) {
      known.is_possible = known.is_possible && is_alone(*function, instruction);
    }
    for (const CallOperation& call : function->calls) known.is_possible = known.is_possible && is_alone(call);
    for (const MemoryOperation& operation : function->memory) {
      known.is_possible = known.is_possible && is_alone(operation);
      const unsigned bytes = unsigned{operation.element_bytes} * operation.elements;
      if (operation.kind == AccessKind::Write && goes_to_global(operation)) narrowest = std::min(narrowest, bytes);
    }
  }
  known.granule_shift = static_cast<unsigned>(__builtin_ctz(std::max(narrowest, 1U)));
}

bool is_worth_spreading(const SpreadKnowledge& known, const MachineParts& parts) {
  const ExecutionOptions& options = parts.options;
  if (options.threads < 2 || !known.is_possible || parts.observer != nullptr || parts.launch.is_cooperative)
    return false;
  if (options.schedule.kind != ScheduleKind::RoundRobin || options.counts_bank_conflicts) return false;
  if (options.memory != MemoryMode::SequentiallyConsistent || parts.info.cluster.count() != 1) return false;
  if (parts.launch.grid.count() < 2 || parts.context.is_cancelled()) return false;
  return known.steps_of_warp * static_cast<double>(warps_of(parts)) >= static_cast<double>(options.spread_from);
}

void note_steps(SpreadKnowledge& known, const MachineParts& parts, const LaunchReport& report) {
  if (report.end != LaunchEnd::Completed) return;
  known.steps_of_warp = static_cast<double>(report.statistics.warp_instructions) / static_cast<double>(warps_of(parts));
}

SpreadOutcome spread_launch(SpreadKnowledge& known, const MachineParts& parts,
                            const std::function<std::unique_ptr<KernelCode>()>& make_code) {
  const std::uint64_t blocks = parts.launch.grid.count();
  const std::size_t threads = std::min<std::uint64_t>(parts.options.threads, blocks);
  while (known.codes.size() < threads) known.codes.push_back(make_code());
  known.codes.resize(threads);
  SpreadOutcome outcome;
  while (known.is_possible) {
    outcome = try_launch(known, parts);
    ++parts.generation;  // invalidates the cached results of instructions, including pointers to copies
    if (outcome.report || outcome.was_stopped) break;
  }
  return outcome;
}

}  // namespace ambit::virtual_gpu
