#include "api/source_reading.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "api/compiled_source.h"
#include "api/files.h"
#include "api/program_compiler.h"
#include "parser/parse.h"

namespace ambit::api {
namespace {

using Programs = std::vector<std::shared_ptr<const Program>>;

/// Returns the place and the message of an error, in one line.
std::string line_of(const Diagnostic& error) {
  if (error.file == nullptr || error.span.line == 0) return error.message;
  return fmt::format("{}:{}:{}: {}", std::filesystem::path(error.file->path).filename().string(), error.span.line,
                     error.span.column, error.message);
}

Programs with_remark(Programs programs, const Diagnostic& remark) {
  for (std::shared_ptr<const Program>& program : programs) {
    auto changed = std::make_shared<Program>(*program);
    changed->remarks.insert(changed->remarks.begin(), remark);
    program = std::move(changed);
  }
  return programs;
}

Result<Programs> read_compiled(const std::string& file, const SourceFilePtr& source, parser::ProgramOptions options,
                               Optimisation optimisation, const ReadingOptions& reading,
                               const std::atomic<bool>& interrupted) {
  Result<SourceFilePtr> ptx = compiled_source({.file = file,
                                               .ptx = reading.ptx,
                                               .defines = options.defines,
                                               .architecture = reading.architecture,
                                               .optimisation = optimisation},
                                              interrupted);
  if (!ptx.ok()) return ptx.errors();
  options.compiled = std::move(ptx).value();
  return parser::parse_programs(source, options);
}

/// Compiles a source with nvcc and reads the PTX. Use this function if Ambit's own reader rejects the source.
/// `refused`: the errors of Ambit's own reader.
Result<Programs> read_by_compiler(const std::string& file, const SourceFilePtr& source,
                                  const parser::ProgramOptions& options, const ReadingOptions& reading,
                                  const Diagnostics& refused, const std::atomic<bool>& interrupted) {
  if (file == "-" || !find_nvcc().ok()) return refused;
  Result<SourceFilePtr> ptx = compiled_source({.file = file,
                                               .ptx = {},
                                               .defines = options.defines,
                                               .architecture = reading.architecture,
                                               .optimisation = Optimisation::None},
                                              interrupted);
  if (!ptx.ok()) {
    Diagnostics errors = refused;
    for (Diagnostic error : ptx.errors()) {
      error.severity = Severity::Note;
      errors.push_back(std::move(error));
    }
    return errors;
  }
  parser::ProgramOptions compiled = options;
  compiled.compiled = std::move(ptx).value();
  Result<Programs> programs = parser::parse_programs(source, compiled);
  if (!programs.ok()) {
    Diagnostics errors = programs.errors();
    errors.push_back({source,
                      {},
                      fmt::format("Ambit read the PTX of nvcc without optimisation, because its own reader refuses the "
                                  "source: {}",
                                  line_of(refused.front())),
                      "--reading source shows all errors of Ambit's own reader",
                      Severity::Note});
    return errors;
  }
  return with_remark(
      std::move(programs).value(),
      {source, refused.front().span,
       fmt::format("Ambit checked the PTX of nvcc without optimisation, because its own reader refuses the "
                   "source: {}",
                   refused.front().message),
       "--reading source shows all errors of Ambit's own reader", Severity::Note});
}

}  // namespace

Result<Programs> read_programs(const std::string& file, const SourceFilePtr& source,
                               const parser::ProgramOptions& options, const ReadingOptions& reading,
                               const std::atomic<bool>& interrupted) {
  const bool is_source = parser::language_of(*source) == parser::Language::CudaSource;
  const bool is_compiled = reading.reading == Reading::Optimised || reading.reading == Reading::Unoptimised;
  if (!is_source && (is_compiled || !reading.ptx.empty())) {
    return path_error(file, "--reading, --compiled and --ptx apply only to CUDA sources (.cu)");
  }
  if (!reading.ptx.empty() && reading.reading == Reading::Source) {
    return path_error(file, "--ptx has no effect with --reading source");
  }
  if (is_compiled || !reading.ptx.empty()) {
    const auto optimisation = reading.reading == Reading::Unoptimised ? Optimisation::None : Optimisation::Full;
    return read_compiled(file, source, options, optimisation, reading, interrupted);
  }
  Result<Programs> programs = parser::parse_programs(source, options);
  if (programs.ok() || !is_source || reading.reading == Reading::Source) return programs;
  // If the error is in the option --launch, the same error occurs with the compiled code.
  const SourceFilePtr& refused = programs.errors().front().file;
  if (refused != nullptr && refused != source) return programs;
  return read_by_compiler(file, source, options, reading, programs.errors(), interrupted);
}

}  // namespace ambit::api
