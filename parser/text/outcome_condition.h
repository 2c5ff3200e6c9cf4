#pragma once

#include <memory>
#include <string>

#include "base/source.h"
#include "core/program.h"

namespace ambit::parser {

/// Returns a copy of the program that has the condition `exists (text)`. `text` is a proposition
/// (docs/reference/language.md) such as "P1:r0 == 1 && x == 2". A quantifier before the proposition is ignored. The
/// registers and locations in `text` become the observables. Errors refer to a file called `origin`: syntax errors;
/// names that the program does not have.
Result<std::shared_ptr<const Program>> with_outcome(const Program& program, const std::string& text,
                                                    const std::string& origin);

}  // namespace ambit::parser
