#include "api/edit/consequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "report/results/words.h"

namespace ambit::api {
namespace {

using events::EventId;
using events::Possibility;

std::string words_of(const std::optional<Frequency>& frequency) {
  return frequency ? std::string(to_string(*frequency)) : "in no execution";
}

std::string_view kind_words(const events::Event& event) {
  if (event.is_rmw) return "atomic update";
  if (event.is_write()) return event.is_atomic ? "atomic write" : "write";
  if (event.is_read()) return event.is_atomic ? "atomic read" : "read";
  return "operation";
}

}  // namespace

std::uint32_t Consequence::line_of(SourceSpan changed) const {
  const auto at = changed_.offset_of(changed);
  if (!at) return changed.line;
  const std::size_t old = std::min(repair::old_position(edits_, *at), source_.text.size());
  return 1 + static_cast<std::uint32_t>(
                 std::count(source_.text.begin(), source_.text.begin() + static_cast<std::ptrdiff_t>(old), '\n'));
}

std::string Consequence::access(const events::EventGraph& graph, const events::FlaggedPair& pair, EventId event,
                                bool names_cell) const {
  const events::Event& e = graph.events[event];
  const std::string cell =
      names_cell && e.is_access() ? " of " + graph.cell_name(event, pair.witness->locations[event]) : "";
  return fmt::format("{}'s {}{} (line {})", graph.thread_name(event), kind_words(e), cell, line_of(e.span));
}

std::string Consequence::race(const ModelAnswers& weaker) const {
  if (weaker.races.empty() || !weaker.graph) return "the program races";
  const events::EventGraph& graph = *weaker.graph;
  const events::FlaggedPair& pair = weaker.races.front();
  auto [first, second] = std::pair(pair.first, pair.second);
  if (graph.events[first].is_write() && !graph.events[second].is_write()) std::swap(first, second);
  std::set<std::pair<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>>> places;
  for (const events::FlaggedPair& each : weaker.races) {
    const SourceSpan& a = graph.events[each.first].span;
    const SourceSpan& b = graph.events[each.second].span;
    places.insert(std::minmax(std::pair(a.line, a.column), std::pair(b.line, b.column)));
  }
  std::string text =
      fmt::format("{} races with {}", access(graph, pair, first, true), access(graph, pair, second, false));
  if (places.size() > 1) {
    text += fmt::format("; {} other pair{} of statements race{}", places.size() - 1, places.size() > 2 ? "s" : "",
                        places.size() > 2 ? "" : "s");
  }
  return text;
}

std::string Consequence::condition(const ModelAnswers& source, const ModelAnswers& weaker) const {
  std::string text =
      fmt::format("the condition holds {} instead of {}", words_of(weaker.frequency), words_of(source.frequency));
  // If no outcome of the source satisfies (or none violates) the proposition, an outcome of the weaker program does.
  const auto& added = source.frequency == Frequency::Never ? weaker.holding : weaker.failing;
  if (added && weaker.graph && weaker.frequency && source.frequency) {
    text += ": " + report::outcome_text(*weaker.graph->program, *added);
  }
  return text;
}

std::string Consequence::of_verdicts(const ModelAnswers& source, const ModelAnswers& weaker) const {
  if (weaker.race != source.race && weaker.race == Possibility::Possible) return race(weaker);
  if (weaker.has_incident != source.has_incident) {
    return weaker.has_incident ? fmt::format("the program may have an error: {}", weaker.incidents.front())
                               : "the program has no error any more";
  }
  if (weaker.has_execution != source.has_execution) return "no execution completes";
  if (weaker.frequency != source.frequency) return condition(source, weaker);
  if (weaker.terminates != source.terminates) return of_termination(weaker);
  return {};
}

std::string Consequence::of_outcomes(const Program& program, const NamedOutcomes& source, const NamedOutcomes& weaker) {
  for (const events::Outcome& outcome : weaker.outcomes) {
    if (!has_other_outcomes({weaker.names, {outcome}}, source)) continue;
    return fmt::format("the program gains the outcome {}", report::outcome_text(program, outcome));
  }
  return {};
}

std::string Consequence::of_termination(const ModelAnswers& weaker) const {
  if (weaker.waits.empty() || !weaker.graph) return "some thread may wait forever";
  const termination::Wait& wait = weaker.waits.front();
  const std::string& thread = weaker.graph->program->threads[wait.thread].name;
  return fmt::format("{} may {} forever (line {})", thread,
                     wait.kind == termination::Wait::Kind::Loop ? "repeat a loop" : "wait", line_of(wait.span));
}

}  // namespace ambit::api
