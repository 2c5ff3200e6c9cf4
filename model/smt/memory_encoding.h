#pragma once

#include "model/smt/values.h"

namespace ambit::smt {

/// Encodes rf, co and fr of candidate executions as exact literals, and the constraints on candidates.
class Memory {
 public:
  Memory(const events::EventGraph& graph, const Candidates& candidates, Choices& choices, Values& values,
         Literals& literals)
      : graph_(graph), candidates_(candidates), choices_(choices), values_(values), literals_(literals) {}

  Lit reads_from(events::EventId write, events::EventId read) const { return choices_.reads_from(write, read); }
  Lit coherence(events::EventId a, events::EventId b);
  /// Returns the literal for rf^-1 ; co.
  Lit from_reads(events::EventId read, events::EventId write);

  /// Requires that each executed read has exactly one source that is executed at the same location, and that values are
  /// grounded: acyclic(rf | addr | data | rmw).
  void require_candidate();

 private:
  void require_source(events::EventId read);
  void require_grounded();

  const events::EventGraph& graph_;
  const Candidates& candidates_;
  Choices& choices_;
  Values& values_;
  Literals& literals_;
};

}  // namespace ambit::smt
