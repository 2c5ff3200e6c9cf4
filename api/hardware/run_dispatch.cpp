#include "api/hardware/run.h"

#include <fmt/format.h>

#include "api/files.h"
#include "api/hardware/run_backends.h"

namespace ambit::api {

Result<std::vector<std::shared_ptr<const Program>>> read_tests(const std::string& file, const RunRequest& request,
                                                               const std::atomic<bool>& interrupted) {
  const Result<SourceFilePtr> source = read_input(file, interrupted);
  if (!source.ok()) return source.errors();
  auto programs = read_programs(file, source.value(), request.source, request.reading, interrupted);
  if (programs.ok() && programs.value().size() > 1 && request.is_about_one_test()) {
    return path_error(file, fmt::format("--trace, --schedule-out and --show apply to one test, and this file holds {}",
                                        programs.value().size()));
  }
  return programs;
}

Result<std::vector<report::RunResult>> run_tests(const RunRequest& request, const RunEvents& events,
                                                 const std::atomic<bool>& interrupted) {
  const Result<std::vector<std::string>> files = collect_files({request.path});
  if (!files.ok()) return files.errors();
  if (!request.trace_of.empty() && request.trace_file.empty() && request.schedule_file.empty()) {
    return path_error("--trace-of", "has no effect without --trace or --schedule-out");
  }
  if (request.trace_file == "-" && request.schedule_file == "-") {
    return path_error("--schedule-out", "--trace writes to the standard output already");
  }
  if (files.value().size() > 1 && request.is_about_one_test()) {
    return path_error(request.path, fmt::format("--trace, --schedule-out and --show apply to one test, and this folder "
                                                "holds {}",
                                                files.value().size()));
  }
  std::vector<report::RunResult> results;
  const OnResult done = [&](report::RunResult result) {
    if (events.on_result) events.on_result(result);
    results.push_back(std::move(result));
  };
  const auto run = request.backend == Backend::Cuda ? run_on_hardware : run_on_simulator;
  run(request, files.value(), events, interrupted, done);
  return results;
}

}  // namespace ambit::api
