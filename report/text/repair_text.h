#pragma once

#include <string>

#include "model/repair/repair_report.h"
#include "report/text/style.h"

namespace ambit::report {

/// Returns the changes, their costs, the engines that confirm the changes, and a diff for `patch`. If there are no
/// changes, returns the reason and the kinds of changes that the search tried (docs/reference/repair.md).
std::string repair_text(const repair::RepairReport& report, const Style& style);

}  // namespace ambit::report
