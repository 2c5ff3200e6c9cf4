#include "api/exec/ptx_launch.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>

#include "api/compiled_source.h"
#include "api/exec/repeated_runs.h"
#include "api/exec/single_launch.h"
#include "api/exec/temporary_folder.h"
#include "api/files.h"

namespace ambit::api {
namespace {

Context limits_of(const ProgramRequest& request, const std::atomic<bool>& interrupted) {
  Context context;
  context.set_cancellation(&interrupted);
  if (request.timeout_seconds > 0) {
    context.set_timeout(std::chrono::milliseconds(static_cast<std::int64_t>(request.timeout_seconds * 1000)));
  }
  return context;
}

/// Returns the PTX of a file. If the file is a CUDA source, nvcc compiles it.
Result<SourceFilePtr> ptx_of(const ProgramRequest& request, const std::atomic<bool>& interrupted) {
  const std::string& file = request.command.front();
  if (!file.ends_with(".cu")) return read_results(file, &interrupted);
  CompiledSource source{.file = file, .architecture = request.architecture};
  for (const std::string& option : request.compiler_options) {
    if (option.starts_with("-D")) source.defines.push_back(option.substr(2));
  }
  return compiled_source(source, interrupted);
}

}  // namespace

Result<ProgramOutcome> run_ptx(const ProgramRequest& request, const std::string& launch,
                               const std::atomic<bool>& interrupted) {
  const auto source = ptx_of(request, interrupted);
  if (!source.ok()) return source.errors();
  return run_module(request, source.value(), launch, interrupted);
}

Result<ProgramOutcome> run_module(const ProgramRequest& request, const SourceFilePtr& ptx, const std::string& launch,
                                  const std::atomic<bool>& interrupted) {
  const auto suppressions = read_suppressions(request.suppressions, interrupted);
  if (!suppressions.ok()) return suppressions.errors();
  const auto kernel = read_kernel_launch(ptx, launch);
  if (!kernel.ok()) return kernel.errors();
  const TemporaryFolder folder;
  if (folder.path().empty())
    return error_without_place("no temporary folder could be made", "set TMPDIR to a folder with free space");
  ProgramRequest launched = request;
  launched.reads_input = false;
  int reports = 0;
  const auto run = [&](const SingleRun& one, ProgramOutcome& ending) -> Result<ProgramReport> {
    LaunchRunOptions options{.watch = request.watch};
    options.watch.report_file = (folder.path() / fmt::format("report-{}", ++reports)).string();
    options.watch.schedule.seed = one.seed;
    options.watch.strengthening = one.strengthening;
    if (request.moves_output) options.output = KernelOutput::StandardError;
    Context context = limits_of(request, interrupted);
    auto done = run_launch(kernel.value(), options, context);
    if (!done.ok()) return done.errors();
    if (!done.value().has_completed) ending.status = 1;
    return std::move(done.value().report);
  };
  auto outcome = run_repeatedly(launched, run, interrupted);
  if (!outcome.ok()) return outcome.errors();
  outcome.value().report.shorten_paths(std::filesystem::current_path().string());
  outcome.value().suppressed = suppress(outcome.value().report, suppressions.value());
  return outcome;
}

}  // namespace ambit::api
