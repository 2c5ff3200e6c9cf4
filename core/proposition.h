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

/// A function that returns the name of the cell at an address, such as "pool[1]". Returns nothing if the number is not
/// an address (Program::pointer_name).
using CellOfAddress = std::function<std::optional<std::string>(Value)>;

/// Returns the text of a condition's expression. `names` contains the names of the observables. The Register leaves are
/// indices into `names`. Omits implicit conversions, because a parser of the text adds them again. Herd's syntax has no
/// arithmetic and no comparison except =, so arithmetic and other comparisons always have the syntax of C. If `cell_of`
/// is given, an address has the form &pool[1] in C and pool[1] in herd's syntax. Otherwise an address is a number.
std::string proposition_text(const Expr& proposition, const std::vector<std::string>& names, PropositionSyntax syntax,
                             const CellOfAddress& cell_of = {});

/// Returns the word for a quantifier in herd's logs: "Allowed", "Forbidden", "Required".
std::string_view herd_kind(Quantifier quantifier);

}  // namespace ambit
