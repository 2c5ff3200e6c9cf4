#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "report/results/words.h"
#include "report/text/explain_steps.h"
#include "report/text/explain_text.h"
#include "report/text/table.h"
#include "report/text/witness_text.h"

namespace ambit::report {
namespace {

using events::EventGraph;
using events::EventId;
using events::Possibility;
using explain::Edit;
using explain::ExplainedRace;
using explain::OrderedPair;
using explain::Path;
using explain::PathStep;
using explain::RaceExplanation;

class RaceWriter {
 public:
  RaceWriter(const RaceExplanation& explanation, const Style& style, const ExplainOptions& options)
      : explanation_(explanation), graph_(*explanation.graph), style_(style), options_(options) {}

  std::string write() {
    if (!explanation_.model_speaks_of_races) {
      headline(style_.doubtful("NO ANSWER"), "this model does not define races");
    } else if (explanation_.possibility == Possibility::Possible) {
      racing();
    } else if (explanation_.possibility == Possibility::Impossible) {
      race_free();
    } else {
      headline(style_.doubtful("UNKNOWN"), "Ambit could not decide whether the test has a race");
      if (explanation_.unknown) item(unknown_text(*explanation_.unknown, explanation_.unknown_detail));
    }
    return screenful(out_, options_.full);
  }

 private:
  void headline(std::string_view word, std::string_view meaning) {
    out_ += fmt::format("{}  {} under {}: {}\n", word, graph_.program->name, explanation_.model, meaning);
  }
  void title(std::string_view text) { out_ += "\n" + style_.strong(text) + "\n"; }
  void item(const std::string& text, std::size_t indent = 2) {
    out_ += std::string(indent, ' ') + wrapped(text, indent + 2, options_.width) + "\n";
  }

  std::string source(EventId event) const {
    return std::string(source_text(*graph_.program, graph_.events[event].span));
  }

  void racing() {
    headline(style_.bad("RACE"), plural(explanation_.races.size(), "race"));
    bool is_first = true;
    for (const ExplainedRace& race : explanation_.races) {
      if (!is_first && !options_.full) {
        others();
        return;
      }
      one(race);
      is_first = false;
    }
  }

  void others() {
    title("The other races (--full explains them too)");
    std::size_t shown = 0;
    for (const ExplainedRace& race : explanation_.races) {
      if (&race == &explanation_.races.front()) continue;
      if (++shown > 4) {
        item(fmt::format("and {} more", explanation_.races.size() - shown));
        return;
      }
      const EventWords words(graph_, race.witness);
      item(fmt::format("{} and {}", words.noun(race.first), words.noun(race.second)));
    }
  }

  void one(const ExplainedRace& race) {
    const std::string where = race.location ? " on " + graph_.program->locations[*race.location].name : std::string();
    title(fmt::format("The race{} ({})", where, race.flag));
    Table table({Table::Align::Left, Table::Align::Left, Table::Align::Left, Table::Align::Left});
    add_access(table, race, race.first);
    if (race.second != race.first) add_access(table, race, race.second);
    out_ += table.render(2);
    missing_link(race);
    paths(race);
    title("One execution in which it happens");
    out_ += witness_text(graph_, *explanation_.rules, race.witness, style_, 2);
  }

  void add_access(Table& table, const ExplainedRace& race, EventId event) const {
    table.add({graph_.thread_name(event), place(graph_.events[event].span), access_text(graph_, race.witness, event),
               style_.faint(source(event))});
  }

  /// Returns the place of an access: "line 3", or "line 3:9" if some race has an access at another place on the same
  /// line.
  std::string place(const SourceSpan& span) const {
    if (span.line == 0) return {};
    const auto is_other = [&](EventId event) {
      const SourceSpan& other = graph_.events[event].span;
      return other.line == span.line && other.column != span.column;
    };
    const bool is_shared = std::ranges::any_of(
        explanation_.races, [&](const ExplainedRace& race) { return is_other(race.first) || is_other(race.second); });
    return is_shared ? fmt::format("line {}:{}", span.line, span.column) : fmt::format("line {}", span.line);
  }

  void missing_link(const ExplainedRace& race) {
    title("The missing link");
    if (!race.is_analysed) {
      item("Ambit looked for the missing link of the first race only.");
      return;
    }
    if (race.repairs.empty()) {
      nothing_found(race);
      return;
    }
    for (const std::string& line : missing_link_text(explanation_, race, race.repairs.front())) item(line);
    const std::size_t more = options_.full ? race.repairs.size() : std::min<std::size_t>(race.repairs.size(), 2);
    for (std::size_t i = 1; i < more; ++i) {
      for (const std::string& line : missing_link_text(explanation_, race, race.repairs[i])) item("Or: " + line);
    }
    item(race.repairs.front().edits.size() == 1 ? "This change alone removes the race."
         : is_search_complete(race)             ? "These changes together remove the race; fewer do not."
                                                : "These changes remove the race; fewer may be enough.");
    untried(race);
  }

  /// Reports that no tried change removes the race.
  void nothing_found(const ExplainedRace& race) {
    if (race.only_the_whole_is_missing) {
      item(
          "The model orders each step of the path below, but it does not join steps of these kinds: the path as a "
          "whole orders nothing.");
    } else if (race.paths.empty() && is_search_complete(race)) {
      item(
          "Nothing connects the two accesses: no value that one thread writes and the other reads, no lock and no "
          "barrier. The threads need such a value, a lock or a barrier.");
    } else {
      item(is_search_complete(race)
               ? "No single change and no pair of changes of a scope, an order, a fence, a lock or a barrier orders "
                 "the two accesses."
               : "The changes that Ambit could try do not order the two accesses. Another change of a scope, an order, "
                 "a fence, a lock or a barrier may order them.");
    }
    untried(race);
  }

  static bool is_search_complete(const ExplainedRace& race) {
    return race.untried_repairs == 0 && race.undecided_repairs == 0;
  }

  void untried(const ExplainedRace& race) {
    if (!is_search_complete(race)) {
      item(untried_text(race.untried_repairs, race.undecided_repairs, race.why_undecided));
    }
  }

  void paths(const ExplainedRace& race) {
    if (race.paths.empty()) return;
    const std::size_t shown = options_.full ? race.paths.size() : 1;
    for (std::size_t i = 0; i < shown; ++i) {
      title(i == 0 ? "The path that almost orders them" : "Another path");
      path(race, whole(race.paths[i]));
    }
    const bool breaks_elsewhere = !race.repairs.empty() &&
                                  race.repairs.front().edits.front().kind != Edit::Kind::AddBarrier &&
                                  out_.find("the chain breaks") == std::string::npos;
    if (breaks_elsewhere) {
      item(is_section_mended(race)
               ? "(The missing piece is not on this path but in a critical section that the path leaves or enters. The "
                 "scope of a section is the narrowest scope of its lock operations and fences.)"
               : "(The missing piece is not on this path, but without it the model does not count the path.)");
    }
    if (race.paths.size() > shown) item(fmt::format("({} more: --full)", race.paths.size() - shown));
  }

  /// Returns the path with the read and the write of each read-modify-write joined into one row.
  Path whole(const Path& path) const {
    Path result;
    for (const PathStep& step : path) {
      const bool is_half = !result.empty() && graph_.events[result.back().event].rmw_partner == step.event;
      if (!is_half) result.push_back(step);
    }
    return result;
  }

  void path(const ExplainedRace& race, const Path& path) {
    Table table({Table::Align::Left, Table::Align::Left, Table::Align::Left, Table::Align::Left});
    for (std::size_t i = 0; i < path.size(); ++i) {
      const events::Event& event = graph_.events[path[i].event];
      const bool from_before = i > 0 && graph_.events[path[i - 1].event].thread == event.thread;
      if (from_before) add_gap(table, race, path[i - 1].event, path[i].event);
      table.add({graph_.thread_name(path[i].event), fmt::format("line {}", event.span.line),
                 event_text(graph_, race.witness, path[i].event), note(race, path, i)});
    }
    out_ += table.render(2);
  }

  /// If a fence is missing between two events of a thread, adds a row for the missing fence.
  void add_gap(Table& table, const ExplainedRace& race, EventId from, EventId to) const {
    if (race.repairs.empty()) return;
    for (const Edit& edit : race.repairs.front().edits) {
      if (edit.kind != Edit::Kind::AddFence) continue;
      for (const auto& [thread, index] : edit.site.instances) {
        const bool between = thread == graph_.events[to].thread && index > graph_.events[from].instruction &&
                             index <= graph_.events[to].instruction;
        if (between) table.add({graph_.thread_name(to), "", "(no fence)", style_.bad("<-- here the chain breaks")});
      }
    }
  }

  std::string note(const ExplainedRace& race, const Path& path, std::size_t i) const {
    if (is_mended(race, path[i].event)) return style_.bad("<-- here the chain breaks");
    if (i == 0 || i + 1 == path.size()) return "one of the two accesses";
    if (path[i].via == PathStep::Via::ReadsFrom) {
      return fmt::format("reads what {} wrote", graph_.thread_name(path[i - 1].event));
    }
    if (path[i].via == PathStep::Via::Barrier) return "the same barrier";
    return {};
  }

  /// Returns whether the repair changes a scope and the program uses locks.
  bool is_section_mended(const ExplainedRace& race) const {
    const Edit::Kind kind = race.repairs.front().edits.front().kind;
    const bool is_scope = kind == Edit::Kind::WidenFence || kind == Edit::Kind::SetScope;
    const events::ConditionalRelation& sections = graph_.relation(BaseRelation::CriticalSection);
    return is_scope && !(sections.always.empty() && sections.sometimes.empty());
  }

  static bool is_at_site(Edit::Kind kind) { return kind != Edit::Kind::AddFence && kind != Edit::Kind::AddBarrier; }
  bool is_mended(const ExplainedRace& race, EventId event) const {
    if (race.repairs.empty()) return false;
    const events::Event& e = graph_.events[event];
    const std::pair<std::uint32_t, std::size_t> here(e.thread, e.instruction);
    const auto& edits = race.repairs.front().edits;
    return std::any_of(edits.begin(), edits.end(), [&](const Edit& edit) {
      return is_at_site(edit.kind) &&
             std::find(edit.site.instances.begin(), edit.site.instances.end(), here) != edit.site.instances.end();
    });
  }

  void race_free() {
    headline(style_.good("NO RACE"), "no execution has a race");
    if (!explanation_.has_execution) {
      item("The model allows no execution of this test.");
      return;
    }
    if (!explanation_.has_all_ordered) {
      item("Ambit could not find out for every pair of accesses why the pair is not a race.");
    }
    if (explanation_.ordered.empty()) {
      if (!explanation_.has_all_ordered) return;
      const bool is_alone = graph_.program->threads.size() == 1;
      item(is_alone ? "The test has one thread; a race needs two."
                    : "No accesses of two threads conflict, except in ways that this model never calls a race.");
      return;
    }
    title(explanation_.has_all_ordered ? "Every conflicting pair of accesses, and what keeps it from being a race"
                                       : "Some conflicting pairs of accesses, and what keeps each from being a race");
    std::size_t pairs = 0;
    for (const OrderedPair& pair : explanation_.ordered) {
      if (!options_.full && ++pairs > 6) {
        item(fmt::format("({} more pairs: --full)", explanation_.ordered.size() - 6));
        return;
      }
      one(pair);
    }
  }

  std::string exemption(const OrderedPair& pair) const {
    const events::Event& first = graph_.events[pair.first];
    const events::Event& second = graph_.events[pair.second];
    const auto reaches = [&](const events::Event& a, const events::Event& b) {
      const auto& threads = graph_.program->threads;
      return a.has_scope && same_instance(threads[a.thread].place, threads[b.thread].place, a.scope);
    };
    if (!reaches(first, second) || !reaches(second, first)) {
      return fmt::format("the model exempts such pairs ({})", pair.exemption);
    }
    const std::string_view kind = first.is_atomic && second.is_atomic ? "atomic" : "atomic or volatile";
    return fmt::format("both are {} and the scope of each includes the other's thread ({})", kind, pair.exemption);
  }

  void one(const OrderedPair& pair) {
    const EventWords words(graph_, pair.execution);
    if (pair.chain.empty()) {
      item(fmt::format("{} and {}: not ordered; they need no order, because {}.", words.noun(pair.first),
                       words.noun(pair.second), exemption(pair)));
      return;
    }
    const explain::Chain rules = without_program_order(graph_, pair.chain);
    const bool is_short = !options_.full && !rules.empty() && rules.size() < explain::unwrap(pair.chain).size();
    item(fmt::format("{} comes before {}{}:", words.noun(pair.first), words.noun(pair.second),
                     is_short ? " by program order in each thread, and between the threads" : ""));
    for (const std::string& text :
         StepWords(graph_, pair.execution, options_.full, &shown_rules_).outline(is_short ? rules : pair.chain)) {
      const std::size_t indent = text.find_first_not_of(' ');
      item(text.substr(indent), 4 + indent);
    }
  }

  const RaceExplanation& explanation_;
  const EventGraph& graph_;
  const Style& style_;
  const ExplainOptions& options_;
  std::string out_;
  ShownRules shown_rules_;
};

}  // namespace

std::string race_explanation_text(const RaceExplanation& explanation, const Style& style,
                                  const ExplainOptions& options) {
  return RaceWriter(explanation, style, options).write();
}

}  // namespace ambit::report
