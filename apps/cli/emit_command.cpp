#include <filesystem>
#include <iostream>
#include <memory>

#include "api/files.h"
#include "api/hardware/emit.h"
#include "apps/cli/commands.h"
#include "apps/cli/hardware_options.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/remarks.h"
#include "base/plural.h"
#include "runner/cuda/emit/in_gpu.h"

namespace ambit::cli {
namespace {

struct EmitCommand {
  api::EmitRequest request;
  std::string output;  ///< if empty, the standard output
};

/// Converts "sm_90" and "90" to 90; returns 0 for other text.
std::uint32_t parse_arch(std::string text) {
  if (text.starts_with("sm_")) text = text.substr(3);
  const bool is_number = !text.empty() && text.size() <= 3 && text.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? static_cast<std::uint32_t>(std::stoul(text)) : 0;
}

int fail(const Diagnostics& errors) {
  std::cerr << render(errors);
  return kBadInput;
}

/// Writes the program of each test in a folder to a separate file.
int write_folder(const EmitCommand& command) {
  const auto written = api::write_programs(command.request.path, command.output, interrupt_flag());
  if (!written.ok()) return fail(written.errors());
  print_remarks(written.value().remarks);
  for (const Diagnostic& error : written.value().errors) std::cerr << error.render();
  std::cout << "wrote " << plural(written.value().written, "program") << "\n" << std::flush;
  return written.value().errors.empty() ? kOk : kBadInput;
}

int run_emit(const EmitCommand& command) {
  if (std::filesystem::is_directory(command.request.path)) {
    const bool is_program = command.request.form == api::EmitForm::Program;
    if (!is_program) return fail({api::path_error(command.request.path, "is a folder: only 'program' takes a folder")});
    if (command.output.empty()) {
      return fail({api::path_error("-o", "expected a folder for the programs of " + command.request.path)});
    }
    if (const std::string problem = folder_can_be_made(command.output); !problem.empty()) {
      return fail({api::path_error("-o", problem)});
    }
    return write_folder(command);
  }
  if (const std::string problem = command.output.empty() ? "" : file_or_output(command.output); !problem.empty()) {
    return fail({api::path_error("-o", problem)});
  }
  const Result<api::Emitted> emitted = api::emit(command.request, interrupt_flag());
  if (!emitted.ok()) return fail(emitted.errors());
  print_remarks(emitted.value().remarks);
  const std::string& text = emitted.value().text;
  if (command.output.empty() || command.output == "-") {
    std::cout << text << std::flush;
    return kOk;
  }
  const auto error = api::write_file(command.output, text);
  return error ? fail({*error}) : kOk;
}

}  // namespace

Action declare_emit(Command command) {
  const auto options = std::make_shared<EmitCommand>();
  command
      .choice(
          "FORM", {"cuda", "ptx", "sass", "program"},
          [options](const std::string& form) {
            options->request.form = form == "cuda"   ? api::EmitForm::Cuda
                                    : form == "ptx"  ? api::EmitForm::Ptx
                                    : form == "sass" ? api::EmitForm::Sass
                                                     : api::EmitForm::Program;
          },
          "cuda: the kernel that `ambit run` launches; ptx: its PTX from NVRTC; sass: the machine code of the test's "
          "instructions; program: a CUDA C++ program with main, which does not need Ambit")
      .required();
  command
      .argument("FILE", options->request.path,
                "A test, or - for the standard input; for program also a folder of tests")
      .required();
  command
      .option("-o,--output", options->output,
              "Write to this file (-: the standard output), or for a folder of tests to files in this folder")
      .value_name("FILE");
  command
      .option(
          "--arch",
          [options](const std::string& text) {
            options->request.arch = parse_arch(text);
            if (options->request.arch < 75) throw UsageError("--arch", "expected sm_75 or later, found " + text);
          },
          "GPU architecture, for ptx and sass (default sm_90)")
      .value_name("sm_NN");
  command.option("--block-threads", options->request.shape.block_threads, "Threads in a block")
      .range(32, 1024)
      .show_default();
  command.option("--batch", options->request.shape.batch, "Number of test instances that a thread runs in a round")
      .range(1, 64)
      .show_default();
  add_mbarrier_option(command, options->request.shape.hardware_mbarriers);
  std::vector<std::string> detectors;
  for (const cuda::InGpuDetector& detector : cuda::in_gpu_detectors()) detectors.emplace_back(detector.name);
  command.choice(
      "--in-gpu", detectors,
      [options](const std::string& name) { options->request.shape.detector = cuda::find_in_gpu_detector(name); },
      "Put this race detector inside the kernel");
  add_stm_option(command, options->request.shape.stm);
  return [options] { return run_emit(*options); };
}

}  // namespace ambit::cli
