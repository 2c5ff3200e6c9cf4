#pragma once

#include <string>

#include "model/repair/repair_report.h"
#include "report/text/style.h"

namespace ambit::report {

/// Returns the changes, their costs, the engines that confirm them, and the difference for `patch`; without changes,
/// the reason and the tried changes (docs/reference/repair.md).
std::string repair_text(const repair::RepairReport& report, const Style& style);

}  // namespace ambit::report
