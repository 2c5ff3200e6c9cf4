#include "model/events/looked.h"

namespace ambit::events {

Looked looked_at(const std::bitset<kBaseSets.size()>& sets, const std::bitset<kBaseRelations.size()>& relations,
                 const Program& program, const Questions& questions) {
  using Observables = Looked::Observables;
  const Condition& condition = program.condition;
  const bool needs_condition = condition.filter || (questions.proposition && condition.proposition);
  const Observables observables = questions.outcomes ? Observables::Each
                                  : needs_condition  ? Observables::Condition
                                                     : Observables::None;
  return {sets, relations, observables};
}

}  // namespace ambit::events
