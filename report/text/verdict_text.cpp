#include "report/text/verdict_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/plural.h"
#include "model/verdict/bound.h"
#include "model/verdict/opaque.h"
#include "model/verdict/races.h"
#include "report/results/condition_source.h"
#include "report/results/race_groups.h"
#include "report/results/words.h"
#include "report/text/table.h"
#include "report/text/termination_text.h"
#include "report/text/witness_text.h"

namespace ambit::report {
namespace {

using events::EventId;
using events::Possibility;
using verdict::Race;
using verdict::Verdict;

constexpr std::size_t kStatusWidth = 7;
constexpr std::size_t kFrequencyWidth = 9;
constexpr std::size_t kConditionWidth = 11;

std::string frequency_text(const Verdict& verdict) {
  if (!verdict.graph->program->condition.proposition) return "-";
  if (verdict.frequency) return std::string(ambit::to_string(*verdict.frequency));
  return verdict.answers.any.possibility == Possibility::Impossible && !verdict.unknown ? "empty" : "?";
}

std::string condition_text(const Verdict& verdict) {
  if (verdict.graph->program->condition.quantifier == Quantifier::None) return "-";
  if (!verdict.condition_holds) return "?";
  return *verdict.condition_holds ? "yes" : "no";
}

/// Returns the text for the condition's column: "exists: yes"; "-" if the test has no condition.
std::string condition_entry(const Verdict& verdict) {
  const Quantifier quantifier = verdict.graph->program->condition.quantifier;
  if (quantifier == Quantifier::None) return "-";
  return fmt::format("{}: {}", ambit::to_string(quantifier), condition_text(verdict));
}

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

/// An execution in the output. `number` is its 1-based number among the executions of its model.
struct ShownWitness {
  std::string model;
  std::size_t number = 1;
  std::size_t order = 0;  ///< number among the executions of all models
};
struct ShownWitnesses {
  std::map<std::string, ShownWitness> by_text;  ///< executions in the output, indexed by their text
  /// The texts of executions that need a letter, indexed by the execution's number in the output. An execution needs a
  /// letter if a later model refers to it and it is not its own model's first execution.
  std::map<std::size_t, std::string> named;
  std::map<std::string, std::string> letters;  ///< letters of the executions in `named`: "A"
};

/// Writes the details of one verdict as text.
class VerdictWriter {
 public:
  VerdictWriter(const TestResult& test, const Verdict& verdict, const Style& style, Detail detail,
                ShownWitnesses& shown)
      : program_(*test.program),
        verdict_(verdict),
        graph_(*verdict.graph),
        style_(style),
        detail_(detail),
        shown_(shown) {}

  std::string write() {
    condition();
    flags(race_groups(verdict_, verdict::races(verdict_)), "race");
    flags(race_groups(verdict_, verdict::other_flags(verdict_)), "flag");
    no_race();
    incidents();
    outcomes();
    executions();
    remarks();
    assumption();
    if (verdict_.unknown) paragraph(style_.doubtful(unknown_text(*verdict_.unknown, verdict_.unknown_detail)));
    threads_alike();
    termination();
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kIndent = 2;
  static constexpr std::size_t kMostClassesListed = 3;

  void paragraph(std::string_view text) { out_ += std::string(kIndent, ' ') + std::string(text) + "\n"; }

  /// Returns the threads that the condition observes: threads with a register in the condition, and threads that write
  /// the final value of a location in the condition.
  std::set<std::uint32_t> observed_threads(const events::Execution& execution) const {
    std::set<std::uint32_t> threads;
    for (const Observable& one : program_.observables) {
      if (one.kind == Observable::Kind::Register) threads.insert(one.thread);
      if (one.kind != Observable::Kind::Memory || execution.coherence[one.location].empty()) continue;
      threads.insert(graph_.events[execution.coherence[one.location].back()].thread);
    }
    return threads;
  }

  /// `threads`: the threads to show if the execution is long; if empty, the threads that the condition
  /// observes.
  void witness(const std::optional<events::Execution>& execution, std::string_view title,
               std::set<std::uint32_t> threads = {}) {
    if (!execution || detail_ == Detail::Plain) return;
    std::string text = witness_text(graph_, *verdict_.rules, *execution, style_, 2 * kIndent);
    if (text == last_witness_) return paragraph(fmt::format("{}: the one above", title));
    const auto [known, is_new] =
        shown_.by_text.try_emplace(text, ShownWitness{verdict_.model, witnesses_ + 1, shown_.by_text.size()});
    const ShownWitness& before = known->second;
    const auto letter = shown_.letters.find(text);
    if (is_new || before.model == verdict_.model) {
      ++witnesses_;
      paragraph(letter == shown_.letters.end() ? std::string(title) : fmt::format("{} ({})", title, letter->second));
      if (threads.empty()) threads = observed_threads(*execution);
      out_ += detail_ == Detail::Witnesses
                  ? text
                  : witness_excerpt(graph_, *verdict_.rules, *execution, threads, style_, 2 * kIndent);
    } else if (before.number == 1) {
      paragraph(fmt::format("{}: the first execution shown for {}", title, before.model));
    } else {
      shown_.named.emplace(before.order, text);
      paragraph(fmt::format("{}: the execution shown as {} for {}", title,
                            letter == shown_.letters.end() ? "" : letter->second, before.model));
    }
    last_witness_ = std::move(text);
  }

  void assumption() {
    const std::string assumed = verdict::opaque_assumption(program_);
    if (assumed.empty()) return;
    paragraph(style_.doubtful(fmt::format("Positive answers hold only {}.", assumed)));
  }

  /// Returns whether the program is undefined because of a race. In an undefined program, any outcome is possible, even
  /// if no execution of the model has the outcome.
  bool is_undefined() const {
    return verdict_.race == Possibility::Possible &&
           verdict::racy_programs(*verdict_.rules) == verdict::RacyPrograms::Undefined;
  }

  void condition() {
    const Condition& condition = program_.condition;
    if (!condition.proposition) return;
    std::string text = condition_source(program_);
    if (text.empty()) text = to_string(condition.quantifier);
    std::string meaning = "not known";
    if (verdict_.frequency) {
      switch (*verdict_.frequency) {
        case Frequency::Never: meaning = "holds in no execution"; break;
        case Frequency::Sometimes: meaning = "holds in some executions, not in all"; break;
        case Frequency::Always: meaning = "holds in every execution"; break;
      }
      if (verdict_.frequency != Frequency::Sometimes && is_undefined()) {
        meaning += ", but the race leaves the program undefined";
      }
    } else if (verdict_.answers.any.possibility == Possibility::Impossible && !verdict_.unknown) {
      const auto diverges =
          verdict::incident_possibility(verdict_, events::Incident::Kind::BarrierDivergence) == Possibility::Possible;
      meaning = diverges ? "in every execution a thread waits forever" : "the model allows no execution of this test";
    }
    const std::string holds = condition_text(verdict_);
    const std::string verdict = holds == "yes" ? style_.good(holds) : style_.strong(holds);
    paragraph(fmt::format("{}  {}: {}", style_.strong(text), verdict, meaning));
    // For a `forall` that fails, shows an execution in which the proposition fails. For other conditions, shows an
    // execution in which the proposition holds.
    if (condition.quantifier == Quantifier::Forall && verdict_.answers.fails.witness) {
      witness(verdict_.answers.fails.witness, "an execution in which it does not hold");
    } else {
      witness(verdict_.answers.holds.witness, "an execution in which it holds");
    }
  }

  void outcomes() {
    const auto& outcomes = verdict_.answers.outcomes;
    if (outcomes.empty() || program_.observables.empty()) return;
    paragraph(plural(outcomes.size(), "outcome") + (verdict_.answers.unknown ? " found, perhaps not all" : ""));
    for (const events::Outcome& outcome : outcomes) paragraph("  " + outcome_text(program_, outcome));
  }

  void executions() {
    if (!verdict_.answers.executions) return;
    paragraph(fmt::format("{} executions allowed", *verdict_.answers.executions));
  }

  /// Lists the groups. An execution of the first group follows; with witnesses, one of each group follows the group.
  void flags(const std::vector<RaceGroup>& groups, std::string_view noun) {
    const std::set<std::uint32_t> shared_lines = lines_of_several_places(groups);
    for (const RaceGroup& group : groups) {
      const Race& race = group.races.front();
      const std::string where = group.cells.empty() ? "" : " on " + group.cells;
      std::string title = style_.bad(fmt::format("{}{}", noun, where)) + style_.faint(fmt::format("  ({})", race.flag));
      if (const std::string pairs = thread_pairs_text(group); !pairs.empty())
        title += fmt::format("  {}, such as", pairs);
      paragraph(title);
      Table table({Table::Align::Left, Table::Align::Left, Table::Align::Left, Table::Align::Left});
      add_access(table, *race.pair, race.pair->first, shared_lines);
      if (race.pair->second != race.pair->first) add_access(table, *race.pair, race.pair->second, shared_lines);
      out_ += table.render(2 * kIndent);
      if (detail_ == Detail::Witnesses || groups.size() == 1) flagged_execution(race, "in this execution");
    }
    if (detail_ != Detail::Witnesses && groups.size() > 1) {
      flagged_execution(groups.front().races.front(), fmt::format("an execution with the first {}", noun));
    }
  }

  void flagged_execution(const Race& race, std::string_view title) {
    witness(*race.pair->witness, title,
            {graph_.events[race.pair->first].thread, graph_.events[race.pair->second].thread});
  }

  /// Returns the lines that contain several places of races. For these lines, the list of races also shows columns.
  std::set<std::uint32_t> lines_of_several_places(const std::vector<RaceGroup>& groups) const {
    std::map<std::uint32_t, std::uint32_t> columns;
    std::set<std::uint32_t> lines;
    for (const RaceGroup& group : groups) {
      const events::FlaggedPair& pair = *group.races.front().pair;
      for (const EventId event : {pair.first, pair.second}) {
        const SourceSpan& span = graph_.events[event].span;
        if (columns.try_emplace(span.line, span.column).first->second != span.column) lines.insert(span.line);
      }
    }
    return lines;
  }

  void add_access(Table& table, const events::FlaggedPair& pair, EventId event,
                  const std::set<std::uint32_t>& shared_lines) const {
    const SourceSpan& span = graph_.events[event].span;
    std::string place = place_text(program_, span);
    if (shared_lines.contains(span.line)) place += fmt::format(":{}", span.column);
    table.add({graph_.thread_name(event), access_text(graph_, *pair.witness, event), style_.faint(place),
               std::string(source_text(program_, span))});
  }

  void no_race() {
    if (!verdict::speaks_of_races(*verdict_.rules)) return;
    if (verdict_.race == Possibility::Impossible) paragraph(style_.good("no race"));
    if (verdict_.race == Possibility::Unknown) paragraph(style_.doubtful("race: not known"));
  }

  void incidents() {
    for (std::size_t i = 0; i < graph_.incidents.size() && i < verdict_.answers.incidents.size(); ++i) {
      const events::Witnessed& answer = verdict_.answers.incidents[i];
      const events::Incident& incident = graph_.incidents[i];
      if (answer.possibility == Possibility::Impossible) continue;
      if (detail_ != Detail::Witnesses && is_said_before(i)) continue;
      const bool possible = answer.possibility == Possibility::Possible;
      const std::string kind(to_string(incident.kind));
      paragraph(fmt::format("{}: {}", possible ? style_.bad(kind) : style_.doubtful(kind + " (not known)"),
                            incident.message));
      paragraph(fmt::format("  {}  {}", style_.faint(place_text(program_, incident.span)),
                            source_text(program_, incident.span)));
      const bool is_divergence = incident.kind == events::Incident::Kind::BarrierDivergence;
      if (answer.witness && is_divergence && detail_ != Detail::Plain) {
        for (const std::string& wait : events::describe_waits(graph_, *answer.witness)) paragraph("  " + wait);
      }
      if (detail_ == Detail::Witnesses) witness(answer.witness, "in this execution");
    }
  }

  void remarks() {
    if (detail_ == Detail::Plain) return;
    for (const events::Remark& remark : graph_.remarks) {
      paragraph(fmt::format("remark: {}", remark.message));
      paragraph(
          fmt::format("  {}  {}", style_.faint(place_text(program_, remark.span)), source_text(program_, remark.span)));
    }
  }

  /// Returns whether an earlier incident, in another thread, has the same text.
  bool is_said_before(std::size_t i) const {
    const events::Incident& incident = graph_.incidents[i];
    const auto said = [&](std::size_t j) {
      const events::Incident& other = graph_.incidents[j];
      return other.kind == incident.kind && other.span == incident.span && other.message == incident.message &&
             verdict_.answers.incidents[j].possibility == verdict_.answers.incidents[i].possibility;
    };
    for (std::size_t j = 0; j < i; ++j) {
      if (said(j)) return true;
    }
    return false;
  }

  void threads_alike() {
    std::vector<std::string> classes;
    for (const std::vector<std::uint32_t>& threads : verdict_.answers.alike) {
      classes.push_back(fmt::format("{} threads like {}", threads.size(), program_.threads[threads.front()].name));
    }
    if (classes.size() > kMostClassesListed) {
      const std::size_t rest = classes.size() - kMostClassesListed;
      classes.resize(kMostClassesListed);
      classes.push_back(fmt::format("{} more such classes", rest));
    }
    if (!classes.empty())
      paragraph(style_.faint(fmt::format("{}: executions that differ only by a swap of these threads are checked once",
                                         fmt::join(classes, ", "))));
  }

  void termination() {
    const bool waits = std::any_of(graph_.events.begin(), graph_.events.end(),
                                   [](const events::Event& event) { return event.is_await; });
    if (waits) paragraph(style_.faint("this assumes that every spin loop ends: --property termination checks that"));
  }

  const Program& program_;
  const Verdict& verdict_;
  const events::EventGraph& graph_;
  const Style& style_;
  Detail detail_;
  ShownWitnesses& shown_;
  std::string last_witness_;
  std::size_t witnesses_ = 0;
  std::string out_;
};

std::string details_of(const TestResult& test, const ModelResult& result, const Style& style, Detail detail,
                       ShownWitnesses& shown) {
  if (result.termination) return termination_text(*result.termination, style, detail);
  if (!result.verdict) return result.error;
  return VerdictWriter(test, *result.verdict, style, detail, shown).write();
}

/// Returns the details of the results, in order. Shows each execution only once.
std::vector<std::string> details_in_turn(const TestResult& test, const std::vector<const ModelResult*>& results,
                                         const Style& style, Detail detail, ShownWitnesses& shown) {
  std::vector<std::string> details;
  for (const ModelResult* result : results) details.push_back(details_of(test, *result, style, detail, shown));
  return details;
}

/// Converts a number into letters: "A" to "Z", then "A1".
std::string letter_of(std::size_t number) {
  constexpr std::size_t kLetters = 26;
  const std::string letter(1, static_cast<char>('A' + number % kLetters));
  return number < kLetters ? letter : letter + std::to_string(number / kLetters);
}

}  // namespace

ResultWords words_of(const ModelResult& result) {
  ResultWords words;
  words.reasons = result.judgement.reasons;
  if (result.verdict) {
    const Verdict& verdict = *result.verdict;
    words.frequency = frequency_text(verdict);
    words.condition = condition_text(verdict);
    words.race = verdict::speaks_of_races(*verdict.rules) ? verdict::race_text(verdict) : "-";
    for (const std::string& incident : verdict::incident_texts(verdict)) words.race += ", " + incident;
    if (const std::string assumed = verdict::opaque_assumption(*verdict.graph->program); !assumed.empty()) {
      words.reasons.push_back(fmt::format("positive answers hold only {}", assumed));
    }
    if (verdict.unknown) words.reasons.push_back(unknown_text(*verdict.unknown, verdict.unknown_detail));
  } else if (result.termination) {
    const termination::TerminationVerdict& termination = *result.termination;
    words.frequency = termination_summary(termination);
    if (termination.unknown) words.reasons.push_back(unknown_text(*termination.unknown, termination.unknown_detail));
  } else if (!result.error.empty()) {
    words.reasons.push_back(first_line(result.error));
  }
  return words;
}

std::string result_line(const TestResult& test, const ModelResult& result, const Style& style,
                        const LineWidths& widths) {
  std::string line =
      style.status(result.judgement.status, pad(verdict::to_string(result.judgement.status), kStatusWidth));
  line += "  " + pad(test.name(), widths.test) + "  " + pad(result.model, widths.model);
  const ResultWords words = words_of(result);
  if (result.verdict) {
    line += "  " + pad(words.frequency, kFrequencyWidth) + "  ";
    line += pad(condition_entry(*result.verdict), kConditionWidth) + "  " + words.race;
  } else if (result.termination) {
    line += "  " + words.frequency;
  }
  if (!words.reasons.empty()) line += fmt::format("  ({})", fmt::join(words.reasons, "; "));
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string verdict_text(const TestResult& test, const ModelResult& result, const Style& style, Detail detail) {
  ShownWitnesses none;
  return details_of(test, result, style, detail, none);
}

std::vector<AnswerGroup> answer_groups(const TestResult& test, const std::vector<const ModelResult*>& results,
                                       const Style& style, Detail detail) {
  std::vector<AnswerGroup> groups;
  std::map<std::string, std::size_t> known;  // index of the group with these details
  std::vector<const ModelResult*> firsts;    // first result of each group
  for (const ModelResult* result : results) {
    const auto [group, is_new] = known.try_emplace(verdict_text(test, *result, style, detail), groups.size());
    if (is_new) {
      groups.emplace_back();
      firsts.push_back(result);
    }
    groups[group->second].results.push_back(result);
  }
  ShownWitnesses shown;
  std::vector<std::string> details = details_in_turn(test, firsts, style, detail, shown);
  if (!shown.named.empty()) {
    // Writes all details a second time, because only the first pass shows which executions need a letter.
    ShownWitnesses again;
    for (const auto& [order, text] : shown.named) again.letters.emplace(text, letter_of(again.letters.size()));
    details = details_in_turn(test, firsts, style, detail, again);
  }
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i].details = std::move(details[i]);
  return groups;
}

std::string statistics_text(const Statistics& statistics, double milliseconds, std::size_t indent) {
  Table table({Table::Align::Left, Table::Align::Right});
  table.add({"milliseconds", fmt::format("{:.3f}", milliseconds)});
  for (const auto& [name, value] : statistics.values) table.add({name, fmt::format("{:.6g}", value)});
  return table.render(indent);
}

}  // namespace ambit::report
