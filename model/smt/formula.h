#pragma once

#include "model/solver/literals.h"
#include "model/solver/sat_solver.h"

/// Names of the solver that every file of the encoding uses.
namespace ambit::smt {

using solver::kFalse;
using solver::kTrue;
using solver::Lit;
using solver::Literals;
using solver::SatSolver;

}  // namespace ambit::smt
