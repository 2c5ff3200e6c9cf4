#include "apps/cli/run_simulator.h"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <iostream>

#include "api/files.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/show.h"
#include "parser/parse.h"
#include "trace/binary_trace.h"
#include "trace/text_trace.h"

namespace ambit::cli {
namespace {

constexpr std::chrono::seconds kModelTimeout{60};

/// The message of an error; empty: none.
std::string write_trace(const Trace& trace, const std::string& path) {
  const bool is_binary = path.ends_with(".btrace");
  std::ofstream out(path, is_binary ? std::ios::binary : std::ios::out);
  const auto write = [&](TraceWriter&& writer) {
    Result<bool> written = writer.write(trace.tables, trace.events);
    return written.ok() ? writer.finish(trace.tables) : written;
  };
  const Result<bool> written =
      is_binary ? write(trace::BinaryTraceWriter(out, false)) : write(trace::TextTraceWriter(out));
  if (!written.ok() && out) return render(written.errors());
  out.close();
  return out ? "" : api::path_error(path, "cannot write the file").render();
}

bool matches(const Program& program, const sim::Run& run, bool asks_outcome) {
  if (!asks_outcome) return true;
  return run.end == sim::RunEnd::Complete && evaluate(*program.condition.proposition, run.outcome) != 0;
}

}  // namespace

std::string SimulatorRunner::prepare() {
  options_ = command_.options;
  if (const auto kind = sim::schedule_from_string(command_.schedule)) {
    options_.schedule = *kind;
  } else {
    const auto source = parser::read_source(command_.schedule);
    if (!source.ok()) {
      return render(source.errors()) + "hint: --schedule takes random, rr, pct, exhaustive, or a schedule file\n";
    }
    auto schedule = sim::read_schedule(source.value(), options_);
    if (!schedule.ok()) return render(schedule.errors());
    schedule_ = std::move(schedule).value();
    options_ = schedule_->options;
  }
  const auto models = store_.load_all(command_.models);
  if (!models.ok()) return render(models.errors());
  models_ = models.value();
  return {};
}

std::vector<report::RunResult> SimulatorRunner::run(const std::string& file) {
  report::RunResult result;
  result.file = file == "-" ? "<stdin>" : file;
  result.was_run = !interrupted_.load(std::memory_order_relaxed);
  if (!result.was_run) return {result};
  const auto fail = [&](std::string error) {
    result.error = std::move(error);
    return std::vector{result};
  };
  if (!is_prepared_) preparation_error_ = prepare();
  is_prepared_ = true;
  if (!preparation_error_.empty()) return fail(preparation_error_);
  const Result<SourceFilePtr> source = api::read_input(file, interrupt_flag());
  if (!source.ok()) {
    result.was_run = !interrupted_.load(std::memory_order_relaxed);
    return result.was_run ? fail(render(source.errors())) : std::vector{result};
  }
  parser::ProgramOptions options;
  if (!command_.launch.empty()) options.launch = command_.launch;
  options.defines = command_.defines;
  const auto programs = parser::parse_programs(source.value(), options);
  if (!programs.ok()) return fail(render(programs.errors()));
  const bool is_of_one = command_.show || !command_.trace_file.empty() || !command_.schedule_file.empty();
  if (programs.value().size() > 1 && is_of_one) {
    return fail(
        api::path_error(file, "--trace, --schedule-out and --show are about one test, and this file holds several")
            .render());
  }
  std::vector<report::RunResult> results(programs.value().size(), result);
  for (std::size_t i = 0; i < results.size(); ++i) {
    results[i].program = programs.value()[i];
    results[i].was_run = !interrupted_.load(std::memory_order_relaxed);
    if (results[i].was_run) run_program(results[i]);
  }
  return results;
}

Result<sim::Simulation> SimulatorRunner::simulate(const ProgramPtr& program, const sim::OnRun& on_run) const {
  if (schedule_) return sim::replay(program, *schedule_, on_run);
  Context context;
  context.set_cancellation(&interrupted_);
  return sim::simulate(program, options_, context, on_run);
}

void SimulatorRunner::run_program(report::RunResult& result) {
  describe(result);
  if (command_.show) {
    result.error = show_run(result.program, options_, schedule_, std::cin, std::cout);
    if (!result.error.empty()) return;
    result.program = nullptr;  // the steps are the report
    return;
  }
  const auto simulation = simulate(result.program, {});
  if (!simulation.ok()) {
    result.error = render(simulation.errors());
    return;
  }
  result.histogram = simulation.value().histogram;
  result.is_interrupted = simulation.value().is_cancelled;
  result.is_search = !schedule_ && options_.schedule == sim::ScheduleKind::Exhaustive;
  result.is_exhaustive = simulation.value().is_exhaustive;
  if (result.is_search) result.why_incomplete = simulation.value().why_not;
  result.trouble = ask_models(result) + write_files(result.program);
}

void SimulatorRunner::describe(report::RunResult& result) const {
  const std::string memory(to_string(options_.memory));
  const std::string warps(to_string(options_.warps));
  const std::string schedule = schedule_ ? command_.schedule : std::string(to_string(options_.schedule));
  const bool is_search = !schedule_ && options_.schedule == sim::ScheduleKind::Exhaustive;
  result.how = fmt::format("memory {}, schedule {}", memory, schedule);
  result.settings = {{"backend", "sim"}, {"memory", memory}, {"schedule", schedule}, {"warps", warps}};
  if (options_.memory == sim::MemoryKind::Gpu) {
    result.settings.emplace_back("blocks_per_multiprocessor", std::uint64_t{options_.blocks_per_multiprocessor});
    result.settings.emplace_back("store_buffer", std::uint64_t{options_.store_buffer});
  }
  if (!schedule_ && !is_search) {
    result.how += fmt::format(", seed {}", options_.seed);
    result.settings.emplace_back("seed", options_.seed);
  }
  if (options_.warps != sim::WarpKind::Independent) result.how += fmt::format(", warps {}", warps);
}

std::string SimulatorRunner::ask_models(report::RunResult& result) {
  for (const parser::RulesPtr& rules : models_) {
    verdict::CheckOptions options;
    options.questions = {false, false, false, true, false};
    Context context;
    context.set_timeout(kModelTimeout);
    context.set_cancellation(&interrupted_);
    const auto verdict = checker_.check(result.program, rules, options, context);
    if (!verdict.ok()) return render(verdict.errors());
    const bool is_complete = !verdict.value().unknown.has_value();
    result.models.push_back({verdict::model_name(*rules), verdict.value().answers.outcomes, is_complete});
  }
  return {};
}

/// Makes the runs again, now with their traces, up to the one that is asked for.
std::string SimulatorRunner::write_files(const ProgramPtr& program) const {
  if (command_.trace_file.empty() && command_.schedule_file.empty()) return {};
  ProgramPtr asked = program;
  const bool asks_outcome = !command_.trace_of.empty();
  if (asks_outcome) {
    const auto changed = parser::with_outcome(*program, command_.trace_of, "--trace-of");
    if (!changed.ok()) return render(changed.errors());
    asked = changed.value();
  }
  std::string error;
  bool is_found = false;
  const auto simulation = simulate(asked, [&](const sim::Run& run) {
    if (!matches(*asked, run, asks_outcome)) return true;
    is_found = true;
    if (!command_.trace_file.empty()) error = write_trace(run.trace, command_.trace_file);
    if (!command_.schedule_file.empty()) {
      std::ofstream out(command_.schedule_file);
      out << sim::schedule_text(*program, options_, run.schedule);
      out.close();
      if (!out) error += api::path_error(command_.schedule_file, "cannot write the file").render();
    }
    return false;
  });
  if (!simulation.ok()) return render(simulation.errors());
  if (!is_found) return api::path_error("--trace-of", "no run ended so: " + command_.trace_of).render();
  return error;
}

}  // namespace ambit::cli
