#pragma once

#include <map>
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
  std::vector<SourceSpan> parallel;  ///< each #pragma omp and #pragma acc but those of vector instructions
};

/// Takes the directives out of `tokens`, chooses among #if branches and expands macros [cpp]. #include, #pragma, #line
/// and #warning are skipped: what a header defines is not known. In annotations macros are expanded in launches and
/// conditions only, since models and suites have names of their own. Errors: malformed directives, conditions that are
/// not constant, #error.
Preprocessed preprocess(const Tokens& tokens, Macros& macros, Reporter& reporter);

/// Defines what nvcc defines while it compiles device code (docs/cuda-sources.md), then `defines`: "NAME" or
/// "NAME=VALUE".
void define_initial_macros(Macros& macros, const std::vector<std::string>& defines, Reporter& reporter);

}  // namespace ambit::parser::cuda
