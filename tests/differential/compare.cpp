#include "tests/differential/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "base/context.h"
#include "model/eval/enumerate.h"
#include "model/eval/evaluator.h"
#include "model/events/event_graph.h"
#include "model/events/symmetry.h"
#include "model/rules/base_terms.h"
#include "model/rules/implied_axioms.h"
#include "model/rules/shipped.h"
#include "parser/parse.h"

namespace ambit::differential {
namespace {

using events::Answers;
using events::EventGraph;
using events::Execution;
using events::Possibility;
using events::Witnessed;

std::string_view name(Possibility possibility) {
  switch (possibility) {
    case Possibility::Impossible: return "impossible";
    case Possibility::Possible: return "possible";
    case Possibility::Unknown: return "unknown";
  }
  return "?";
}

class Judge {
 public:
  enum class Pairs : std::uint8_t {
    All,            ///< both engines list every flagged pair
    OneOfEachPlace  ///< for each two places and cell, the second engine lists at least one pair
  };

  Judge(const EventGraph& graph, const rules::Rules& rules, Pairs pairs = Pairs::All)
      : graph_(graph), rules_(rules), pairs_(pairs) {}

  std::string difference(const Answers& oracle, const Answers& smt) {
    witnessed("any", oracle.any, smt.any);
    if (graph_.program->condition.proposition) {
      witnessed("holds", oracle.holds, smt.holds);
      witnessed("fails", oracle.fails, smt.fails);
    }
    possibility("bound", oracle.bound.possibility, smt.bound.possibility);
    for (std::size_t i = 0; i < graph_.incidents.size(); ++i) {
      witnessed(fmt::format("incident {}", i), oracle.incidents.at(i), smt.incidents.at(i));
    }
    for (std::size_t i = 0; i < rules_.flags.size(); ++i)
      flag(rules_.flags[i].name, oracle.flags.at(i), smt.flags.at(i));
    if (oracle.outcomes != smt.outcomes) {
      report(fmt::format("outcomes: explicit {}, smt {}", oracle.outcomes.size(), smt.outcomes.size()));
    }
    return first_;
  }

 private:
  void report(std::string what) {
    if (first_.empty()) first_ = std::move(what);
  }
  void possibility(std::string_view what, Possibility oracle, Possibility smt) {
    if (oracle != smt) report(fmt::format("{}: explicit {}, smt {}", what, name(oracle), name(smt)));
  }
  void witness(std::string_view what, std::string_view engine, const Execution& execution) {
    if (const auto flaw = eval::find_flaw(graph_, rules_, execution)) {
      report(fmt::format("{}: witness of {}: {}", what, engine, *flaw));
    }
  }
  void witnessed(std::string_view what, const Witnessed& oracle, const Witnessed& smt) {
    possibility(what, oracle.possibility, smt.possibility);
    if (oracle.witness) witness(what, "explicit", *oracle.witness);
    if (smt.witness) witness(what, "smt", *smt.witness);
  }
  void flag(const std::string& what, const events::FlagAnswer& oracle, const events::FlagAnswer& smt) {
    possibility(what, oracle.possibility, smt.possibility);
    EventPairs expected;
    EventPairs found;
    for (const auto& pair : oracle.pairs) {
      expected.emplace(pair.first, pair.second);
      witness(what, "explicit", *pair.witness);
    }
    for (const auto& pair : smt.pairs) {
      found.emplace(pair.first, pair.second);
      witness(what, "smt", *pair.witness);
    }
    const bool is_same = pairs_ == Pairs::All
                             ? expected == found
                             : std::ranges::includes(expected, found) && places(expected) == places(found);
    if (!is_same) report(fmt::format("{}: explicit {} pairs, smt {}", what, expected.size(), found.size()));
  }

  using EventPairs = std::set<std::pair<events::EventId, events::EventId>>;
  using Place = std::pair<std::uint32_t, std::uint32_t>;

  std::set<std::tuple<Place, Place, std::vector<LocationId>>> places(const EventPairs& pairs) const {
    std::set<std::tuple<Place, Place, std::vector<LocationId>>> result;
    for (const auto& [a, b] : pairs) {
      const auto place = [&](events::EventId e) {
        return Place{graph_.events[e].span.line, graph_.events[e].span.column};
      };
      result.emplace(std::min(place(a), place(b)), std::max(place(a), place(b)), graph_.events[a].locations);
    }
    return result;
  }

  const EventGraph& graph_;
  const rules::Rules& rules_;
  Pairs pairs_;
  std::string first_;
};

events::Symmetry symmetry_of(const EventGraph& graph, const events::Looked& looked) {
  Context no_limits;
  return events::Symmetry::find(graph, looked, no_limits);
}

Context limited(unsigned timeout_milliseconds) {
  Context context;
  context.set_timeout(std::chrono::milliseconds(timeout_milliseconds));
  return context;
}

}  // namespace

Comparison compare(const std::shared_ptr<const Program>& program, const rules::Rules& rules, smt::Solver& solver,
                   unsigned timeout_milliseconds) {
  events::GraphOptions options;
  options.mappings = rules.mappings;
  const Result<EventGraph> graph = events::build(program, options);
  if (!graph) return {Comparison::Kind::Disagreed, "no event graph: " + render(graph.errors())};
  events::Questions questions;
  questions.every_pair = true;
  questions.outcomes = true;
  Context explicit_context = limited(timeout_milliseconds);
  const Answers oracle = eval::enumerate(graph.value(), rules, questions, explicit_context);
  if (oracle.unknown) return {Comparison::Kind::Skipped, fmt::format("explicit: {}", to_string(*oracle.unknown))};
  Context smt_context = limited(timeout_milliseconds);
  // As in `check`, the solver gets the rules without implied axioms. The explicit engine gets all rules.
  const rules::Rules fewer = rules::without_implied_axioms(rules);
  const Answers smt = solver.solve(graph.value(), fewer, questions, smt_context, false);
  if (smt.unknown) return {Comparison::Kind::Skipped, fmt::format("smt: {}", to_string(*smt.unknown))};
  const std::string difference = Judge(graph.value(), rules).difference(oracle, smt);
  if (difference.empty()) return {};
  return {Comparison::Kind::Disagreed, difference};
}

Comparison compare_symmetry(const std::shared_ptr<const Program>& program, const rules::Rules& rules,
                            smt::Solver& solver, unsigned timeout_milliseconds) {
  events::GraphOptions options;
  options.mappings = rules.mappings;
  Context context = limited(2 * timeout_milliseconds);
  const Result<EventGraph> graph = events::build(program, options);
  if (!graph) return {Comparison::Kind::Disagreed, "no event graph: " + render(graph.errors())};
  events::Questions questions;
  questions.outcomes = true;
  questions.every_pair = true;
  const Answers all = solver.solve(graph.value(), rules, questions, context, false);
  questions.every_pair = false;
  const Answers one = solver.solve(graph.value(), rules, questions, context, true);
  for (const Answers* answers : {&all, &one}) {
    if (answers->unknown) return {Comparison::Kind::Skipped, fmt::format("smt: {}", to_string(*answers->unknown))};
  }
  const std::string difference = Judge(graph.value(), rules, Judge::Pairs::OneOfEachPlace).difference(all, one);
  if (!difference.empty()) return {Comparison::Kind::Disagreed, "with symmetry: " + difference};
  questions.every_pair = true;
  const rules::BaseTerms terms = rules::base_terms(rules);
  const auto looked = events::looked_at(terms.sets, terms.relations, *program, questions);
  Context exchanging = limited(timeout_milliseconds / 10);
  const Answers up_to_exchanges =
      eval::enumerate(graph.value(), rules, questions, exchanging, std::nullopt, symmetry_of(graph.value(), looked));
  if (up_to_exchanges.unknown) return {Comparison::Kind::AgreedInPart, ""};
  const std::string third = Judge(graph.value(), rules).difference(up_to_exchanges, all);
  if (!third.empty()) return {Comparison::Kind::Disagreed, "explicit with symmetry: " + third};
  Context explicit_context = limited(timeout_milliseconds / 10);
  const Answers oracle = eval::enumerate(graph.value(), rules, questions, explicit_context);
  if (oracle.unknown) return {};
  const std::string other = Judge(graph.value(), rules).difference(oracle, all);
  if (other.empty()) return {};
  return {Comparison::Kind::Disagreed, other};
}

std::vector<std::shared_ptr<const rules::Rules>> Models::pick(std::uint64_t seed, Programs programs,
                                                              std::uint64_t most) {
  std::vector<std::shared_ptr<const rules::Rules>> picked;
  const auto models = rules::shipped_models();
  const std::uint64_t count = most == 0 ? models.size() : std::min<std::uint64_t>(most, models.size());
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string plain(models[(seed * count + i) % models.size()]);
    auto& defaults = loaded_[plain];
    if (!defaults) {
      auto result = parser::load_model(plain);
      if (!result) throw std::runtime_error(render(result.errors()));
      defaults = result.value();
    }
    if (programs == Programs::Transactional && !defaults->mappings.transactions) continue;
    // Every third seed sets all options; the other seeds keep the defaults.
    std::map<std::string, std::string> chosen;
    std::string key = plain;
    if (seed % 3 == 0) {
      std::uint64_t digits = seed / 3;
      for (const rules::ModelOption& option : defaults->options) {
        chosen[option.name] = option.values[digits % option.values.size()];
        key += "," + option.name + "=" + chosen[option.name];
        digits /= option.values.size();
      }
    }
    auto& entry = loaded_[key];
    if (!entry) {
      auto result = parser::load_model(plain, chosen);
      if (!result) throw std::runtime_error(render(result.errors()));
      entry = result.value();
    }
    picked.push_back(entry);
  }
  return picked;
}

}  // namespace ambit::differential
