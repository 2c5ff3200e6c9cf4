#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>

#include "api/files.h"
#include "apps/cli/commands.h"
#include "apps/cli/exit_code.h"
#include "apps/cli/interrupt.h"
#include "parser/parse.h"
#include "runner/cuda/code_check.h"
#include "runner/cuda/disassembler.h"
#include "runner/cuda/emit_kernel.h"
#include "runner/cuda/in_gpu.h"
#include "runner/cuda/nvrtc.h"

namespace ambit::cli {
namespace {

struct EmitCommand {
  std::string form;
  std::string path;
  std::string output;
  std::uint32_t arch = 90;
  cuda::Shape shape;
};

int fail(const Diagnostics& errors) {
  std::cerr << render(errors);
  return kBadInput;
}

/// "sm_90", "90" to 90; 0: neither.
std::uint32_t parse_arch(std::string text) {
  if (text.starts_with("sm_")) text = text.substr(3);
  const bool is_number = !text.empty() && text.size() <= 3 && text.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? static_cast<std::uint32_t>(std::stoul(text)) : 0;
}

/// The PTX or the machine code that NVRTC makes of the kernel, once it is sure that the test's instructions stand in it
/// as they should.
Result<std::string> compiled(const cuda::Kernel& kernel, const Program& program, const EmitCommand& command) {
  if (command.arch < kernel.lowest_arch) {
    return Diagnostic{
        program.source, {}, fmt::format("this test's instructions need sm_{} or later", kernel.lowest_arch), ""};
  }
  const auto nvrtc = cuda::Nvrtc::open();
  if (!nvrtc) return nvrtc.errors();
  const bool is_ptx = command.form == "ptx";
  const auto disassembler = is_ptx ? std::nullopt : std::optional(cuda::Disassembler::find());
  if (disassembler && !*disassembler) return disassembler->errors();
  auto code = nvrtc.value()->compile(kernel.source, program.name + ".cu", command.arch,
                                     is_ptx ? cuda::Nvrtc::Target::Ptx : cuda::Nvrtc::Target::MachineWithLines);
  if (!code) return code.errors();
  if (const auto wrong = cuda::check_ptx(kernel, code.value().ptx); !wrong.empty())
    return cuda::not_kept(program, wrong);
  if (is_ptx) return code.value().ptx.substr(0, code.value().ptx.find('\0'));  // NVRTC counts the end of the text, too
  const auto listing = disassembler->value().list(code.value().cubin);
  if (!listing) return listing.errors();
  if (const auto wrong = cuda::check_sass(kernel, listing.value()); !wrong.empty())
    return cuda::not_kept(program, wrong);
  return fmt::format("# {}\n{}", program.name, cuda::sass_text(kernel, listing.value()));
}

int run_emit(const EmitCommand& command) {
  const Result<SourceFilePtr> source = api::read_input(command.path, interrupt_flag());
  if (!source) return fail(source.errors());
  const auto programs = parser::parse_programs(source.value());
  if (!programs) return fail(programs.errors());
  std::string text;
  for (const auto& program : programs.value()) {
    const auto kernel = cuda::emit(*program, command.shape);
    if (!kernel) return fail(kernel.errors());
    if (command.form == "cuda") {
      text += kernel.value().source;
      continue;
    }
    const auto code = compiled(kernel.value(), *program, command);
    if (!code) return fail(code.errors());
    text += code.value();
  }
  if (command.output.empty()) {
    std::cout << text << std::flush;
    return kOk;
  }
  std::ofstream out(command.output);
  out << text;
  out.close();
  return out ? kOk : fail({api::path_error(command.output, "cannot write the file")});
}

}  // namespace

Action declare_emit(CLI::App& command) {
  const auto options = std::make_shared<EmitCommand>();
  command
      .add_option("FORM", options->form,
                  "cuda: CUDA C++; ptx: what NVRTC compiles it to; sass: the machine code of its instructions")
      ->required()
      ->check(CLI::IsMember({"cuda", "ptx", "sass"}));
  command.add_option("FILE", options->path, "A test, or - for the standard input")->required();
  command.add_option("-o,--output", options->output, "Write to this file")->type_name("FILE");
  command
      .add_option_function<std::string>(
          "--arch",
          [options](const std::string& text) {
            options->arch = parse_arch(text);
            if (options->arch < 75) throw CLI::ValidationError("--arch", "expected sm_75 or later, found " + text);
          },
          "GPU architecture, for ptx and sass (default sm_90)")
      ->type_name("sm_NN");
  command.add_option("--block-threads", options->shape.block_threads, "Threads of a block")
      ->check(CLI::Range(32U, 1024U).description(""))
      ->capture_default_str();
  command.add_option("--batch", options->shape.batch, "Instances that a thread runs in a round")
      ->check(CLI::Range(1U, 64U).description(""))
      ->capture_default_str();
  std::vector<std::string> detectors;
  for (const cuda::InGpuDetector& detector : cuda::in_gpu_detectors()) detectors.emplace_back(detector.name);
  command
      .add_option_function<std::string>(
          "--in-gpu",
          [options](const std::string& name) { options->shape.detector = cuda::find_in_gpu_detector(name); },
          "With this race detector inside the kernel")
      ->check(CLI::IsMember(detectors))
      ->type_name("DETECTOR");
  return [options] { return run_emit(*options); };
}

}  // namespace ambit::cli
