#include "api/exec/ptx_launch.h"

#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/compiled_source.h"
#include "api/exec/repeated_runs.h"
#include "api/exec/temporary_folder.h"
#include "api/files.h"
#include "parser/module_launch.h"
#include "ptx/module.h"
#include "runner/shadow/report_file.h"
#include "runner/shadow/watch.h"
#include "runner/virtual/device.h"

namespace ambit::api {
namespace {

/// Writes the contents of an array to the device.
void fill_array(const parser::LaunchedArray& array, std::uint64_t address, virtual_gpu::Memory& memory) {
  const std::uint64_t bytes = array.length * array.bytes;
  memory.set(address, 0, bytes);
  const auto write = [&](std::uint64_t element, std::uint64_t bits) {
    memory.copy_to_device(address + element * array.bytes, &bits, array.bytes);
  };
  for (std::uint64_t i = 0; i < array.contents.size(); ++i) write(i, array.contents[i]);
  if (!array.repeats || array.contents.empty() || array.contents.back() == 0) return;
  for (std::uint64_t i = array.contents.size(); i < array.length; ++i) write(i, array.contents.back());
}

/// Allocates the arrays of a launch. Returns their addresses.
Result<std::vector<std::uint64_t>> make_arrays(const parser::ModuleLaunch& launch, virtual_gpu::Memory& memory) {
  std::vector<std::uint64_t> addresses;
  for (const parser::LaunchedArray& array : launch.arrays) {
    const std::string place = fmt::format("argument {}", array.argument + 1);
    const std::uint64_t address =
        memory.allocate(array.length * array.bytes, virtual_gpu::AllocationKind::Device, place, array.name);
    if (address == 0) {
      return error_without_place("--launch: the arrays do not fit into the device's memory", "make them smaller");
    }
    fill_array(array, address, memory);
    addresses.push_back(address);
  }
  return addresses;
}

/// Allocates the arrays of a launch, and returns its parameters.
Result<std::vector<std::uint8_t>> make_parameters(const parser::ModuleLaunch& launch, std::uint32_t module,
                                                  virtual_gpu::Device& device) {
  const virtual_gpu::KernelInfo& info = *device.find_kernel(module, launch.kernel);
  const auto arrays = make_arrays(launch, device.memory());
  if (!arrays.ok()) return arrays.errors();
  std::vector<std::uint8_t> made(info.parameter_bytes);
  for (const parser::LaunchedValue& value : launch.values) {
    std::uint64_t bits = value.value;
    if (value.kind == parser::LaunchedValue::Kind::Array) bits += arrays.value()[value.array];
    if (value.kind == parser::LaunchedValue::Kind::Variable)
      bits += device.find_symbol(module, value.variable)->address;
    std::memcpy(made.data() + info.parameters[value.parameter].offset + value.offset, &bits, value.bytes);
  }
  return made;
}

Context limits_of(const ProgramRequest& request, const std::atomic<bool>& interrupted) {
  Context context;
  context.set_cancellation(&interrupted);
  if (request.timeout_seconds > 0) {
    context.set_timeout(std::chrono::milliseconds(static_cast<std::int64_t>(request.timeout_seconds * 1000)));
  }
  return context;
}

/// Runs the launch once. The report file of `options` receives the findings.
Result<bool> run_once(const shadow::WatchOptions& options, const std::shared_ptr<const ptx::Module>& module,
                      const parser::ModuleLaunch& text, bool moves_output, Context& context) {
  virtual_gpu::Device device(options.device_memory);
  device.options().schedule = options.schedule;
  device.options().memory = options.memory;
  device.options().step_budget = options.step_budget;
  device.options().threads = options.threads;
  if (moves_output) device.options().print = [](std::string_view printed) { std::cerr << printed << std::flush; };
  shadow::Watch watch(options, device);
  const auto loaded = device.load(module);
  if (!loaded.ok()) return loaded.errors();
  virtual_gpu::Launch launch;
  launch.module = loaded.value();
  launch.kernel = text.kernel;
  launch.grid = {text.grid[0], text.grid[1], text.grid[2]};
  launch.block = {text.block[0], text.block[1], text.block[2]};
  launch.dynamic_shared_bytes = text.dynamic_shared_bytes;
  auto parameters = make_parameters(text, loaded.value(), device);
  if (!parameters.ok()) return parameters.errors();
  launch.parameters = std::move(parameters.value());
  const auto report = device.launch(launch, context);
  if (!report.ok()) return report.errors();
  watch.launched(text.kernel, report.value());
  watch.flush(true);
  return report.value().end == virtual_gpu::LaunchEnd::Completed;
}

/// Returns the PTX of a file, which nvcc compiles if the file is a CUDA source.
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
  auto module = ptx::read_module(ptx);
  if (!module.ok()) return module.errors();
  const auto text = parser::read_module_launch(module.value(), launch);
  if (!text.ok()) return text.errors();
  const auto shared = std::make_shared<const ptx::Module>(std::move(module.value()));
  const TemporaryFolder folder;
  if (folder.path().empty())
    return error_without_place("no temporary folder could be made", "set TMPDIR to a folder with free space");
  ProgramRequest launched = request;
  launched.reads_input = false;
  int reports = 0;
  const auto run = [&](const SingleRun& one, ProgramOutcome& ending) -> Result<ProgramReport> {
    shadow::WatchOptions options = request.watch;
    options.report_file = (folder.path() / fmt::format("report-{}", ++reports)).string();
    options.schedule.seed = one.seed;
    options.strengthening = one.strengthening;
    Context context = limits_of(request, interrupted);
    const auto is_good = run_once(options, shared, text.value(), request.moves_output, context);
    if (!is_good.ok()) return is_good.errors();
    if (!is_good.value()) ending.status = 1;
    return shadow::read_report(options.report_file);
  };
  auto outcome = run_repeatedly(launched, run, interrupted);
  if (!outcome.ok()) return outcome.errors();
  outcome.value().report.shorten_paths(std::filesystem::current_path().string());
  outcome.value().suppressed = suppress(outcome.value().report, suppressions.value());
  return outcome;
}

}  // namespace ambit::api
