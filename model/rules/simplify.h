#pragma once

#include <optional>

#include "model/rules/rules.h"

namespace ambit::rules {

/// A term of `rules` (interned if need be) that denotes the same as `term` in every execution and is simpler, when one
/// of a few cheap laws of relation algebra gives one: x | 0 = x, x & x = x, [S] ; [T] = [S & T], (r+)+ = r+, ...
std::optional<TermId> simplify(Rules& rules, const Term& term, Kind kind);

}  // namespace ambit::rules
