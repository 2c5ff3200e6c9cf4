#include "report/draw/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/vocabulary.h"
#include "report/results/words.h"
#include "report/text/explain_words.h"

namespace ambit::report {
namespace {

using events::Event;
using events::EventGraph;
using events::EventId;
using events::EventKind;
using events::Execution;
using explain::Chain;
using explain::Edit;
using explain::Link;

ArrowKind kind_of(const Link& link) {
  if (link.kind == Link::Kind::Named) return ArrowKind::Named;
  if (!link.base) return ArrowKind::Other;
  switch (*link.base) {
    case BaseRelation::ProgramOrder: return ArrowKind::ProgramOrder;
    case BaseRelation::ReadsFrom: return ArrowKind::ReadsFrom;
    case BaseRelation::Coherence: return ArrowKind::Coherence;
    case BaseRelation::FromReads: return ArrowKind::FromReads;
    case BaseRelation::BarrierSync: return ArrowKind::Barrier;
    default: return ArrowKind::Other;
  }
}

/// Returns the meaning of a relation for the legend; nothing if the model does not describe it.
std::string meaning_of(const Link& link) {
  if (link.kind == Link::Kind::Order) return "a total order that the model declares";
  if (link.base) return std::string(kBaseRelations[static_cast<std::size_t>(*link.base)].meaning);
  if (link.phrase.empty()) return {};
  return link.is_role() ? link.phrase : filled(link.phrase, "the first event", "the second event");
}

class PictureMaker {
 public:
  PictureMaker(std::shared_ptr<const EventGraph> graph, const Execution& execution, std::string title,
               const PictureOptions& options)
      : options_(options) {
    picture_.graph = std::move(graph);
    picture_.execution = execution;
    picture_.title = std::move(title);
  }

  /// Adds arrows for the chain of an explanation. Arrows of base relations are thick. Also adds a relation of the model
  /// if the relation spans several links or joins a release to an acquire.
  void explain(const Chain& chain) {
    for (const Link& link : readable(*picture_.graph, chain)) add(link);
    for (const Link& link : explain::unwrap(chain)) {
      if (link.kind == Link::Kind::Named && readable(*picture_.graph, {link}).size() > 1) add(link);
    }
    synchronization(chain);
  }

  /// Adds relations that consist of parts with roles, such as a release pattern. Omits a relation if an arrow already
  /// joins the two events.
  void synchronization(const Chain& chain) {
    for (const Link& link : chain) {
      const bool has_roles =
          std::any_of(link.parts.begin(), link.parts.end(), [](const Link& part) { return part.is_role(); });
      const bool is_drawn = std::any_of(picture_.arrows.begin(), picture_.arrows.end(), [&](const Arrow& other) {
        return other.from == link.from && other.to == link.to;
      });
      if (!has_roles) {
        synchronization(link.parts);
      } else if (!is_drawn) {
        add(link);
      }
    }
  }

  void add(const Link& link) {
    const EventId from = link.is_reversed ? link.to : link.from;
    const EventId to = link.is_reversed ? link.from : link.to;
    arrow({from, to, kind_of(link), link.name, meaning_of(link), true});
  }

  void arrow(Arrow arrow) {
    const auto same = [&](const Arrow& other) {
      return std::tie(other.from, other.to, other.label) == std::tie(arrow.from, arrow.to, arrow.label);
    };
    if (is_one_operation(arrow.from, arrow.to)) return;
    const auto known = std::find_if(picture_.arrows.begin(), picture_.arrows.end(), same);
    if (known == picture_.arrows.end()) {
      picture_.arrows.push_back(std::move(arrow));
    } else {
      known->matters = known->matters || arrow.matters;
    }
  }

  /// Adds reads-from and the coherence order of each location. Initial values need the option `all`.
  void communication() {
    const EventGraph& graph = *picture_.graph;
    const Execution& execution = picture_.execution;
    execution.executed.for_each([&](EventId e) {
      if (!graph.events[e].is_read() || execution.reads_from[e] == events::kNoEvent) return;
      const bool is_initial = graph.events[execution.reads_from[e]].kind == EventKind::InitialWrite;
      const bool is_own = graph.events[execution.reads_from[e]].thread == graph.events[e].thread;
      if ((is_initial || is_own) && !options_.all) return;
      arrow({execution.reads_from[e], e, ArrowKind::ReadsFrom, "rf", {}, false});
      if (options_.all) from_reads(e);
    });
    for (const auto& writes : execution.coherence) {
      for (std::size_t i = 1; i < writes.size(); ++i) {
        // Omits a pair of the coherence order that the picture already shows. For a read-modify-write, rf shows the
        // pair, because a read-modify-write overwrites the value that it reads. For writes of one thread, program order
        // shows the pair.
        const EventId partner = graph.events[writes[i]].rmw_partner;
        const bool is_shown = partner != events::kNoEvent && execution.executed.contains(partner) &&
                              execution.reads_from[partner] == writes[i - 1];
        const bool is_own = graph.events[writes[i]].thread == graph.events[writes[i - 1]].thread;
        if ((i == 1 || is_shown || is_own) && !options_.all) continue;
        arrow({writes[i - 1], writes[i], ArrowKind::Coherence, "co", {}, false});
      }
    }
  }

  Picture picture_;

 private:
  bool is_one_operation(EventId a, EventId b) const { return a == b || picture_.graph->events[a].rmw_partner == b; }

  void from_reads(EventId read) {
    const auto& writes = picture_.execution.coherence[picture_.execution.locations[read]];
    const auto source = std::find(writes.begin(), writes.end(), picture_.execution.reads_from[read]);
    if (source == writes.end() || source + 1 == writes.end()) return;
    arrow({read, *(source + 1), ArrowKind::FromReads, "fr", {}, false});
  }

  PictureOptions options_;
};

void add_path(PictureMaker& maker, const explain::Path& path) {
  for (std::size_t i = 1; i < path.size(); ++i) {
    using Via = explain::PathStep::Via;
    if (path[i].via == Via::ReadsFrom) {
      maker.arrow({path[i - 1].event, path[i].event, ArrowKind::ReadsFrom, "rf", {}, true});
    } else if (path[i].via == Via::Barrier) {
      maker.arrow({path[i - 1].event, path[i].event, ArrowKind::Barrier, "barrier", {}, true});
    }
  }
}

/// Marks the places that a repair changes, and draws the fences that it adds.
void add_missing(PictureMaker& maker, const explain::Repair& repair) {
  const EventGraph& graph = *maker.picture_.graph;
  const Execution& execution = maker.picture_.execution;
  for (const Edit& edit : repair.edits) {
    const bool is_barrier = edit.kind == Edit::Kind::AddBarrier;
    for (const auto& [thread, index] : is_barrier ? edit.second->instances : edit.site.instances) {
      for (EventId e = 0; e < graph.size(); ++e) {
        const Event& event = graph.events[e];
        if (event.thread != thread || event.instruction != index || !execution.executed.contains(e)) continue;
        if (is_barrier) {
          maker.picture_.ghosts.push_back({e, "no barrier here"});
        } else if (edit.kind == Edit::Kind::AddFence) {
          maker.picture_.ghosts.push_back({e, fmt::format("no fence here ({} scope)", ambit::to_string(edit.scope))});
        } else {
          maker.picture_.marked.push_back(e);
        }
        break;
      }
    }
  }
}

}  // namespace

std::optional<Picture> picture_of(const explain::OutcomeExplanation& explanation, std::string_view question,
                                  const PictureOptions& options) {
  const std::string& name = explanation.graph->program->name;
  if (explanation.witness) {
    PictureMaker maker(explanation.graph, *explanation.witness,
                       fmt::format("{}: {}\nallowed by {}", name, question, explanation.model), options);
    maker.explain(explanation.weak_cycle);
    maker.communication();
    return std::move(maker.picture_);
  }
  if (explanation.violations.empty()) return std::nullopt;
  const explain::Violation& violation = explanation.violations.front();
  const bool is_racy = explanation.races && explanation.races->race == events::Possibility::Possible;
  PictureMaker maker(explanation.graph, violation.execution,
                     fmt::format("{}: {}\n{} {}, axiom {}", name, question,
                                 is_racy ? "the program races; not an execution of" : "forbidden by", explanation.model,
                                 explanation.rules->axioms[violation.axiom].name),
                     options);
  maker.explain(violation.chain);
  maker.communication();
  return std::move(maker.picture_);
}

std::optional<Picture> picture_of(const explain::RaceExplanation& explanation, const PictureOptions& options) {
  const std::string& name = explanation.graph->program->name;
  if (!explanation.races.empty()) {
    const explain::ExplainedRace& race = explanation.races.front();
    const std::string where =
        race.location ? explanation.graph->program->locations[*race.location].name : std::string();
    PictureMaker maker(
        explanation.graph, race.witness,
        fmt::format("{}: race{}{}\nunder {}", name, where.empty() ? "" : " on ", where, explanation.model), options);
    if (!race.paths.empty()) add_path(maker, race.paths.front());
    maker.communication();
    if (!race.repairs.empty()) add_missing(maker, race.repairs.front());
    maker.arrow({race.first, race.second, ArrowKind::Race, "race: no order", {}, true});
    return std::move(maker.picture_);
  }
  if (explanation.ordered.empty()) return std::nullopt;
  const auto chosen = std::find_if(explanation.ordered.begin(), explanation.ordered.end(),
                                   [](const explain::OrderedPair& pair) { return !pair.chain.empty(); });
  const explain::OrderedPair& pair = chosen == explanation.ordered.end() ? explanation.ordered.front() : *chosen;
  PictureMaker maker(explanation.graph, pair.execution, fmt::format("{}: no race\nunder {}", name, explanation.model),
                     options);
  maker.explain(pair.chain);
  maker.communication();
  return std::move(maker.picture_);
}

}  // namespace ambit::report
