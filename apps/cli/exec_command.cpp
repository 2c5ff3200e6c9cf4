#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <memory>
#include <optional>

#include "api/detectors.h"
#include "api/exec/described_run.h"
#include "api/exec/program_run.h"
#include "api/exec/ptx_launch.h"
#include "api/files.h"
#include "api/program_compiler.h"
#include "api/source_lines.h"
#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/terminal.h"
#include "report/html/pages.h"
#include "report/json/json.h"
#include "report/logs/findings.h"
#include "report/logs/sarif.h"
#include "report/text/result_texts.h"
#include "runner/virtual/launch.h"

namespace ambit::cli {
namespace {

struct ExecCommand {
  api::ProgramRequest request;
  std::string detectors = "barracuda,gwcp";
  std::vector<std::string> detector_options;
  std::vector<std::string> defines;
  std::string schedule = "random";
  std::string launch;
  std::string sarif_file;
  std::string html_file;
  std::uint64_t runs = 0;  ///< number of runs; if 0, Ambit runs the program until its runs have cost about a second
  bool strict = false;
  bool json = false;
  bool quiet = false;
};

/// Returns the exit status. An error counts as a failure if a GPU's driver would report it. If a signal ended the
/// program, ends this process with the same signal, so that the caller sees the same result as without Ambit.
int exit_as(const ExecCommand& command, const api::ProgramOutcome& outcome) {
  const auto is_error = [](const ProgramFinding& finding) { return finding.is_error && !finding.is_cut; };
  const bool has_race = command.strict ? !outcome.report.races.empty() : outcome.report.has_ordinary_race();
  if (!outcome.report.crashes.empty()) return kInternalError;
  if (has_race || std::ranges::any_of(outcome.report.findings, is_error)) return kFailed;
  if (outcome.has_timed_out) return kUnknown;  // Ambit sent the signal at the timeout
  if (outcome.signal != 0) {
    std::cout.flush();
    std::signal(outcome.signal, SIG_DFL);
    raise(outcome.signal);
  }
  if (outcome.report.has_cut_launch()) return kUnknown;
  const bool is_unchecked = !outcome.report.errors.empty() || !outcome.report.has_begun;
  return outcome.status == 0 && is_unchecked ? kUnknown : outcome.status;
}

int print(const ExecCommand& command, const api::ProgramOutcome& outcome) {
  const report::ProgramRun run = api::described_run(command.request, outcome);
  api::SourceLines lines;
  const auto line = [&](std::string_view site) { return lines.line(site); };
  if (!command.sarif_file.empty()) {
    report::Sarif sarif(AMBIT_VERSION, report::RaceSource::Detectors);
    sarif.add(report::findings_of(outcome.report, line));
    for (const std::string& crash : outcome.report.crashes) sarif.add_error("internal error: " + crash);
    for (const std::string& error : outcome.report.errors) sarif.add_error(error);
    for (const ProgramFinding& finding : outcome.report.findings) {
      if (finding.is_cut)
        sarif.add_error(fmt::format("{} in {}: the launch was stopped", finding.kind, finding.kernel));
    }
    if (const auto error = api::write_file(command.sarif_file, sarif.document())) return bad_input({*error});
  }
  if (!command.html_file.empty()) {
    const std::string page = report::program_page(outcome.report, run, api::program_sources(outcome.report));
    if (const auto error = api::write_file(command.html_file, page)) return bad_input({*error});
  }
  if (command.json) {
    std::cout << report::program_json(outcome.report, run, line, AMBIT_VERSION) << std::flush;
    return exit_as(command, outcome);
  }
  const bool has_news = !outcome.report.races.empty() || !outcome.report.findings.empty() ||
                        !outcome.report.errors.empty() || !outcome.report.crashes.empty() ||
                        !outcome.report.has_begun || outcome.has_timed_out;
  if (has_news || !command.quiet) {
    const report::Style style{is_terminal(STDERR_FILENO) && output_style().color};
    const std::string text = report::program_text(outcome.report, run, line, style);
    std::cerr << "\n" << report::fitted(text, terminal_width(STDERR_FILENO)) << std::flush;
  }
  return exit_as(command, outcome);
}

/// Prints a note for each option of `ambit exec` that follows the program's name, because the program receives this
/// option. Prints no note for words after --.
void remark_on_arguments(Command declared, const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const Option option : declared.options()) {
    for (const std::string& name : option.names()) {
      if (name != "-h" && name != "--help") names.push_back(name);
    }
  }
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
    if (std::ranges::count(names, words[i].substr(0, words[i].find('='))) == 0) continue;
    std::cerr << fmt::format("note: `{}` follows the program name, so it was passed to the program\n", words[i]);
  }
}

int run_exec(Command declared, ExecCommand& command) {
  command.request.command = declared.unknown_words();
  if (command.request.command.empty()) {
    throw UsageError("ambit exec: expected a program, a CUDA source (.cu) or PTX (.ptx)");
  }
  if (command.request.command.front().starts_with('-')) {
    throw UsageError(command.request.command.front(), "is not an option of ambit exec");
  }
  const auto choices = api::program_detectors(command.detectors, command.detector_options);
  if (!choices.ok()) return bad_input(choices.errors());
  command.request.watch.detectors = choices.value();
  remark_on_arguments(declared, command.request.command);
  using Kind = virtual_gpu::ScheduleKind;
  command.request.watch.schedule.kind = command.schedule == "rr"    ? Kind::RoundRobin
                                        : command.schedule == "pct" ? Kind::Pct
                                                                    : Kind::Random;
  for (const std::string& define : command.defines) command.request.compiler_options.push_back("-D" + define);
  command.request.moves_output = command.json;
  if (command.runs != 0) command.request.runs = command.runs;
  const std::string& file = command.request.command.front();
  const bool has_launch = !command.launch.empty();
  if (file.ends_with(".ptx") && !has_launch) {
    throw UsageError("--launch", "a PTX file needs the launch: --launch 'kernel<<<2, 64>>>(int data[64] = 1, 5)'");
  }
  if (has_launch && !file.ends_with(".ptx") && !file.ends_with(".cu")) {
    throw UsageError("--launch", "applies only to PTX files (.ptx) and CUDA sources (.cu)");
  }
  const std::atomic<bool>& interrupted = catch_interrupts();
  const auto outcome = has_launch ? api::run_ptx(command.request, command.launch, interrupted)
                                  : api::run_program(command.request, interrupted);
  if (!outcome.ok()) return bad_input(outcome.errors());
  return print(command, outcome.value());
}

int run_nvcc(Command declared) {
  const auto nvcc = api::find_nvcc();
  if (!nvcc.ok()) return bad_input(nvcc.errors());
  std::vector<std::string> words{nvcc.value()};
  words.insert(words.end(), api::nvcc_options().begin(), api::nvcc_options().end());
  const std::vector<std::string> given = declared.unknown_words();
  words.insert(words.end(), given.begin(), given.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(arguments.front(), arguments.data());
  return bad_input({api::path_error(nvcc.value(), "cannot be run")});
}

void add_schedule_options(Command command, const std::shared_ptr<ExecCommand>& options) {
  shadow::WatchOptions& watch = options->request.watch;
  command
      .choice(
          "--schedule", {"random", "pct", "rr"}, [options](const std::string& name) { options->schedule = name; },
          "The order in which warps take turns: random, by priorities with few changes, or round robin (fastest)")
      .show_default("random");
  command.option("--quantum", watch.schedule.quantum, "Maximum instructions in a turn (0: 100, or 10000 for rr)")
      .show_default();
  command.option("--seed", watch.schedule.seed, "Seed of the first run's schedule").show_default();
  command
      .option("--runs", options->runs,
              "Run the program N times, each time with the next seed (0: until the runs have cost about a second, "
              "measured in instructions; shows only the first run's output)")
      .show_default();
  command
      .choice(
          "--memory", {"sc", "gpu"},
          [&watch](const std::string& name) {
            watch.memory =
                name == "gpu" ? virtual_gpu::MemoryMode::Gpu : virtual_gpu::MemoryMode::SequentiallyConsistent;
          },
          "sc: one memory; gpu: loads can be stale, and stores can be delayed")
      .show_default("sc");
  command
      .option("-j,--jobs", watch.threads,
              "Threads that run the blocks of launches without detectors (with --schedule rr and --memory sc); this "
              "number does not affect the result")
      .value_name("N")
      .range(1, 1024)
      .show_default();
  command.option("--timeout", options->request.timeout_seconds, "Seconds for each run").value_name("SECONDS");
  command.option("--steps", watch.step_budget, "Warp instructions after which a launch ends (0: no limit)")
      .show_default();
}

}  // namespace

Action declare_exec(Command command) {
  const auto options = std::make_shared<ExecCommand>();
  command.takes_command();
  command.option("--detector", options->detectors, "The race detectors, or none")
      .value_name("DETECTOR[,DETECTOR]")
      .show_default();
  command.option("-O", options->detector_options, "An option of a detector, such as gwcp.overlap=either")
      .value_name("DETECTOR.OPTION=VALUE")
      .one_value_each();
  add_schedule_options(command, options);
  command.option("--kernel", options->request.watch.kernels, "Check only kernels whose name contains this text")
      .value_name("TEXT")
      .one_value_each();
  command
      .option("--sample", options->request.watch.sample,
              "Show detectors the plain accesses to only one in N pieces of memory (64 bytes each); the seed selects "
              "the pieces")
      .value_name("N")
      .positive()
      .show_default();
  command.option("--record", options->request.watch.record_file, "Write the launches as traces for ambit detect")
      .value_name("FILE.btrace")
      .check([](const std::string& file) {
        return file.ends_with(".btrace") ? file_can_be_written(file)
                                         : "expected a name that ends in .btrace, found '" + file + "'";
      });
  command.option("--suppressions", options->request.suppressions, "A file that lists races to suppress")
      .value_name("FILE");
  command
      .option("--launch", options->launch,
              "For a PTX file (.ptx) or a kernel in a CUDA source (.cu): the launch to run instead of a program, "
              "'kernel<<<2, 64>>>(int data[64] = 1, 5)'")
      .value_name("LAUNCH");
  command.option("-D", options->defines, "CUDA sources: define a macro").value_name("NAME[=VALUE]").one_value_each();
  add_architecture_option(command, options->request.architecture).show_default("sm_80");
  command.flag("--json", options->json, "Print one JSON document; the program's output goes to the standard error");
  add_sarif_option(command, options->sarif_file);
  command.option("--html", options->html_file, "Also write a page that shows the races in the sources")
      .value_name("FILE")
      .check(file_can_be_written);
  command.flag("--strict", options->strict,
               "Return exit status 1 for every race, including races between equal values and races with an "
               "invalidation");
  command.flag("-q,--quiet", options->quiet, "Print nothing if there are no findings");
  return [command, options] { return run_exec(command, *options); };
}

Action declare_nvcc(Command command) {
  command.takes_command();
  return [command] { return run_nvcc(command); };
}

}  // namespace ambit::cli
