#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/source.h"
#include "core/program.h"
#include "parser/cat/load.h"
#include "parser/text/outcome_condition.h"
#include "parser/text/program_options.h"
#include "parser/text/source_text.h"

/// The interface of the parsers, which turn the text of tests and models into values.
namespace ambit::parser {

/// The language of a text.
enum class Language : std::uint8_t { CudaSource, CudaLitmus, PtxLitmus, MixedProxyTest, CompiledModule };

/// Returns the language of a text. The file's extension determines the language. If there is no extension (a pipe, the
/// clipboard), the text determines the language. Unknown text counts as CUDA litmus.
Language language_of(const SourceFile& source);

/// Reads the tests of a file in any input language: a CUDA source (docs/reference/cuda-sources.md), a CUDA litmus test
/// (docs/reference/language.md), a PTX module with a launch, a PTX litmus file or a mixed-proxy .test file
/// (docs/reference/ptx-files.md). A .test file has one test for each command and table row. Other files have exactly
/// one test. Errors: the errors of the text, at most kMaxDiagnostics; an option for CUDA sources is given for another
/// language.
Result<std::vector<std::shared_ptr<const Program>>> parse_programs(SourceFilePtr source,
                                                                   const ProgramOptions& options = {});

/// Reads a file that has one test. Errors: the errors of parse_programs(); the file has several tests.
Result<std::shared_ptr<const Program>> parse_program(const SourceFilePtr& source, const ProgramOptions& options = {});

}  // namespace ambit::parser
