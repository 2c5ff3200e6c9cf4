#pragma once

#include "model/solver/literals.h"
#include "model/solver/sat_solver.h"

/// Names from the solver's interface that all files of the encoding use.
namespace ambit::smt {

using solver::kFalse;
using solver::kTrue;
using solver::Lit;
using solver::Literals;
using solver::SatSolver;

}  // namespace ambit::smt
