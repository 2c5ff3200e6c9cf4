#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "core/proposition.h"
#include "model/verdict/races.h"
#include "report/results/words.h"
#include "report/text/explain_steps.h"
#include "report/text/explain_text.h"
#include "report/text/table.h"
#include "report/text/witness_text.h"

namespace ambit::report {
namespace {

using events::EventGraph;
using events::EventId;
using events::Execution;
using events::Possibility;
using explain::Link;
using explain::OutcomeExplanation;
using explain::Violation;

std::string axiom_meaning(const rules::Rules& rules, const rules::Axiom& axiom) {
  std::string term = rules::to_string(rules, axiom.term);
  const std::string_view negation = axiom.negated ? "not " : "";
  switch (axiom.test) {
    case rules::Test::Acyclic: return fmt::format("{} must {}have no cycle", term, negation);
    case rules::Test::Irreflexive:
      return fmt::format("{} must {}lead from an event back to itself", term, axiom.negated ? "" : "not ");
    case rules::Test::Empty: return fmt::format("{} must {}relate nothing", term, negation);
  }
  return term;
}

class OutcomeWriter {
 public:
  OutcomeWriter(const OutcomeExplanation& explanation, std::string_view question, const Style& style,
                const ExplainOptions& options)
      : explanation_(explanation),
        graph_(*explanation.graph),
        rules_(*explanation.rules),
        question_(question),
        style_(style),
        options_(options) {}

  std::string write() {
    switch (explanation_.possibility) {
      case Possibility::Possible: allowed(); break;
      case Possibility::Impossible: forbidden(); break;
      case Possibility::Unknown: unknown(); break;
    }
    const auto lines = [](const std::string& text) {
      return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    };
    // Long listings move to the end, so that the reason stays on the first screen.
    std::size_t total = lines(out_);
    for (const Listing& listing : listings_) total += lines(listing.text);
    if (total > kScreen && !options_.full) {
      for (const Listing& listing : listings_) out_ += listing.text;
    } else {
      for (auto it = listings_.rbegin(); it != listings_.rend(); ++it) out_.insert(it->at, it->text);
    }
    return screenful(out_, options_.full);
  }

 private:
  void headline(std::string_view word, std::string_view meaning) {
    out_ += fmt::format("{}  {} under {}: {} {}\n", word, graph_.program->name, explanation_.model, question_, meaning);
  }
  void title(std::string_view text) { out_ += "\n" + style_.strong(text) + "\n"; }
  void item(const std::string& text, std::size_t indent = 2) {
    out_ += std::string(indent, ' ') + wrapped(text, indent + 2, options_.width) + "\n";
  }

  void unknown() {
    headline(style_.doubtful("UNKNOWN"), "could not be decided");
    if (explanation_.unknown) item(unknown_text(*explanation_.unknown, explanation_.unknown_detail));
  }

  /// Stores a listing. write() decides where it appears.
  void steps(std::string_view heading, const Execution& execution, std::string_view after) {
    std::string text =
        fmt::format("\n{}\n{}", style_.strong(heading), witness_text(graph_, rules_, execution, style_, 2));
    if (!after.empty()) text += fmt::format("  {}\n", after);
    listings_.push_back({out_.size(), std::move(text)});
  }

  void allowed() {
    headline(style_.bad("ALLOWED"), "can happen");
    if (!explanation_.witness) return;
    const Execution& execution = *explanation_.witness;
    steps("One execution in which it does", execution, "");
    title("The source of each read, and why the model allows it");
    reads(execution);
    if (explanation_.weak_cycle.empty()) {
      item("This execution is an interleaving of the threads: it needs no weak behaviour.");
      return;
    }
    title(explanation_.interleaving_unknown ? "Why this is not an interleaving of the threads"
                                            : "Why no interleaving of the threads gives it");
    const StepWords words(graph_, execution, false);
    for (const std::string& text : words.outline(explanation_.weak_cycle)) item(text);
    item(fmt::format("These steps form a cycle. {} does not require all of these orders, so it allows the outcome.",
                     explanation_.model));
    if (explanation_.interleaving_unknown) {
      const UnknownReason reason = *explanation_.interleaving_unknown;
      item(fmt::format("It is not known whether another execution with this outcome is an interleaving ({}; {}).",
                       ambit::to_string(reason), remedy(reason)));
    }
    repairs();
  }

  void repairs() {
    title("Changes that would forbid it");
    if (explanation_.repairs.empty()) {
      item(is_search_complete() ? "No single change and no pair of changes of a scope, an order or a fence."
                                : "The changes that Ambit could try do not forbid it. Another change may forbid it.");
      untried();
      return;
    }
    const std::size_t shown = options_.full ? explanation_.repairs.size() : 1;
    for (std::size_t i = 0; i < shown; ++i) {
      for (const std::string& line : missing_link_text(explanation_, explanation_.repairs[i])) {
        item(i == 0 ? line : "Or: " + line);
      }
    }
    const bool single = explanation_.repairs.front().edits.size() == 1;
    item(single                 ? "With this change alone the model forbids the outcome."
         : is_search_complete() ? "With these changes together the model forbids the outcome; fewer are not enough."
                                : "With these changes the model forbids the outcome; fewer may be enough.");
    untried();
  }

  bool is_search_complete() const { return explanation_.untried_repairs == 0 && explanation_.undecided_repairs == 0; }

  void untried() {
    if (!is_search_complete()) {
      item(untried_text(explanation_.untried_repairs, explanation_.undecided_repairs, explanation_.why_undecided));
    }
  }

  void reads(const Execution& execution) {
    const EventWords words(graph_, execution);
    execution.executed.for_each([&](EventId e) {
      if (!graph_.events[e].is_read() || execution.reads_from[e] == events::kNoEvent) return;
      item(
          fmt::format("{}: from {}{}", words.noun(e), words.noun(execution.reads_from[e]), newer(words, execution, e)));
    });
  }

  /// Returns a clause about the write that replaces the value that the read saw: the next write in coherence order.
  std::string newer(const EventWords& words, const Execution& execution, EventId read) const {
    const auto& writes = execution.coherence[execution.locations[read]];
    const auto source = std::find(writes.begin(), writes.end(), execution.reads_from[read]);
    if (source == writes.end() || source + 1 == writes.end()) return ", the newest value";
    const EventId next = *(source + 1);
    if (next == graph_.events[read].rmw_partner) return ", the newest value";
    if (graph_.events[next].thread == graph_.events[read].thread) return ", before its own thread writes";
    return fmt::format("; {} replaces that value, and the model has no rule that puts it before this read",
                       words.noun(next));
  }

  bool is_racy() const { return explanation_.races && explanation_.races->race == Possibility::Possible; }
  bool leaves_races_undefined() const { return verdict::racy_programs(rules_) == verdict::RacyPrograms::Undefined; }

  /// Explains an outcome that no execution of the model has, but that can appear because the program has a race
  /// (definitions 1.1).
  void racing() {
    const verdict::Verdict& verdict = *explanation_.races;
    headline(style_.doubtful("UNDEFINED"), "is in no execution, but the program has a race");
    title(fmt::format("The program has a {} under {}", verdict::race_text(verdict), explanation_.model));
    const verdict::Race race = verdict::races(verdict).front();
    Table table({Table::Align::Left, Table::Align::Left, Table::Align::Right, Table::Align::Left});
    for (const EventId e : {race.pair->first, race.pair->second}) {
      const SourceSpan& span = verdict.graph->events[e].span;
      table.add({verdict.graph->thread_name(e), event_text(*verdict.graph, *race.pair->witness, e),
                 fmt::format("line {}", span.line), style_.faint(source_text(*verdict.graph->program, span))});
    }
    out_ += table.render(2);
    item(leaves_races_undefined()
             ? fmt::format("{} says nothing about what a racy program does.", explanation_.model)
             : fmt::format("Ambit does not know whether {} says anything about racy programs: most models that define "
                           "races do not.",
                           explanation_.model));
    item("No execution of the model has these values. That does not mean that they cannot appear.");
    item(fmt::format("The race is explained by: ambit explain FILE --model {} --race", quoted_model()));
  }

  /// Returns the model's name, quoted for a shell.
  std::string quoted_model() const {
    const bool has_options = explanation_.model.find('(') != std::string::npos;
    return has_options ? fmt::format("'{}'", explanation_.model) : explanation_.model;
  }

  void perhaps_racing() {
    const verdict::Verdict& verdict = *explanation_.races;
    headline(style_.doubtful("UNKNOWN"), "is in no execution, but the program may have a race");
    const std::string reason = verdict.unknown ? unknown_text(*verdict.unknown, verdict.unknown_detail) : "";
    item(fmt::format("Ambit could not decide whether the program has a race under {}{}.", explanation_.model,
                     reason.empty() ? "" : fmt::format(" ({})", reason)));
    item("If the program has a race, these values can appear, although no execution of the model has them.");
  }

  void forbidden() {
    if (is_racy()) {
      racing();
    } else if (explanation_.races && explanation_.races->race == Possibility::Unknown) {
      perhaps_racing();
    } else {
      headline(style_.good("FORBIDDEN"), "cannot happen");
    }
    if (explanation_.is_stuck) {
      item(
          "No execution of the program ends: in every execution, a thread waits forever (ambit check --property "
          "termination says who waits where). A condition is about executions that end.");
      return;
    }
    if (explanation_.is_unreachable) return unreachable();
    if (explanation_.is_undivided) {
      std::vector<std::string> names;
      for (const rules::Axiom& axiom : rules_.axioms) names.push_back(axiom.name);
      item(fmt::format(
          "The axioms together rule it out ({}). Ambit ran out of time before it found which of them are needed.",
          fmt::join(names, ", ")));
    }
    if (explanation_.violations.size() > 1) {
      item(fmt::format(
          "{} axioms are needed to rule it out: every execution that satisfies the others breaks one of them.",
          explanation_.violations.size()));
    }
    for (const Violation& violation : explanation_.violations) broken(violation);
  }

  void unreachable() {
    const bool can_wait = std::any_of(graph_.events.begin(), graph_.events.end(), [](const events::Event& event) {
      return event.is_await || event.kind == events::EventKind::Barrier;
    });
    item(can_wait ? "No execution of the program that ends has these values under any memory model: the threads cannot "
                    "compute them from values that memory can hold, or a thread waits forever where they appear."
                  : "No execution of the program has these values under any memory model: the threads cannot compute "
                    "them from values that memory can hold.");
  }

  /// If the steps of a violation put one write before another write, adds that coherence has the opposite order.
  void opposite_order(const Violation& violation, const EventWords& words) {
    const EventId first = violation.chain.front().from;
    const EventId last = violation.chain.back().to;
    const auto is_write = [&](EventId e) { return graph_.events[e].is_write(); };
    if (!is_write(first) || !is_write(last)) return;
    const auto& order = violation.execution.coherence[violation.execution.locations[last]];
    const auto later = std::find(order.begin(), order.end(), first);
    if (later == order.end() || std::find(order.begin(), later, last) == later) return;
    item(fmt::format("... and yet {} is overwritten by {}.", words.noun(last), words.noun(first)));
  }

  void broken(const Violation& violation) {
    const rules::Axiom& axiom = rules_.axioms[violation.axiom];
    const EventWords words(graph_, violation.execution);
    title(fmt::format("Axiom {} {}", axiom.name, is_racy() ? "leaves these values out" : "forbids it"));
    if (!axiom.phrase.empty()) item(fmt::format("It says that {}.", axiom.phrase));
    item((axiom.phrase.empty() ? "" : "As a term: ") + axiom_meaning(rules_, axiom));
    steps("The nearest execution", violation.execution,
          violation.others_hold ? "All other axioms of the model hold in it."
                                : "Other axioms also forbid this execution.");
    if (violation.chain.empty()) return;
    const bool is_cycle = violation.chain.front().from == violation.chain.back().to;
    title(is_cycle ? "In it, these steps form a cycle" : "It contains what the axiom rules out");
    for (const std::string& text : StepWords(graph_, violation.execution, options_.full).outline(violation.chain)) {
      const std::size_t indent = text.find_first_not_of(' ');
      item(text.substr(indent), 2 + indent);
    }
    if (!is_cycle) return opposite_order(violation, words);
    item(fmt::format("... and so {} would come before itself.", words.noun(violation.chain.front().from)));
    for (const Link& link : explain::flatten(violation.chain)) {
      if (link.kind != Link::Kind::Order) continue;
      item(fmt::format("(The model leaves the order {} open; in the opposite order there is a cycle too.)", link.name));
      break;
    }
  }

  const OutcomeExplanation& explanation_;
  const EventGraph& graph_;
  const rules::Rules& rules_;
  std::string_view question_;
  const Style& style_;
  const ExplainOptions& options_;
  std::string out_;
  struct Listing {
    std::size_t at;  ///< position in out_
    std::string text;
  };
  std::vector<Listing> listings_;
};

}  // namespace

OwnQuestion own_question(const Program& program) {
  Expr proposition = *program.condition.proposition;
  if (program.condition.quantifier == Quantifier::Forall) {
    proposition = Expr::make(Op::LogicalNot, kInt, {std::move(proposition)});
  }
  std::vector<std::string> names;
  for (const Observable& observable : program.observables) names.push_back(observable.name);
  OwnQuestion question;
  question.text = proposition_text(proposition, names, PropositionSyntax::C,
                                   [&](Value value) { return program.pointer_name(value); });
  auto changed = std::make_shared<Program>(program);
  changed->condition.proposition = std::move(proposition);
  changed->condition.quantifier = Quantifier::Exists;
  question.program = std::move(changed);
  return question;
}

std::string outcome_explanation_text(const OutcomeExplanation& explanation, std::string_view question,
                                     const Style& style, const ExplainOptions& options) {
  return OutcomeWriter(explanation, question, style, options).write();
}

std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
  std::istringstream words(text);
  std::string out;
  std::string word;
  std::size_t column = indent;
  std::string next;
  for (bool more = static_cast<bool>(words >> next); more;) {
    word = next;
    more = static_cast<bool>(words >> next);
    // Keeps texts such as "line 4" and "block 1" on one line.
    while (more && std::isdigit(static_cast<unsigned char>(next.front())) != 0) {
      word += " " + next;
      more = static_cast<bool>(words >> next);
    }
    if (out.empty()) {
      out = word;
      column += display_width(word);
    } else if (column + 1 + display_width(word) > width) {
      out += "\n" + std::string(indent, ' ') + word;
      column = indent + display_width(word);
    } else {
      out += " " + word;
      column += 1 + display_width(word);
    }
  }
  return out;
}

std::string screenful(const std::string& text, bool full) {
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  if (full || lines <= kScreen) return text;
  std::size_t end = 0;
  for (std::size_t i = 0; i + 1 < kScreen; ++i) end = text.find('\n', end) + 1;
  return text.substr(0, end) + fmt::format("... and {} more lines: --full\n", lines - kScreen + 1);
}

}  // namespace ambit::report
