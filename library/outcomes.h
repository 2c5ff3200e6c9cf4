#pragma once

#include <ambit/outcomes.h>

#include <vector>

#include "core/program.h"

namespace AMBIT_NAMESPACE {

/// Returns an outcome of a program, without the models that allow it.
Outcome outcome_of(const Program& program, const std::vector<Value>& values);

}  // namespace AMBIT_NAMESPACE
