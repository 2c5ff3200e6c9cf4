#pragma once

#include <memory>
#include <string>

#include "core/program.h"
#include "core/source.h"

namespace ambit::parser {

/// Returns the program with another condition. `text` is a proposition (docs/reference/language.md) such as "P1:r0 == 1
/// && x == 2"; a quantifier before it is ignored. The new condition is `exists (text)`; its observables are those that
/// the text names. Errors, in a file called `origin`: syntax errors; names that the program does not have.
Result<std::shared_ptr<const Program>> with_outcome(const Program& program, const std::string& text,
                                                    const std::string& origin);

}  // namespace ambit::parser
