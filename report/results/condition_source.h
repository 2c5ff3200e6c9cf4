#pragma once

#include <string>

#include "core/program.h"

namespace ambit::report {

/// Returns the condition as its author wrote it, on one line and without comments: the quantifier and the proposition.
/// Returns an empty text if the source does not contain the condition.
std::string condition_source(const Program& program);

}  // namespace ambit::report
