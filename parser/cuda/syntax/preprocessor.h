#pragma once

#include <string>
#include <vector>

#include "parser/cuda/syntax/macros.h"
#include "parser/cuda/syntax/token.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// A text after preprocessing.
struct Preprocessed {
  Tokens code;
  Tokens annotations;                ///< the text of all `ambit:` comments
  std::vector<SourceSpan> parallel;  ///< the places of #pragma omp and #pragma acc, except simd
};

/// Removes the directives from `tokens`, selects #if branches and expands macros [cpp]. Ignores include, pragma, line
/// and warning directives; the contents of headers are unknown. In annotations, expands macros only in launches and
/// conditions, because the names of models and suites are not code. Errors: a directive is malformed; a condition is
/// not constant; #error.
Preprocessed preprocess(const Tokens& tokens, Macros& macros, Reporter& reporter);

/// Defines the macros that nvcc defines for device code (docs/reference/cuda-sources.md), then the macros in `defines`,
/// each "NAME" or "NAME=VALUE".
void define_initial_macros(Macros& macros, const std::vector<std::string>& defines, Reporter& reporter);

}  // namespace ambit::parser::cuda
