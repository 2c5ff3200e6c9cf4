#include "report/text/termination_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/plural.h"
#include "report/results/words.h"
#include "report/text/witness_text.h"

namespace ambit::report {
namespace {

using termination::PolledCell;
using termination::Termination;
using termination::TerminationVerdict;
using termination::Wait;

constexpr std::size_t kIndent = 2;
/// If a thread waits for a cell, a text lists at most this number of values.
constexpr std::size_t kMaxAwaited = 3;

const std::optional<MbarrierCell>& mbarrier_of(const Program& program, const PolledCell& cell) {
  return program.objects[program.locations[cell.location].object].mbarrier;
}

/// Returns what a thread waits for: "flag == 1", "n to change from 0", or "flag" if no known value ends the wait.
std::string awaited_text(const Program& program, const PolledCell& cell) {
  const Location& location = program.locations[cell.location];
  const auto value = [&](Value v) { return value_text(program, v, location.type); };
  if (mbarrier_of(program, cell)) return fmt::format("another phase of {}", location.name);
  if (cell.awaits_change) return fmt::format("{} != {}", location.name, value(cell.seen));
  if (cell.awaited.empty()) return location.name;
  std::vector<std::string> values;
  for (const Value v : cell.awaited) {
    if (values.size() < kMaxAwaited) values.push_back(value(v));
  }
  return fmt::format("{} == {}", location.name, fmt::join(values, " or "));
}

/// Describes the state of an mbarrier. For another cell, returns its value.
std::string seen_text(const Program& program, const PolledCell& cell) {
  const Location& location = program.locations[cell.location];
  if (const auto& mbarrier = mbarrier_of(program, cell)) {
    return fmt::format("{} is in {}", location.name, state_text(*mbarrier, cell.seen));
  }
  return fmt::format("{} is {}", location.name, value_text(program, cell.seen, location.type));
}

/// Describes the cells that the thread waits for. If the value of a single cell can end the wait, names only the cells
/// with such a value.
std::string goal_text(const Program& program, const Wait& wait) {
  std::vector<std::string> goals;
  for (const PolledCell& cell : wait.polled) {
    if (!cell.awaited.empty()) goals.push_back(awaited_text(program, cell));
  }
  if (goals.empty()) {
    for (const PolledCell& cell : wait.polled) goals.push_back(program.locations[cell.location].name);
  }
  if (goals.empty()) return "nothing that could change";
  return fmt::format("{}", fmt::join(goals, " or "));
}

std::string short_text(const Program& program, const Wait& wait) {
  const std::string& name = program.threads[wait.thread].name;
  if (wait.kind == Wait::Kind::Barrier) return fmt::format("{} waits at {}", name, wait.barrier);
  return fmt::format("{} waits for {}", name, goal_text(program, wait));
}

std::string loop_text(const Program& program, const Wait& wait) {
  std::vector<std::string> seen;
  for (const PolledCell& cell : wait.polled) {
    seen.push_back(seen_text(program, cell));
  }
  std::string text = fmt::format("repeats the loop forever, waiting for {}", goal_text(program, wait));
  if (!seen.empty()) text += fmt::format(": {} and stays so", fmt::join(seen, ", "));
  return text;
}

std::string barrier_text(const Program& program, const Wait& wait) {
  std::vector<std::string> names;
  for (const std::uint32_t thread : wait.absent) names.push_back(program.threads[thread].name);
  if (names.empty()) return fmt::format("waits forever at {}, which can never complete", wait.barrier);
  return fmt::format("waits forever at {}: {} never {} in this phase", wait.barrier, fmt::join(names, ", "),
                     names.size() == 1 ? "arrives" : "arrive");
}

std::string meaning(const Program& program, const Wait& wait) {
  switch (wait.kind) {
    case Wait::Kind::Loop: return loop_text(program, wait);
    case Wait::Kind::Barrier: return barrier_text(program, wait);
    case Wait::Kind::Reconvergence: return "waits for the other lanes of its warp";
    case Wait::Kind::Suspended: return "is suspended by the scheduler";
    case Wait::Kind::NeverStarted: return "never starts";
  }
  return {};
}

bool is_of_one_thread(const EndlessRun& run) {
  return std::ranges::all_of(run.cycle,
                             [&](const EndlessRun::Step& step) { return step.thread == run.cycle.front().thread; });
}

/// Returns the names of the threads that take steps in the cycle: "P0, P1".
std::string threads_in(const Program& program, const EndlessRun& run) {
  std::vector<std::uint32_t> threads;
  for (const EndlessRun::Step& step : run.cycle) threads.push_back(step.thread);
  std::ranges::sort(threads);
  threads.erase(std::ranges::unique(threads).begin(), threads.end());
  std::vector<std::string> names;
  for (const std::uint32_t thread : threads) names.push_back(program.threads[thread].name);
  return first_names(names);
}

std::string effect_text(const Program& program, const EndlessRun::Step& step) {
  if (!step.location) {
    const Operation& operation = program.threads[step.thread].code[step.instruction].operation;
    return std::holds_alternative<Fence>(operation) ? "F" : std::holds_alternative<Barrier>(operation) ? "bar" : "step";
  }
  const Location& location = program.locations[*step.location];
  const auto value = [&](Value v) { return value_text(program, v, location.type); };
  if (!step.written) return fmt::format("R {} = {}", location.name, value(*step.read));
  if (!step.read) return fmt::format("W {} = {}", location.name, value(*step.written));
  return fmt::format("RMW {} {} -> {}", location.name, value(*step.read), value(*step.written));
}

/// Returns one line for each step: "P0  RMW x 0 -> 1  line 7  atomicExch(&x, 1);".
std::string steps_text(const Program& program, const std::vector<EndlessRun::Step>& steps, const Style& style) {
  const std::string indent(2 * kIndent, ' ');
  std::size_t thread_width = 0;
  std::size_t effect_width = 0;
  for (const EndlessRun::Step& step : steps) {
    thread_width = std::max(thread_width, program.threads[step.thread].name.size());
    effect_width = std::max(effect_width, effect_text(program, step).size());
  }
  std::string text;
  for (const EndlessRun::Step& step : steps) {
    const Thread& thread = program.threads[step.thread];
    const SourceSpan& span = thread.code[step.instruction].span;
    text += fmt::format("{}{:<{}}  {:<{}}  {}  {}\n", indent, thread.name, thread_width, effect_text(program, step),
                        effect_width, style.faint(fmt::format("line {}", span.line)), source_text(program, span));
  }
  return text;
}

std::string livelock_text(const Program& program, const EndlessRun& run, const Style& style, Detail detail) {
  const std::string indent(kIndent, ' ');
  std::string text = fmt::format("{}{} repeat{} these steps forever; every other thread has ended or waits\n", indent,
                                 style.strong(threads_in(program, run)), is_of_one_thread(run) ? "s" : "");
  text += steps_text(program, run.cycle, style);
  if (detail == Detail::Plain || run.before.empty()) return text;
  return text + indent + "after these steps\n" + steps_text(program, run.before, style);
}

}  // namespace

std::string_view to_string(Wait::Kind kind) {
  switch (kind) {
    case Wait::Kind::Loop: return "loop";
    case Wait::Kind::Barrier: return "barrier";
    case Wait::Kind::Reconvergence: return "lockstep";
    case Wait::Kind::Suspended: return "suspended";
    case Wait::Kind::NeverStarted: return "never started";
  }
  return "?";
}

std::string termination_summary(const TerminationVerdict& verdict) {
  std::string text(termination::to_string(verdict.termination));
  if (verdict.livelock) {
    return fmt::format("{}: {} repeat{} {} forever", text, threads_in(*verdict.program, *verdict.livelock),
                       is_of_one_thread(*verdict.livelock) ? "s" : "", plural(verdict.livelock->cycle.size(), "step"));
  }
  if (verdict.waits.empty()) return text;
  text += ": " + short_text(*verdict.program, verdict.waits.front());
  const auto stuck = std::count_if(verdict.waits.begin(), verdict.waits.end(),
                                   [](const Wait& wait) { return wait.kind <= Wait::Kind::Barrier; });
  if (stuck > 1) text += fmt::format(", {} more", stuck - 1);
  return text;
}

std::string termination_text(const TerminationVerdict& verdict, const Style& style, Detail detail) {
  const std::string indent(kIndent, ' ');
  const Program& program = *verdict.program;
  std::string out;
  switch (verdict.termination) {
    case Termination::Terminates:
      return indent + style.good(fmt::format("terminates under {}", ambit::to_string(verdict.scheduler))) +
             ": no loop and no barrier can wait forever\n";
    case Termination::Unknown:
      return indent + style.doubtful(unknown_text(*verdict.unknown, verdict.unknown_detail)) + "\n";
    case Termination::Livelock:
      return indent + style.bad(fmt::format("may not terminate under {}", ambit::to_string(verdict.scheduler))) + "\n" +
             livelock_text(program, *verdict.livelock, style, detail);
    case Termination::DoesNotTerminate: break;
  }
  out += indent + style.bad(fmt::format("may not terminate under {}", ambit::to_string(verdict.scheduler))) + "\n";
  for (const Wait& wait : verdict.waits) {
    out += fmt::format("{}{} {}\n", indent, style.strong(program.threads[wait.thread].name), meaning(program, wait));
    if (wait.span.line == 0 || wait.kind == Wait::Kind::NeverStarted) continue;
    out += fmt::format("{}  {}  {}\n", indent, style.faint(place_text(program, wait.span)),
                       source_text(program, wait.span));
  }
  if (detail == Detail::Plain || !verdict.witness) return out;
  out += indent + "after this execution\n";
  out += partial_witness_text(*verdict.graph, *verdict.rules, *verdict.witness, program.threads.size(),
                              program.locations.size(), style, 2 * kIndent);
  return out;
}

}  // namespace ambit::report
