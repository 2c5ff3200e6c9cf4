#pragma once

#include <string>

#include "core/program.h"

namespace ambit::report {

/// Returns the condition as its author wrote it: the line with the proposition. A proposition of several lines is put
/// on one line after its quantifier, without comments. Empty if the condition has no place in the source.
std::string condition_source(const Program& program);

}  // namespace ambit::report
