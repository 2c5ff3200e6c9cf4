#pragma once

#include <span>
#include <string>

#include "report/results/crossval.h"
#include "report/text/style.h"

namespace ambit::report {

/// The table as text. Forbidden outcomes come first.
std::string crossval_text(std::span<const CrossRow> rows, const Style& style);

}  // namespace ambit::report
