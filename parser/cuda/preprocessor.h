#pragma once

#include <string>
#include <vector>

#include "parser/cuda/macros.h"
#include "parser/cuda/token.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// A text after preprocessing.
struct Preprocessed {
  Tokens code;
  Tokens annotations;                ///< the text of the `ambit:` comments, joined
  std::vector<SourceSpan> parallel;  ///< each #pragma omp and #pragma acc, except simd
};

/// Removes the directives from `tokens`, selects #if branches and expands macros [cpp]. Ignores #include, #pragma,
/// #line and #warning; the contents of headers are unknown. In annotations, expands macros only in launches and
/// conditions: the names of models and suites are not code. Errors: malformed directives, conditions that are not
/// constant, #error.
Preprocessed preprocess(const Tokens& tokens, Macros& macros, Reporter& reporter);

/// Defines the macros of nvcc's device compilation (docs/cuda-sources.md), then `defines`: "NAME" or "NAME=VALUE".
void define_initial_macros(Macros& macros, const std::vector<std::string>& defines, Reporter& reporter);

}  // namespace ambit::parser::cuda
