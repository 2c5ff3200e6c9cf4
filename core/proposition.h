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
  C,     ///< P1:r0 == 1 && x != 2: the syntax of this project
  Herd,  ///< 1:r0=1 /\ not ([x]=2): the syntax of herd's tools
};

/// Returns the cell whose address a number is ("pool[1]"); nothing if it is not an address (Program::pointer_name).
using CellOfAddress = std::function<std::optional<std::string>(Value)>;

/// Returns the text of a condition's expression, whose Register leaves are observables called `names`. Omits implicit
/// conversions, which a parser of the text adds again. Arithmetic and comparisons other than with = have no herd form
/// and are always written as in C. Addresses are written as numbers without `cell_of`; with it as &pool[1], in herd's
/// form as pool[1].
std::string proposition_text(const Expr& proposition, const std::vector<std::string>& names, PropositionSyntax syntax,
                             const CellOfAddress& cell_of = {});

/// Returns herd's word for a condition of that quantifier in its logs: "Allowed", "Forbidden", "Required".
std::string_view herd_kind(Quantifier quantifier);

}  // namespace ambit
