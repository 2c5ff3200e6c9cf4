#pragma once

#include <string>

#include "core/program.h"

namespace ambit::report {

/// Returns the condition as its author wrote it: the line with the proposition. If the proposition has several lines,
/// joins them into one line after the quantifier, without comments. Returns an empty text if the condition has no place
/// in the source.
std::string condition_source(const Program& program);

}  // namespace ambit::report
