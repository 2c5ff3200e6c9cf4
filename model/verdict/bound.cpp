#include "model/verdict/bound.h"

#include <fmt/format.h>

#include <algorithm>

namespace ambit::verdict {
namespace {

using events::Incident;
using events::Possibility;

bool may_cause(const Operation& operation, Incident::Kind kind) {
  const auto* barrier = std::get_if<Barrier>(&operation);
  switch (kind) {
    case Incident::Kind::AssertionFailed:
    case Incident::Kind::Misuse: {
      const auto* assertion = std::get_if<Assert>(&operation);
      return assertion != nullptr && assertion->misuse.empty() == (kind == Incident::Kind::AssertionFailed);
    }
    case Incident::Kind::BarrierDivergence: return barrier != nullptr;
    case Incident::Kind::OutOfBounds: {
      const MemoryAccess* access = access_of(operation);
      const bool is_computed = access != nullptr && !access->address.is_constant();
      return is_computed || (barrier != nullptr && barrier->resource && !barrier->resource->is_constant());
    }
  }
  return false;
}

bool may_cause(const Program& program, Incident::Kind kind) {
  return std::any_of(program.threads.begin(), program.threads.end(), [&](const Thread& thread) {
    return std::any_of(thread.code.begin(), thread.code.end(),
                       [&](const Instruction& instruction) { return may_cause(instruction.operation, kind); });
  });
}

/// Returns whether some flag of the model for undefined uses can be raised.
Possibility flagged_misuse(const Verdict& verdict) {
  Possibility found = Possibility::Impossible;
  for (std::size_t i = 0; i < verdict.rules->flags.size(); ++i) {
    if (!verdict.rules->flags[i].is_misuse()) continue;
    const auto& answers = verdict.answers.flags;
    const Possibility one = i < answers.size() ? answers[i].possibility : Possibility::Unknown;
    if (one == Possibility::Possible) return one;
    if (one == Possibility::Unknown) found = one;
  }
  return found;
}

}  // namespace

Possibility bound_possibility(const events::EventGraph& graph, const events::Answers& answers) {
  if (graph.unfinished) return Possibility::Unknown;
  return graph.bound_reached == events::ValueGraph::kFalse ? Possibility::Impossible : answers.bound.possibility;
}

Possibility beyond_bound(Possibility within, Possibility bound) {
  return within == Possibility::Impossible && bound != Possibility::Impossible ? Possibility::Unknown : within;
}

Possibility incident_possibility(const Verdict& verdict, Incident::Kind kind) {
  const auto& incidents = verdict.graph->incidents;
  const auto& answers = verdict.answers.incidents;
  Possibility found = Possibility::Impossible;
  if (kind == Incident::Kind::Misuse && flagged_misuse(verdict) == Possibility::Possible) return Possibility::Possible;
  for (std::size_t i = 0; i < incidents.size(); ++i) {
    if (incidents[i].kind != kind) continue;
    const Possibility one = i < answers.size() ? answers[i].possibility : Possibility::Unknown;
    if (one == Possibility::Possible) return one;
    if (one == Possibility::Unknown) found = one;
  }
  return may_cause(*verdict.graph->program, kind)
             ? beyond_bound(found, bound_possibility(*verdict.graph, verdict.answers))
             : found;
}

Possibility misuse_possibility(const Verdict& verdict) {
  const Possibility incident = incident_possibility(verdict, Incident::Kind::Misuse);
  return incident == Possibility::Impossible ? flagged_misuse(verdict) : incident;
}

std::vector<std::string> incident_texts(const Verdict& verdict) {
  using Kind = Incident::Kind;
  std::vector<std::string> texts;
  for (const Kind kind : {Kind::AssertionFailed, Kind::OutOfBounds, Kind::BarrierDivergence, Kind::Misuse}) {
    const Possibility possibility = incident_possibility(verdict, kind);
    if (possibility == Possibility::Impossible) continue;
    texts.push_back(fmt::format("{}{}", to_string(kind), possibility == Possibility::Unknown ? " ?" : ""));
  }
  return texts;
}

}  // namespace ambit::verdict
