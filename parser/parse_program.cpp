#include "parser/parse.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parser/compiled/compiled_module.h"
#include "parser/compiled/compiled_program.h"
#include "parser/cuda/cuda_program.h"
#include "parser/litmus/litmus_program.h"
#include "parser/proxy/test_file.h"
#include "parser/ptx/ptx_program.h"
#include "parser/text/header.h"

namespace ambit::parser {
namespace {

/// Returns whether the text has a line that is a declaration (`.global x;`) or the table line (`$$`) of a mixed-proxy
/// test.
bool looks_like_test_file(std::string_view text) {
  const auto has_line = [&](const std::string& begin) {
    return text.starts_with(begin) || text.find("\n" + begin) != std::string_view::npos;
  };
  return has_line(".global ") || has_line("$$");
}

Result<std::vector<ProgramPtr>> only_one(Result<ProgramPtr> read) {
  if (!read.ok()) return read.errors();
  return std::vector<ProgramPtr>{std::move(read).value()};
}

}  // namespace

Language language_of(const SourceFile& source) {
  if (compiled::is_module(source)) return Language::CompiledModule;
  if (is_cuda_source(source)) return Language::CudaSource;
  if (source.path.ends_with(".test")) return Language::MixedProxyTest;
  const std::string_view word = first_word(source);
  if (word == "PTX" || word == "ptx") return Language::PtxLitmus;
  if (word == "CUDA" || source.path.ends_with(".litmus")) return Language::CudaLitmus;
  return looks_like_test_file(source.text) ? Language::MixedProxyTest : Language::CudaLitmus;
}

Result<std::vector<ProgramPtr>> parse_programs(SourceFilePtr source, const ProgramOptions& options) {
  AMBIT_ASSERT(source != nullptr);
  if (std::optional<Diagnostic> error = check_text(source)) return *std::move(error);
  const Language language = language_of(*source);
  const bool has_launch = language == Language::CudaSource || language == Language::CompiledModule;
  if ((options.launch && !has_launch) || (!options.defines.empty() && language != Language::CudaSource)) {
    return Diagnostic{
        source, {}, fmt::format("{} applies only to CUDA sources (.cu)", options.launch ? "--launch" : "-D"), {}};
  }
  if (options.compiled != nullptr) {
    if (language != Language::CudaSource)
      return Diagnostic{source, {}, "--compiled applies only to CUDA sources (.cu)", {}};
    return only_one(compiled::read_compiled_source(source, options));
  }
  switch (language) {
    case Language::CudaSource: return only_one(cuda::read_program(source, options));
    case Language::CompiledModule: return only_one(compiled::read_module(source, options));
    case Language::CudaLitmus: return only_one(litmus::read_program(std::move(source), options));
    case Language::PtxLitmus: return only_one(ptx::read_program(std::move(source), options));
    case Language::MixedProxyTest: return proxy::read_test_file(source, options);
  }
  AMBIT_ASSERT(false && "a language");
  return Diagnostic{};
}

Result<ProgramPtr> parse_program(const SourceFilePtr& source, const ProgramOptions& options) {
  Result<std::vector<ProgramPtr>> read = parse_programs(source, options);
  if (!read.ok()) return read.errors();
  if (read.value().size() == 1) return std::move(read.value().front());
  return Diagnostic{source, {}, fmt::format("expected one test in the file, found {}", read.value().size()), {}};
}

}  // namespace ambit::parser
