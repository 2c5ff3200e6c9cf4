#pragma once

#include <string>
#include <vector>

#include "core/expr.h"

namespace ambit {

/// How a condition's expression is written.
enum class PropositionSyntax {
  C,     ///< P1:r0 == 1 && x != 2: this project's
  Herd,  ///< 1:r0=1 /\ not ([x]=2): what the tools around herd read
};

/// A condition's expression, whose Register leaves are observables called `names`. Implicit conversions are left out:
/// whoever reads the text makes them again. Comparisons other than with = and arithmetic have no herd form and are
/// written as in C there too.
std::string proposition_text(const Expr& proposition, const std::vector<std::string>& names, PropositionSyntax syntax);

}  // namespace ambit
