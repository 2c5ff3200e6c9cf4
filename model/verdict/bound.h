#pragma once

#include <string>
#include <vector>

#include "model/verdict/verdict.h"

namespace ambit::verdict {

/// Returns whether an allowed execution can reach the loop bound; Unknown if EventGraph::unfinished is set.
events::Possibility bound_possibility(const events::EventGraph& graph, const events::Answers& answers);

/// Returns Unknown if `within` is Impossible and some execution may exceed the bound; otherwise returns `within`.
events::Possibility beyond_bound(events::Possibility within, events::Possibility bound);

/// Returns whether an incident of this kind can happen. A graph has only the incidents of the unrolled code. If an
/// execution can run past the unrolled code, each instruction that could cause an incident makes the answer Unknown.
/// Returns Unknown if the question was not requested. If a misuse flag can be raised, an undefined use can happen.
events::Possibility incident_possibility(const Verdict& verdict, events::Incident::Kind kind);
/// Returns whether undefined uses can happen, according to incidents and flags of the model (rules::Flag::is_misuse).
events::Possibility misuse_possibility(const Verdict& verdict);

/// Returns a text for each kind of incident that can happen, such as "assertion failed". The text has a question mark
/// if the answer is unknown.
std::vector<std::string> incident_texts(const Verdict& verdict);

}  // namespace ambit::verdict
