#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr.h"
#include "core/program.h"

namespace ambit {

/// How a condition's expression is written.
enum class PropositionSyntax {
  C,     ///< P1:r0 == 1 && x != 2: this project's
  Herd,  ///< 1:r0=1 /\ not ([x]=2): what the tools around herd read
};

/// The cell whose address a number is ("pool[1]"); nothing where it is no address (Program::pointer_name).
using CellOfAddress = std::function<std::optional<std::string>(Value)>;

/// A condition's expression, whose Register leaves are observables called `names`. Implicit conversions are left out:
/// whoever reads the text makes them again. Comparisons other than with = and arithmetic have no herd form and are
/// written as in C there too. Without `cell_of`, addresses are written as numbers, else as &pool[1], in herd's form as
/// pool[1].
std::string proposition_text(const Expr& proposition, const std::vector<std::string>& names, PropositionSyntax syntax,
                             const CellOfAddress& cell_of = {});

/// What herd's logs call a condition of that quantifier: "Allowed", "Forbidden", "Required".
std::string_view herd_kind(Quantifier quantifier);

}  // namespace ambit
