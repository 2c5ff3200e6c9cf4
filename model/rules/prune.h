#pragma once

#include "model/rules/rules.h"

namespace ambit::rules {

/// The same model without the terms, fixed points and definitions that no axiom, flag or order needs: what is left is
/// what an engine has to look at. Ids are new; their sequence stays.
Rules prune(const Rules& rules);

}  // namespace ambit::rules
