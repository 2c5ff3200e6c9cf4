#pragma once

#include <memory>
#include <string>

#include "core/program.h"
#include "core/source.h"

namespace ambit::parser {

/// The program with another question: `text` is a proposition as in a condition (docs/language.md), "P1:r0 == 1 && x ==
/// 2"; a quantifier before it is passed over. Its condition is then `exists` of it, its observables those that the text
/// names. Errors, in a file called `origin`: what does not parse, names that the program does not have.
Result<std::shared_ptr<const Program>> with_outcome(const Program& program, const std::string& text,
                                                    const std::string& origin);

}  // namespace ambit::parser
