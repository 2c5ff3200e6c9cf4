#pragma once

#include <string>

#include "report/results/validation.h"
#include "report/text/style.h"

namespace ambit::report {

/// The table of tests, the counts, what detectors find in some schedules only, where label, model and detector part,
/// and first races that the oracle refutes.
std::string validation_text(const Validation& validation, const Style& style);
/// The notes below the counts.
std::string validation_notes(const Validation& validation);

}  // namespace ambit::report
