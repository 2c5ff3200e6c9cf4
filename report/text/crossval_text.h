#pragma once

#include <span>
#include <string>

#include "report/results/crossval.h"
#include "report/text/style.h"

namespace ambit::report {

/// The table as text; tests whose outcomes a model forbids come first and loudest.
std::string crossval_text(std::span<const CrossRow> rows, const Style& style);

}  // namespace ambit::report
