#include "api/exec/single_launch.h"

#include <fmt/format.h>

#include <cstring>
#include <iostream>
#include <string_view>
#include <utility>

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
Result<std::vector<std::uint64_t>> make_arrays(const parser::ModuleLaunch& launch,
                                               const std::vector<ArrayInput>& inputs, virtual_gpu::Memory& memory) {
  std::vector<std::uint64_t> addresses;
  for (std::size_t i = 0; i < launch.arrays.size(); ++i) {
    const parser::LaunchedArray& array = launch.arrays[i];
    const std::string place = fmt::format("argument {}", array.argument + 1);
    const std::uint64_t address =
        memory.allocate(array.length * array.bytes, virtual_gpu::AllocationKind::Device, place, array.name);
    if (address == 0) {
      return error_without_place("--launch: the arrays do not fit into the device's memory", "make them smaller");
    }
    const ArrayInput::Kind kind = inputs.empty() ? ArrayInput::Kind::OfLaunch : inputs[i].kind;
    if (kind == ArrayInput::Kind::OfLaunch) fill_array(array, address, memory);
    if (kind == ArrayInput::Kind::Given) memory.copy_to_device(address, inputs[i].bytes.data(), inputs[i].bytes.size());
    addresses.push_back(address);
  }
  return addresses;
}

/// Returns the parameters of a launch. `arrays`: the addresses of its arrays.
std::vector<std::uint8_t> make_parameters(const parser::ModuleLaunch& launch, std::uint32_t module,
                                          const std::vector<std::uint64_t>& arrays, virtual_gpu::Device& device) {
  const virtual_gpu::KernelInfo& info = *device.find_kernel(module, launch.kernel);
  std::vector<std::uint8_t> made(info.parameter_bytes);
  for (const parser::LaunchedValue& value : launch.values) {
    std::uint64_t bits = value.value;
    if (value.kind == parser::LaunchedValue::Kind::Array) bits += arrays[value.array];
    if (value.kind == parser::LaunchedValue::Kind::Variable)
      bits += device.find_symbol(module, value.variable)->address;
    std::memcpy(made.data() + info.parameters[value.parameter].offset + value.offset, &bits, value.bytes);
  }
  return made;
}

std::vector<std::vector<std::uint8_t>> read_arrays(const parser::ModuleLaunch& launch,
                                                   const std::vector<std::uint64_t>& addresses,
                                                   const virtual_gpu::Memory& memory) {
  std::vector<std::vector<std::uint8_t>> arrays;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    std::vector<std::uint8_t>& bytes = arrays.emplace_back(launch.arrays[i].length * launch.arrays[i].bytes);
    memory.copy_to_host(bytes.data(), addresses[i], bytes.size());
  }
  return arrays;
}

void set_options(const LaunchRunOptions& from, virtual_gpu::ExecutionOptions& options) {
  options.schedule = from.watch.schedule;
  options.memory = from.watch.memory;
  options.step_budget = from.watch.step_budget;
  options.threads = from.watch.threads;
  if (from.output == KernelOutput::StandardError) {
    options.print = [](std::string_view printed) { std::cerr << printed << std::flush; };
  }
  if (from.output == KernelOutput::Dropped) options.print = [](std::string_view) {};
}

}  // namespace

Result<KernelLaunch> read_kernel_launch(const SourceFilePtr& ptx, const std::string& launch) {
  auto module = ptx::read_module(ptx);
  if (!module.ok()) return module.errors();
  auto read = parser::read_module_launch(module.value(), launch);
  if (!read.ok()) return read.errors();
  return KernelLaunch{std::make_shared<const ptx::Module>(std::move(module.value())), std::move(read.value())};
}

Result<std::vector<std::string>> kernel_names(const SourceFilePtr& ptx) {
  const auto module = ptx::read_module(ptx);
  if (!module.ok()) return module.errors();
  std::vector<std::string> names;
  for (const ptx::Function& function : module.value().functions) {
    if (function.is_entry && function.has_body) names.push_back(function.name);
  }
  return names;
}

Result<LaunchRun> run_launch(const KernelLaunch& kernel, const LaunchRunOptions& options, Context& context) {
  virtual_gpu::Device device(options.watch.device_memory);
  set_options(options, device.options());
  shadow::Watch watch(options.watch, device);
  const auto loaded = device.load(kernel.module);
  if (!loaded.ok()) return loaded.errors();
  const parser::ModuleLaunch& text = kernel.launch;
  const auto arrays = make_arrays(text, options.inputs, device.memory());
  if (!arrays.ok()) return arrays.errors();
  virtual_gpu::Launch launch;
  launch.module = loaded.value();
  launch.kernel = text.kernel;
  launch.grid = {text.grid[0], text.grid[1], text.grid[2]};
  launch.block = {text.block[0], text.block[1], text.block[2]};
  launch.dynamic_shared_bytes = text.dynamic_shared_bytes;
  launch.parameters = make_parameters(text, loaded.value(), arrays.value(), device);
  const auto ended = device.launch(launch, context);
  if (!ended.ok()) return ended.errors();
  watch.launched(text.kernel, ended.value());
  watch.flush(true);
  auto report = shadow::read_report(options.watch.report_file);
  if (!report.ok()) return report.errors();
  LaunchRun run{ended.value().end == virtual_gpu::LaunchEnd::Completed, std::move(report.value()), {}};
  if (options.reads_arrays) run.arrays = read_arrays(text, arrays.value(), device.memory());
  return run;
}

}  // namespace ambit::api
