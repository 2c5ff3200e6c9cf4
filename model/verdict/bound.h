#pragma once

#include <string>
#include <vector>

#include "model/verdict/verdict.h"

namespace ambit::verdict {

/// Can an allowed execution reach the loop bound. Unknown of a graph that is EventGraph::unfinished.
events::Possibility bound_possibility(const events::EventGraph& graph, const events::Answers& answers);

/// What is impossible within the bound is not known to be so when some execution goes beyond it.
events::Possibility beyond_bound(events::Possibility within, events::Possibility bound);

/// Can an incident of this kind happen. A graph holds the incidents of what was unrolled: where an execution can go
/// beyond that, any instruction that could cause one is taken into account as well. Unknown where it was not asked. A
/// flag of the model that was found possible counts as an undefined use.
events::Possibility incident_possibility(const Verdict& verdict, events::Incident::Kind kind);
/// The same of undefined uses, by incidents and by flags of the model (rules::Flag::is_misuse).
events::Possibility misuse_possibility(const Verdict& verdict);

/// "assertion failed" and the like, each kind that can happen once, with a question mark where that is not known.
std::vector<std::string> incident_texts(const Verdict& verdict);

}  // namespace ambit::verdict
