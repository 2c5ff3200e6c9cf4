#include "model/termination/termination_question.h"

#include <algorithm>
#include <utility>

namespace ambit::termination {
namespace {

/// Returns the divergences of each thread, which lockstep execution needs.
std::vector<std::vector<Divergence>> divergences_of(const Program& program) {
  std::vector<std::vector<Divergence>> result(program.threads.size());
  std::vector<bool> done(program.threads.size(), false);
  for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
    if (done[t]) continue;
    std::vector<std::uint32_t> lanes;
    for (std::uint32_t other = t; other < program.threads.size(); ++other) {
      const ThreadPlace& mine = program.threads[t].place;
      const ThreadPlace& place = program.threads[other].place;
      if (same_instance(mine, place, Scope::Block) && mine.warp == place.warp) lanes.push_back(other);
    }
    std::vector<std::vector<Divergence>> found = find_divergences(program, lanes);
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      result[lanes[i]] = std::move(found[i]);
      done[lanes[i]] = true;
    }
  }
  return result;
}

/// Used for the scheduler hsa. Returns, for each thread, whether its GPU has a unit with a lower number than the
/// thread's unit.
std::vector<bool> above_the_lowest(const Program& program) {
  std::vector<bool> result(program.threads.size(), false);
  std::optional<int> gpu;
  for (const SchedulingUnit& unit : scheduling_units(program)) {
    for (const std::uint32_t t : unit.threads) result[t] = gpu == unit.gpu;
    gpu = unit.gpu;
  }
  return result;
}

// The first free number of gpus, clusters and blocks: the parsers assign only smaller numbers.
constexpr int kFirstFreeNumber = 1 << 24;

/// Returns a thread that writes 1..count to a separate cell. So a read of the cell chooses a value from 0..count.
Thread make_choices(const Program& program, Value count) {
  Thread thread;
  thread.name = "%choices";
  thread.place = {kFirstFreeNumber, kFirstFreeNumber, kFirstFreeNumber, 0, 0};
  Store store;
  store.access.address =
      Expr::make_constant(make_address(static_cast<ObjectId>(program.objects.size() - 1), 0), kLongLong);
  store.access.type = kInt;
  for (Value choice = 1; choice <= count; ++choice) {
    store.value = Expr::make_constant(choice);
    thread.code.push_back({store, {}});
  }
  return thread;
}

void add_choice_cell(Program& program) {
  MemoryObject object;
  object.name = "%choice";
  object.type = kInt;
  object.first = static_cast<LocationId>(program.locations.size());
  Location location;
  location.name = object.name;
  location.object = static_cast<ObjectId>(program.objects.size());
  location.type = kInt;
  program.objects.push_back(std::move(object));
  program.locations.push_back(std::move(location));
}

}  // namespace

bool has_loop(const Thread& thread) {
  for (std::size_t i = 0; i < thread.code.size(); ++i) {
    const Operation& operation = thread.code[i].operation;
    if (const auto* branch = std::get_if<Branch>(&operation); branch != nullptr && branch->target <= i) return true;
    if (const auto* jump = std::get_if<Jump>(&operation); jump != nullptr && jump->target <= i) return true;
  }
  return false;
}

bool can_wait(const Program& program) {
  const auto waits = [](const Instruction& instruction) {
    const auto* barrier = std::get_if<Barrier>(&instruction.operation);
    return barrier != nullptr && !barrier->arrive_only;
  };
  return std::any_of(program.threads.begin(), program.threads.end(), [&](const Thread& thread) {
    return has_loop(thread) || std::any_of(thread.code.begin(), thread.code.end(), waits);
  });
}

TerminationQuestion make_question(const events::EventGraph& graph, Scheduler scheduler) {
  const Program& original = *graph.program;
  TerminationQuestion question;
  const std::vector<bool> is_above = above_the_lowest(original);
  std::vector<std::vector<Divergence>> divergences(original.threads.size());
  if (scheduler == Scheduler::Lockstep) divergences = divergences_of(original);
  // A launch with a grid barrier is cooperative: all blocks run at the same time.
  const bool may_never_start =
      (scheduler == Scheduler::Obe || scheduler == Scheduler::Lobe) && !original.has_grid_barrier();

  const auto program = std::make_shared<Program>(original);
  program->expectations.clear();
  program->terminations.clear();
  program->threads.clear();
  Value choices = 0;
  for (std::uint32_t t = 0; t < original.threads.size(); ++t) {
    RewriteRequest request;
    request.graph = &graph;
    request.thread = t;
    request.may_be_suspended = scheduler == Scheduler::Hsa && is_above[t];
    request.may_never_start = may_never_start;
    request.divergences = std::move(divergences[t]);
    RewrittenThread rewritten = rewrite_thread(request);
    choices = std::max(choices, rewritten.choices);
    program->threads.push_back(std::move(rewritten.thread));
    question.threads.push_back(std::move(rewritten.probe));
    question.code_sizes.push_back(original.threads[t].code.size());
  }
  if (choices > 0) {
    add_choice_cell(*program);
    program->threads.push_back(make_choices(*program, choices));
  }
  add_demand(*program, question, scheduler);
  question.program = program;
  return question;
}

}  // namespace ambit::termination
