#include "api/hardware/emit.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "api/files.h"
#include "parser/kernel_text.h"
#include "parser/parse.h"
#include "report/logs/herd.h"
#include "runner/cuda/emit/emit_kernel.h"
#include "runner/cuda/launch/code_check.h"
#include "runner/cuda/launch/disassembler.h"
#include "runner/cuda/launch/nvrtc.h"
#include "runner/standalone/standalone.h"

namespace ambit::api {
namespace {

/// Compiles the kernel with NVRTC to PTX or machine code. Checks that the code contains all the test's instructions.
Result<std::string> compiled(const cuda::Kernel& kernel, const Program& program, const EmitRequest& request) {
  if (const std::string lacking = cuda::missing_on(kernel, request.arch); !lacking.empty()) {
    return Diagnostic{program.source, {}, lacking, "--arch selects the architecture of the code"};
  }
  const auto nvrtc = cuda::Nvrtc::open();
  if (!nvrtc) return nvrtc.errors();
  const bool is_ptx = request.form == EmitForm::Ptx;
  const auto disassembler = is_ptx ? std::nullopt : std::optional(cuda::Disassembler::find());
  if (disassembler && !*disassembler) return disassembler->errors();
  auto code = nvrtc.value()->compile(kernel.source, program.name + ".cu", request.arch,
                                     is_ptx ? cuda::Nvrtc::Target::Ptx : cuda::Nvrtc::Target::MachineWithLines,
                                     kernel.is_specific);
  if (!code) return code.errors();
  if (const auto wrong = cuda::check_ptx(kernel, code.value().ptx); !wrong.empty())
    return cuda::not_kept(program, wrong);
  if (is_ptx)
    return code.value().ptx.substr(0, code.value().ptx.find('\0'));  // the size from NVRTC includes
                                                                     // the final zero
  const auto listing = disassembler->value().list(code.value().cubin);
  if (!listing) return listing.errors();
  if (const auto wrong = cuda::check_sass(kernel, listing.value()); !wrong.empty())
    return cuda::not_kept(program, wrong);
  return fmt::format("# {}\n{}", program.name, cuda::sass_text(kernel, listing.value()));
}

}  // namespace

Result<std::string> standalone_program(const SourceFilePtr& source, const Program& program) {
  const standalone::LogStyle log{.test = report::log_name(program.name), .columns = report::log_columns(program)};
  return standalone::program_text(program, parser::kernel_text(source), log);
}

Result<Emitted> emit(const EmitRequest& request, const std::atomic<bool>& interrupted) {
  const Result<SourceFilePtr> source = read_input(request.path, interrupted);
  if (!source) return source.errors();
  const auto programs = parser::parse_programs(source.value());
  if (!programs) return programs.errors();
  Emitted emitted;
  if (request.form == EmitForm::Program && programs.value().size() != 1) {
    return Diagnostic{
        source.value(), {}, fmt::format("expected one test in the file, found {}", programs.value().size()), ""};
  }
  for (const auto& program : programs.value()) {
    emitted.remarks.insert(emitted.remarks.end(), program->remarks.begin(), program->remarks.end());
    if (request.form == EmitForm::Program) {
      Result<std::string> text = standalone_program(source.value(), *program);
      if (!text) return text.errors();
      emitted.text = std::move(text).value();
      continue;
    }
    const auto kernel = cuda::emit_largest(*program, request.shape);
    if (!kernel) return kernel.errors();
    const Result<std::string> code =
        request.form == EmitForm::Cuda ? kernel.value().source : compiled(kernel.value(), *program, request);
    if (!code) return code.errors();
    emitted.text += code.value();
  }
  return emitted;
}

namespace {

void add(Diagnostics& to, const Diagnostics& more) { to.insert(to.end(), more.begin(), more.end()); }

/// Writes the programs of one file. `names`: maps the name of each written program to its test's file.
void write_programs_of(const std::string& path, const std::string& output, const std::atomic<bool>& interrupted,
                       std::map<std::string, std::string>& names, WrittenPrograms& result) {
  const Result<SourceFilePtr> source = read_input(path, interrupted);
  if (!source) return add(result.errors, source.errors());
  const auto programs = parser::parse_programs(source.value());
  if (!programs) return add(result.errors, programs.errors());
  for (const auto& program : programs.value()) {
    add(result.remarks, program->remarks);
    const Result<std::string> text = standalone_program(source.value(), *program);
    if (!text) {
      add(result.errors, text.errors());
      continue;
    }
    const std::string name = (std::filesystem::path(output) / (report::log_name(program->name) + ".cu")).string();
    const auto [other, is_new] = names.emplace(name, path);
    if (!is_new) {
      result.errors.push_back(
          path_error(path, fmt::format("the test '{}' would overwrite the test of {}", program->name, other->second)));
    } else if (const auto error = write_file(name, text.value())) {
      result.errors.push_back(*error);
    } else {
      ++result.written;
    }
  }
}

}  // namespace

Result<WrittenPrograms> write_programs(const std::string& folder, const std::string& output,
                                       const std::atomic<bool>& interrupted) {
  const Result<std::vector<std::string>> files = collect_files({folder});
  if (!files) return files.errors();
  WrittenPrograms result;
  std::map<std::string, std::string> names;
  for (const std::string& file : files.value()) {
    if (interrupted) return path_error(folder, "interrupted");
    write_programs_of(file, output, interrupted, names, result);
  }
  return result;
}

}  // namespace ambit::api
