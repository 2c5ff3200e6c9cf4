#pragma once

#include <memory>
#include <vector>

#include "core/program.h"
#include "core/source.h"
#include "parser/parse.h"

/// One reader a language. Each takes a text that is one (litmus::check_text) and was found to be in its language.
namespace ambit::parser {

using ProgramPtr = std::shared_ptr<const Program>;

namespace litmus {
/// The CUDA litmus language (docs/language.md).
Result<ProgramPtr> read_program(SourceFilePtr source, const ProgramOptions& options);
}  // namespace litmus

namespace cuda {
/// A CUDA source (docs/cuda-sources.md): device code, one launch, `ambit:` comments.
Result<ProgramPtr> read_program(const SourceFilePtr& source, const ProgramOptions& options);
}  // namespace cuda

namespace ptx {
/// A PTX litmus file: header, initial values, one column a thread (docs/ptx-files.md).
Result<ProgramPtr> read_program(SourceFilePtr source, const ProgramOptions& options);
/// A mixed-proxy .test file: one program for each command of each row of its table (docs/ptx-files.md).
Result<std::vector<ProgramPtr>> read_test_file(const SourceFilePtr& source, const ProgramOptions& options);
}  // namespace ptx

}  // namespace ambit::parser
