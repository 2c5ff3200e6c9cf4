#include "model/smt/solve.h"

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/events/symmetry.h"
#include "model/rules/base_terms.h"
#include "model/smt/interrogation.h"
#include "model/smt/known_answers.h"
#include "model/smt/normalize.h"

namespace ambit::smt {
namespace {

constexpr const char* kTooLarge = "the encoding of the program takes more";

events::Answers nothing_known(const events::EventGraph& graph, const rules::Rules& rules, UnknownReason reason,
                              std::string detail) {
  events::Answers answers;
  answers.flags.resize(rules.flags.size());
  answers.incidents.resize(graph.incidents.size());
  answers.unknown = reason;
  answers.unknown_detail = std::move(detail);
  return answers;
}

/// Returns whether a flag may report a pair at a cell that an exchange maps to another cell. This pair would represent
/// pairs at other cells.
bool moves_flags(const events::EventGraph& graph, const Problem& problem, const events::Symmetry& symmetry) {
  const auto is_moved = [&](events::EventId e) {
    return e != events::kNoEvent && std::ranges::any_of(graph.events[e].locations,
                                                        [&](LocationId location) { return symmetry.moves(location); });
  };
  return std::ranges::any_of(problem.flagged, [&](const Problem::FlaggedLiteral& pair) {
    return pair.literal != kFalse && (is_moved(pair.first) || is_moved(pair.second));
  });
}

/// Adds the images of flagged pairs under exchanges. The queries may miss these images, because the queries consider
/// only one order of symmetric writes.
void add_images(events::Answers& answers, const events::EventGraph& graph, const events::Symmetry& symmetry) {
  if (symmetry.is_trivial()) return;
  std::vector<events::EventId> first(graph.program->threads.size(), events::kNoEvent);
  for (events::EventId e = 0; e < graph.size(); ++e) {
    const std::uint32_t thread = graph.events[e].thread;
    if (thread != events::kNoThread) first[thread] = std::min(first[thread], e);
  }
  for (events::FlagAnswer& flag : answers.flags) {
    std::set<std::pair<events::EventId, events::EventId>> known;
    std::set<std::array<std::uint32_t, 5>> mapped;  // all pairs with the same images
    for (const events::FlaggedPair& pair : flag.pairs) known.insert(std::minmax(pair.first, pair.second));
    for (const events::FlaggedPair& pair : flag.pairs) {
      const std::uint32_t a = pair.first == events::kNoEvent ? events::kNoThread : graph.events[pair.first].thread;
      const std::uint32_t b = pair.first == events::kNoEvent ? events::kNoThread : graph.events[pair.second].thread;
      if (a == events::kNoThread || b == events::kNoThread) continue;
      const std::vector<std::uint32_t> like_a = symmetry.alike(a);
      const std::vector<std::uint32_t> like_b = symmetry.alike(b);
      const std::array<std::uint32_t, 5> images = {like_a.front(), pair.first - first[a], like_b.front(),
                                                   pair.second - first[b], a == b ? 1U : 0U};
      if (!mapped.insert(images).second) continue;
      for (const std::uint32_t t : like_a) {
        for (const std::uint32_t u : like_b) {
          if ((t == u) != (a == b)) continue;
          const std::pair<events::EventId, events::EventId> image =
              std::minmax(first[t] + (pair.first - first[a]), first[u] + (pair.second - first[b]));
          if (!known.contains(image)) flag.unchecked.push_back(image);
        }
      }
    }
    std::ranges::sort(flag.unchecked);
    const auto twice = std::ranges::unique(flag.unchecked);
    flag.unchecked.erase(twice.begin(), twice.end());
  }
}

/// Answers the questions with symmetry. Returns nothing if a flagged cell could represent other cells; the caller must
/// then answer without symmetry. Throws Stopped if a limit is reached before any answer is found.
std::optional<events::Answers> answer_once(const events::EventGraph& graph, const rules::Rules& rules,
                                           const events::Questions& questions, Context& context, SatSolver& solver,
                                           const events::Symmetry& symmetry, const events::Answers& known) {
  Problem problem(graph, rules, context, solver, Problem::Axioms::Required, symmetry);
  const bool is_settled = settle(problem, graph, rules, questions, known);
  const std::optional<UnknownReason> failed = is_settled ? std::nullopt : problem.encode(questions);
  if (failed) return nothing_known(graph, rules, *failed, "a read can return more values than the solver follows");
  if (moves_flags(graph, problem, symmetry)) return std::nullopt;
  Interrogation interrogation(graph, rules, questions, context, solver, problem);
  interrogation.take(known);
  events::Answers answers = interrogation.run();
  add_images(answers, graph, symmetry);
  answers.alike = symmetry.alike_threads();
  context.statistics.add("smt.variables", static_cast<double>(problem.literals().variable_count()));
  context.statistics.add("smt.clauses", static_cast<double>(problem.literals().clause_count()));
  return answers;
}

/// Answers the questions. The caller must have exclusive use of the solver. If a limit is reached, the answers name
/// this limit.
events::Answers answer_within_limits(const events::EventGraph& graph, const rules::Rules& rules,
                                     const events::Questions& questions, Context& context, SatSolver& solver,
                                     const events::Symmetry& symmetry, const events::Answers& known) {
  solver.begin(context);
  events::Answers answers;
  try {
    std::optional<events::Answers> found = answer_once(graph, rules, questions, context, solver, symmetry, known);
    if (!found) {
      solver.end();
      solver.begin(context);
      found = answer_once(graph, rules, questions, context, solver, {}, known);
    }
    answers = *std::move(found);
  } catch (const Stopped& stopped) {
    answers =
        nothing_known(graph, rules, stopped.reason,
                      stopped.reason == UnknownReason::Memory ? kTooLarge : "the program was not encoded in time");
  } catch (const std::bad_alloc&) {
    answers = nothing_known(graph, rules, UnknownReason::Memory, kTooLarge);
  }
  solver.end();
  return answers;
}

}  // namespace

struct Solver::State {
  SatSolver solver;
};

Solver::Solver() : state_(std::make_unique<State>()) {}
Solver::~Solver() = default;

events::Answers Solver::solve(const events::EventGraph& graph, const rules::Rules& rules,
                              const events::Questions& questions, Context& context, bool use_symmetry,
                              const events::Answers& known) {
  const std::optional<rules::Rules> rewritten = normalized(rules);
  const rules::Rules& used = rewritten ? *rewritten : rules;
  const auto symmetry_for = [&](const events::Questions& queried) {
    if (!use_symmetry || queried.every_pair) return events::Symmetry();
    const rules::BaseTerms terms = rules::base_terms(used);
    return events::Symmetry::find(graph, events::looked_at(terms.sets, terms.relations, *graph.program, queried),
                                  context);
  };
  try {
    const events::Symmetry symmetry = symmetry_for(questions);
    if (!questions.outcomes || !symmetry.is_trivial()) {
      return answer_within_limits(graph, used, questions, context, state_->solver, symmetry, known);
    }
    // The question about outcomes distinguishes some threads that are exchangeable for the other questions.
    events::Questions others = questions;
    others.outcomes = false;
    const events::Symmetry of_others = symmetry_for(others);
    if (of_others.is_trivial())
      return answer_within_limits(graph, used, questions, context, state_->solver, symmetry, known);
    events::Answers answers = answer_within_limits(graph, used, others, context, state_->solver, of_others, known);
    if (answers.unknown) return answers;
    constexpr events::Questions kOutcomes{.proposition = false, .flags = false, .incidents = false, .outcomes = true};
    events::Answers listed = answer_within_limits(graph, used, kOutcomes, context, state_->solver, symmetry, known);
    answers.outcomes = std::move(listed.outcomes);
    answers.unknown = listed.unknown;
    answers.unknown_detail = std::move(listed.unknown_detail);
    return answers;
  } catch (const Stopped& stopped) {
    return nothing_known(graph, rules, stopped.reason, "the program was not encoded in time");
  } catch (const std::bad_alloc&) {
    return nothing_known(graph, rules, UnknownReason::Memory, kTooLarge);
  }
}

}  // namespace ambit::smt
