#pragma once

#include <string>
#include <vector>

#include "model/verdict/verdict.h"

namespace ambit::verdict {

/// Returns whether an allowed execution can reach the loop bound. Unknown if the graph is EventGraph::unfinished.
events::Possibility bound_possibility(const events::EventGraph& graph, const events::Answers& answers);

/// Returns Unknown in place of Impossible within the bound, if some execution goes beyond the bound.
events::Possibility beyond_bound(events::Possibility within, events::Possibility bound);

/// Returns whether an incident of this kind can happen. A graph has only the incidents of the unrolled code: if an
/// execution can go beyond that, any instruction that could cause an incident counts as well. Unknown if it was not
/// requested. A possible misuse flag of the model counts as an undefined use.
events::Possibility incident_possibility(const Verdict& verdict, events::Incident::Kind kind);
/// Returns whether undefined uses can happen, by incidents and by flags of the model (rules::Flag::is_misuse).
events::Possibility misuse_possibility(const Verdict& verdict);

/// Returns "assertion failed" and similar texts, once for each kind that can happen, with a question mark if that is
/// unknown.
std::vector<std::string> incident_texts(const Verdict& verdict);

}  // namespace ambit::verdict
