#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr.h"
#include "core/program.h"

namespace ambit {

/// The syntax in which a condition's expression is written.
enum class PropositionSyntax {
  C,     ///< P1:r0 == 1 && x != 2, the syntax of this project
  Herd,  ///< 1:r0=1 /\ not ([x]=2), the syntax of herd's tools
};

/// Returns the cell whose address is the given number ("pool[1]"); nothing if the number is not an address
/// (Program::pointer_name).
using CellOfAddress = std::function<std::optional<std::string>(Value)>;

/// Returns the text of a condition's expression, whose Register leaves are the observables called `names`. Omits
/// implicit conversions, which a parser of the text adds again. Herd has no arithmetic and no comparison except =, so
/// these are always written in C. Without `cell_of`, addresses are written as numbers; with it, as &pool[1] in C and as
/// pool[1] in herd's syntax.
std::string proposition_text(const Expr& proposition, const std::vector<std::string>& names, PropositionSyntax syntax,
                             const CellOfAddress& cell_of = {});

/// Returns the word for a quantifier in herd's logs: "Allowed", "Forbidden", "Required".
std::string_view herd_kind(Quantifier quantifier);

}  // namespace ambit
