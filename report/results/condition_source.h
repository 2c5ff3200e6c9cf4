#pragma once

#include <string>

#include "core/program.h"

namespace ambit::report {

/// Returns the condition as its author wrote it: the quantifier and the proposition in one line, without comments.
/// Returns an empty text if the condition has no place in the source.
std::string condition_source(const Program& program);

}  // namespace ambit::report
