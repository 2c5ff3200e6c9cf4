#pragma once

#include <string>

#include "core/program.h"

namespace ambit::report {

/// The condition as its author wrote it: the line with the proposition. A proposition of several lines is put on one,
/// behind its quantifier and without comments. Empty if the condition has no place in the source.
std::string condition_source(const Program& program);

}  // namespace ambit::report
