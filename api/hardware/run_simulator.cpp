#include <fstream>
#include <iostream>

#include "api/check/stm_program.h"
#include "api/files.h"
#include "api/hardware/run_backends.h"
#include "api/hardware/simulator_result.h"
#include "trace/binary_trace.h"
#include "trace/text_trace.h"

namespace ambit::api {
namespace {

using ProgramPtr = std::shared_ptr<const Program>;

constexpr const char* kStandardOutput = "-";

/// Writes a trace. Returns the text of an error, or an empty text.
std::string write_trace(const Trace& trace, std::ostream& out, bool is_binary, const std::string& path) {
  const auto write = [&](TraceWriter&& writer) {
    Result<bool> written = writer.write(trace.tables, trace.events);
    return written.ok() ? writer.finish(trace.tables) : written;
  };
  const Result<bool> written =
      is_binary ? write(trace::BinaryTraceWriter(out, false)) : write(trace::TextTraceWriter(out));
  if (!written.ok() && out) return render(written.errors());
  return out.flush() ? "" : path_error(path, "cannot write the file").render();
}

std::string write_trace(const Trace& trace, const std::string& path) {
  if (path == kStandardOutput) return write_trace(trace, std::cout, false, path);
  const bool is_binary = path.ends_with(".btrace");
  std::ofstream out(path, is_binary ? std::ios::binary : std::ios::out);
  return write_trace(trace, out, is_binary, path);
}

std::string write_schedule(const std::string& text, const std::string& path) {
  if (path == kStandardOutput) {
    std::cout << text << std::flush;
    return {};
  }
  const auto failed = write_file(path, text);
  return failed ? failed->render() : std::string();
}

bool matches(const Program& program, const sim::Run& run, bool filters_outcome) {
  if (!filters_outcome) return true;
  return run.end == sim::RunEnd::Complete && evaluate(*program.condition.proposition, run.outcome) != 0;
}

/// Runs tests on the simulator, one file after the other.
class SimulatorRun {
 public:
  SimulatorRun(const RunRequest& request, const std::atomic<bool>& interrupted)
      : request_(request), interrupted_(interrupted), models_(interrupted) {}

  /// Reads the schedule and loads the models. Returns the text of an error, or an empty text.
  std::string prepare() {
    options_ = request_.simulator;
    if (const auto kind = sim::schedule_from_string(request_.schedule)) {
      options_.schedule = *kind;
    } else {
      const auto source = parser::read_source(request_.schedule);
      if (!source.ok()) {
        return render(source.errors()) + "hint: --schedule takes random, rr, pct, exhaustive, or a schedule file\n";
      }
      auto schedule = sim::read_schedule(source.value(), options_);
      if (!schedule.ok()) return render(schedule.errors());
      schedule_ = std::move(schedule).value();
      options_ = schedule_->options;
    }
    return models_.load(request_.models);
  }

  /// Runs the tests of a file, and passes each result to `done`.
  void run(const std::string& file, const OnResult& done) {
    report::RunResult result;
    result.file = file == "-" ? "<stdin>" : file;
    const auto programs = read_tests(file, request_, interrupted_);
    if (!programs.ok()) {
      result.was_run = !is_interrupted();
      if (result.was_run) result.error = render(programs.errors());
      return done(std::move(result));
    }
    for (const ProgramPtr& program : programs.value()) {
      report::RunResult of_test = result;
      of_test.program = program;
      of_test.was_run = !is_interrupted();
      if (of_test.was_run) run_program(of_test);
      done(std::move(of_test));
    }
  }

 private:
  bool is_interrupted() const { return interrupted_.load(std::memory_order_relaxed); }
  bool is_search() const { return !schedule_ && options_.schedule == sim::ScheduleKind::Exhaustive; }

  Result<sim::Simulation> simulate(const ProgramPtr& program, const sim::OnRun& on_run) const {
    if (schedule_) return sim::replay(program, *schedule_, on_run);
    Context context;
    context.set_cancellation(&interrupted_);
    return sim::simulate(program, options_, context, on_run);
  }

  void run_program(report::RunResult& result) {
    describe(options_, schedule_ ? request_.schedule : "", result);
    // With a software transactional memory, the simulator runs the memory's code, but models check the test itself.
    ProgramPtr program = result.program;
    if (const std::optional<Stm>& stm = request_.hardware.run.stm) {
      const auto coded = with_stm(*program, {*stm, request_.attempts});
      if (!coded.ok()) {
        result.error = render(coded.errors());
        return;
      }
      program = coded.value();
    }
    if (request_.show) {
      result.error = request_.show(program, options_, schedule_);
      if (result.error.empty()) result.program = nullptr;  // no report, because request_.show has shown the steps
      return;
    }
    ProgramPtr requested = program;
    if (!request_.trace_of.empty()) {
      const auto changed = parser::with_outcome(*program, request_.trace_of, "--trace-of");
      if (!changed.ok()) {
        result.error = render(changed.errors());
        return;
      }
      requested = changed.value();
    }
    const auto simulation = simulate(program, {});
    if (!simulation.ok()) {
      result.error = render(simulation.errors());
      return;
    }
    add_runs(simulation.value(), is_search(), result);
    result.trouble = models_.add_to(result) + write_files(*program, requested);
  }

  /// Writes the trace and schedule of the requested run: repeats the runs, with traces, until the requested run.
  /// `requested`: the program with the requested run's outcome as its condition. Returns the text of an error, or an
  /// empty text.
  std::string write_files(const Program& program, const ProgramPtr& requested) const {
    if (request_.trace_file.empty() && request_.schedule_file.empty()) return {};
    const bool filters_outcome = !request_.trace_of.empty();
    std::string error;
    bool is_found = false;
    const auto simulation = simulate(requested, [&](const sim::Run& run) {
      if (!matches(*requested, run, filters_outcome)) return true;
      is_found = true;
      if (!request_.trace_file.empty()) error = write_trace(run.trace, request_.trace_file);
      if (!request_.schedule_file.empty()) {
        error += write_schedule(sim::schedule_text(program, options_, run.schedule), request_.schedule_file);
      }
      return false;
    });
    if (!simulation.ok()) return render(simulation.errors());
    if (!is_found) return not_found().render();
    return error;
  }

  Diagnostic not_found() const {
    Diagnostic error = path_error("--trace-of", "no run produced this outcome: " + request_.trace_of);
    if (!schedule_ && !is_search()) error.hint = "raise --runs, or run every schedule with --schedule exhaustive";
    return error;
  }

  const RunRequest& request_;
  const std::atomic<bool>& interrupted_;
  AllowedOutcomes models_;
  sim::Options options_;
  std::optional<sim::Schedule> schedule_;  ///< the schedule to replay; absent if the run replays no file
};

}  // namespace

void run_on_simulator(const RunRequest& request, const std::vector<std::string>& files, const RunEvents& events,
                      const std::atomic<bool>& interrupted, const OnResult& done) {
  SimulatorRun run(request, interrupted);
  std::optional<std::string> error;  // an error in the request, the same for every file
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (events.on_progress) events.on_progress(i, files.size(), files[i]);
    report::RunResult result;
    result.file = files[i] == "-" ? "<stdin>" : files[i];
    result.was_run = !interrupted.load(std::memory_order_relaxed);
    if (result.was_run && !error) error = run.prepare();
    if (result.was_run && error->empty()) {
      run.run(files[i], done);
      continue;
    }
    if (result.was_run) result.error = *error;
    done(std::move(result));
  }
}

}  // namespace ambit::api
