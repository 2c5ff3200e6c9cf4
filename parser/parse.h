#pragma once

#include <memory>
#include <vector>

#include "core/program.h"
#include "core/source.h"
#include "parser/cat/load.h"
#include "parser/text/outcome_condition.h"
#include "parser/text/program_options.h"
#include "parser/text/source_text.h"

/// The door of the parsers: tests and models as text to values.
namespace ambit::parser {

/// The tests of a file, whatever it is written in: a CUDA source (docs/cuda-sources.md), the CUDA litmus language
/// (docs/language.md), a PTX litmus file or a mixed-proxy .test file (docs/ptx-files.md). Never empty: one test, except
/// that a .test file holds one for each of its commands and table rows. All errors found, at most kMaxDiagnostics
/// shown; options about CUDA sources for a text that is none.
Result<std::vector<std::shared_ptr<const Program>>> parse_programs(SourceFilePtr source,
                                                                   const ProgramOptions& options = {});

/// The only test of a file. Errors: those of parse_programs; the file holds several.
Result<std::shared_ptr<const Program>> parse_program(SourceFilePtr source, const ProgramOptions& options = {});

}  // namespace ambit::parser
