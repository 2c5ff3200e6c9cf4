#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/context.h"
#include "base/source.h"
#include "core/program_report.h"
#include "parser/module_launch.h"
#include "runner/shadow/watch_options.h"

namespace ambit::ptx {
struct Module;
}

namespace ambit::api {

/// A kernel and its launch.
struct KernelLaunch {
  std::shared_ptr<const ptx::Module> module;
  parser::ModuleLaunch launch;
};

/// Reads a PTX module and a launch of one of its kernels. Errors: the errors of ptx::read_module and
/// parser::read_module_launch.
Result<KernelLaunch> read_kernel_launch(const SourceFilePtr& ptx, const std::string& launch);

/// Returns the mangled names of the kernels of a PTX module. Errors: see ptx::read_module.
Result<std::vector<std::string>> kernel_names(const SourceFilePtr& ptx);

/// The contents of an array before a run.
struct ArrayInput {
  enum class Kind : std::uint8_t {
    OfLaunch,  ///< the contents that the launch gives
    Given,     ///< `bytes`
    Unwritten  ///< uninitialised memory
  } kind = Kind::OfLaunch;
  std::vector<std::uint8_t> bytes;
};

/// Where to write the text that a kernel prints.
enum class KernelOutput : std::uint8_t { StandardOutput, StandardError, Dropped };

/// How to run a kernel once.
struct LaunchRunOptions {
  shadow::WatchOptions watch;           ///< detectors, schedule, limits, and the name of the report file
  std::vector<ArrayInput> inputs = {};  ///< one input for each array of the launch; if empty, all are OfLaunch
  KernelOutput output = KernelOutput::StandardOutput;
  bool reads_arrays = false;  ///< whether to fill LaunchRun::arrays
};

struct LaunchRun {
  bool has_completed = false;
  ProgramReport report;
  std::vector<std::vector<std::uint8_t>> arrays;  ///< the contents of each array after the launch
};

/// Runs a kernel once on the virtual GPU in this process. Errors: the arrays do not fit into memory; the errors of
/// virtual_gpu::Device::launch and shadow::read_report.
Result<LaunchRun> run_launch(const KernelLaunch& launch, const LaunchRunOptions& options, Context& context);

}  // namespace ambit::api
