#pragma once

#include <string>

#include "model/repair/repair_report.h"
#include "report/text/style.h"

namespace ambit::report {

/// The changes that were found, what they cost, which engines confirm them, and the difference for `patch`; or why
/// there are none and what was tried (docs/repair.md).
std::string repair_text(const repair::RepairReport& report, const Style& style);

}  // namespace ambit::report
