#include "api/edit/repairing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "api/edit/consequence.h"
#include "base/assert.h"
#include "parser/parse.h"

namespace ambit::api {
namespace {

using events::Possibility;
using repair::Levels;
using repair::RepairReport;
using repair::Slot;
using repair::Trial;
using Query = RepairJudge::Query;

/// Returns whether a wider scope never adds a race or an outcome under the model. Returns true for those shipped models
/// that only require scopes to include each other.
bool wider_is_stronger(const rules::Rules& rules) {
  constexpr std::array<std::string_view, 10> kNames = {"ptx",      "ptx-9.0",   "ptx-7.5", "ptx-6.0", "ptx-proxy",
                                                       "cuda-cpp", "scoped-hb", "gwcp",    "sc",      "hrf-relaxed"};
  const bool is_exact = std::ranges::any_of(
      rules.options, [](const rules::ModelOption& option) { return option.name == "incl" && option.chosen != "mut"; });
  return !is_exact && std::ranges::find(kNames, rules.name) != kNames.end();
}

bool changes_data(const std::vector<Slot>& slots, const Levels& levels) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (levels[i] > 0 && slots[i].kind == Slot::Kind::Data) return true;
  }
  return false;
}

std::size_t block_barriers(const Thread& thread) {
  return static_cast<std::size_t>(std::ranges::count_if(thread.code, [](const Instruction& instruction) {
    const auto* barrier = std::get_if<Barrier>(&instruction.operation);
    return barrier != nullptr && barrier->kind == BarrierKind::Block;
  }));
}

/// Returns whether `changed` adds a block barrier in a divergent branch. A divergent branch makes some threads of
/// the block skip the barrier and execute other code instead. Ignores threads that skip the barrier by an early
/// return.
bool adds_divergent_barrier(const Program& original, const Program& changed) {
  if (original.threads.size() != changed.threads.size()) return true;
  const auto gains = [&](std::size_t i) {
    return block_barriers(changed.threads[i]) > block_barriers(original.threads[i]);
  };
  for (std::size_t i = 0; i < changed.threads.size(); ++i) {
    if (gains(i)) continue;
    std::vector<SourceSpan> known;
    bool has_partner = false;
    for (std::size_t other = 0; other < changed.threads.size(); ++other) {
      const ThreadPlace& place = changed.threads[other].place;
      if (!gains(other) || !same_instance(place, changed.threads[i].place, Scope::Block)) continue;
      has_partner = true;
      for (const Instruction& instruction : changed.threads[other].code) known.push_back(instruction.span);
    }
    const bool accesses_elsewhere = std::ranges::any_of(changed.threads[i].code, [&](const Instruction& instruction) {
      return access_of(instruction.operation) != nullptr && std::ranges::find(known, instruction.span) == known.end();
    });
    if (has_partner && accesses_elsewhere) return true;
  }
  return false;
}

std::string schedulers_text(const CheckingOptions& options) {
  std::string text;
  for (const Scheduler scheduler : options.schedulers)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", to_string(scheduler));
  return text.empty() ? "fair" : text;
}

std::string frequency_text(const std::optional<Frequency>& frequency) {
  return frequency ? std::string(to_string(*frequency)) : "no execution";
}

std::string race_word(const std::optional<Possibility>& race) {
  if (!race) return "";
  return *race == Possibility::Possible ? "race" : *race == Possibility::Impossible ? "norace" : "race unknown";
}

/// Returns the answers in words: "Never, norace".
std::string answers_text(const ModelAnswers& answers, bool checks_termination) {
  if (checks_termination) return answers.terminates.value_or(false) ? "terminates" : "stuck";
  std::string text = answers.outcome ? frequency_text(answers.frequency) : "";
  if (!race_word(answers.race).empty()) text += (text.empty() ? "" : ", ") + race_word(answers.race);
  if (answers.has_incident) text += (text.empty() ? "" : ", ") + std::string("incidents");
  return text;
}

bool removes_barrier(const std::vector<Slot>& slots, const Levels& levels) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (levels[i] == 0 && slots[i].kind == Slot::Kind::Barrier) return true;
  }
  return false;
}

}  // namespace

RepairReport Repairing::begun(RepairReport::Direction direction) const {
  RepairReport report;
  report.direction = direction;
  report.test = settled_.program->name;
  report.file = settled_.source->path;
  report.model = verdict::model_name(judge_.rules());
  const bool ends = settled_.query == Query::Termination;
  if (direction == RepairReport::Direction::Relax) {
    report.goal = answers_text(settled_.now, ends);
  } else if (ends) {
    report.goal = fmt::format("terminates under {}", schedulers_text(request_.question.checking));
  } else if (settled_.query == Query::Race) {
    report.goal = "no race";
  } else {
    report.goal = request_.question.outcome ? fmt::format("{} never happens", *request_.question.outcome)
                  : settled_.program->condition.quantifier == Quantifier::Forall ? "the condition always holds"
                                                                                 : "the condition never holds";
  }
  return report;
}

Trial Repairing::trial_of(const ModelAnswers& answers) const {
  if (!answers.unknown.empty()) return Trial::Unknown;
  const ModelAnswers& now = settled_.now;
  if (keeps_verdicts_) {
    const bool is_same = answers.race == now.race && answers.frequency == now.frequency &&
                         answers.terminates == now.terminates && answers.has_execution == now.has_execution &&
                         answers.has_incident == now.has_incident;
    return is_same ? Trial::Wanted : Trial::Unwanted;
  }
  // A set of barriers can deadlock or diverge although each of its barriers alone does not. Other sets of the same
  // changes may be wanted, so the search must not conclude anything about them.
  if (!answers.has_execution || (answers.has_incident && !now.has_incident)) return Trial::Faulty;
  bool wanted = true;
  if (settled_.query == Query::Termination) {
    wanted = answers.terminates.value_or(false);
  } else if (settled_.query == Query::Race) {
    wanted = answers.race == Possibility::Impossible;
  } else if (settled_.program->condition.quantifier == Quantifier::Forall && !request_.question.outcome) {
    wanted = answers.frequency == Frequency::Always;
  } else {
    wanted = answers.frequency == Frequency::Never;
  }
  return wanted ? Trial::Wanted : Trial::Unwanted;
}

std::optional<std::string> Repairing::text_of(const std::vector<Slot>& slots, const Levels& levels) const {
  return repair::edited(settled_.source->text, edits_of(slots, levels));
}

std::shared_ptr<const Program> Repairing::program_of(const std::string& text) const {
  const auto source = std::make_shared<const SourceFile>(SourceFile{settled_.source->path, text});
  const auto program = judge_.read(source);
  return program.ok() ? program.value() : nullptr;
}

ModelAnswers Repairing::answers_about(const std::string& text, verdict::Engine engine, Trial& trial) {
  const auto program = program_of(text);
  trial = Trial::NoProgram;
  if (program == nullptr) return {};
  ModelAnswers answers = judge_.query(program, settled_.query, engine);
  trial = trial_of(answers);
  if (trial == Trial::Unknown && undecided_.unknown.empty()) undecided_ = {answers.unknown, answers.reason};
  return answers;
}

Trial Repairing::attempt(const std::vector<Slot>& slots, const Levels& levels) {
  const auto text = text_of(slots, levels);
  Trial trial = Trial::NoProgram;
  if (!text) return trial;
  const ModelAnswers answers = answers_about(*text, request_.question.checking.engine, trial);
  if (trial == Trial::Wanted && keeps_verdicts_) return kept_by(program_of(*text), slots, levels);
  if (trial == Trial::Wanted && keeps_outcomes(slots, levels) == std::optional(false)) return Trial::Unwanted;
  return trial;
}

/// Returns whether every outcome of the changed program is also an outcome of the source under `sc`. (Race-free
/// programs have only `sc` outcomes.) Returns nothing if the changes affect no data or the outcomes are unknown.
std::optional<bool> Repairing::keeps_outcomes(const std::vector<Slot>& slots, const Levels& levels) {
  if (keeps_verdicts_ || settled_.query != Query::Race || !changes_data(slots, levels)) return std::nullopt;
  if (!reference_) reference_ = judge_.outcomes(settled_.program, true);
  const auto program = program_of(text_of(slots, levels).value_or(""));
  if (!*reference_ || program == nullptr) return std::nullopt;
  const auto outcomes = judge_.outcomes(program, false);
  return outcomes ? std::optional(!has_other_outcomes(*outcomes, **reference_)) : std::nullopt;
}

/// Adds each candidate barrier alone. Removes the candidate if this addition causes a divergence or a deadlock. The
/// remaining barriers block no thread. A remaining barrier only adds order, so it never causes a race.
void Repairing::keep_harmless_barriers(std::vector<Slot>& slots) {
  if (settled_.query != Query::Race) return;
  std::erase_if(slots, [&](Slot& slot) {
    if (slot.kind != Slot::Kind::Barrier) return false;
    const auto text = repair::edited(settled_.source->text, slot.levels.back().edits);
    const auto program = text ? program_of(*text) : nullptr;
    if (program == nullptr || adds_divergent_barrier(*settled_.program, *program)) return true;
    const ModelAnswers alone = judge_.query(program, Query::Incidents, request_.question.checking.engine);
    slot.is_monotone = alone.unknown.empty() && wider_is_stronger(judge_.rules());
    return !alone.has_execution || (alone.has_incident && !settled_.now.has_incident);
  });
}

repair::LevelSearch Repairing::search(const std::vector<Slot>& slots, std::size_t most) {
  // The search leaves time for both engines to confirm each fix, even if the search ends without the cheapest fix.
  Context context;
  judge_.limit(context, judge_.time_left() * 6 / 10);
  return repair::search_levels(
      slots, [&](const Levels& levels) { return attempt(slots, levels); }, most, context, keeps_verdicts_);
}

repair::Proposal Repairing::proposal(const std::vector<Slot>& slots, const Levels& levels) {
  repair::Proposal result;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::string& words = slots[i].levels[levels[i]].words;
    if (!words.empty()) result.changes.push_back(words);
  }
  result.cost = cost_of(slots, levels);
  result.text = text_of(slots, levels).value_or(settled_.source->text);
  result.diff = repair::unified_diff(settled_.source->path, settled_.source->text, result.text);
  result.changes_data = settled_.query == Query::Race && changes_data(slots, levels);
  result.keeps_outcomes = keeps_outcomes(slots, levels).value_or(false);
  for (const verdict::Engine engine : {verdict::Engine::Explicit, verdict::Engine::Smt}) {
    Trial trial = Trial::Unknown;
    const ModelAnswers answers = answers_about(result.text, engine, trial);
    result.answers.push_back({std::string(to_string(engine)), {}, trial == Trial::Wanted, answers.unknown});
  }
  return result;
}

repair::SlotOptions Repairing::slot_options(const events::EventGraph& graph) const {
  repair::SlotOptions options{settled_.costs, wider_is_stronger(judge_.rules()), settled_.query == Query::Race};
  for (const events::FlaggedPair& pair : settled_.now.races) {
    const events::Event& first = graph.events[pair.first];
    const events::Event& second = graph.events[pair.second];
    if (first.thread == events::kNoThread || second.thread == events::kNoThread) continue;
    options.races.push_back({{first.thread, first.instruction}, {second.thread, second.instruction}});
  }
  return options;
}

/// Returns the event graph of the test. Answers about races and outcomes already contain the graph.
std::shared_ptr<const events::EventGraph> Repairing::graph_of(const std::shared_ptr<const Program>& program) {
  if (settled_.query != Query::Termination && settled_.now.graph) return settled_.now.graph;
  return judge_.query(program, Query::Verdicts, request_.question.checking.engine).graph;
}

void Repairing::conclude(RepairReport& report, const std::vector<Slot>& slots, const repair::LevelSearch& search) {
  report.places = slots.size();
  report.checked = search.checked;
  report.undecided = search.undecided;
  report.is_complete = search.is_exhausted;
  report.is_cheapest = search.is_cheapest && !search.found.empty();
  for (const Levels& levels : search.found) {
    repair::Proposal made = proposal(slots, levels);
    const bool is_refuted = std::ranges::any_of(
        made.answers, [](const repair::EngineAnswer& answer) { return !answer.confirms && answer.why_not.empty(); });
    if (is_refuted) throw InternalError("the two engines disagree on a changed program:\n" + made.diff);
    // Without a complete search, a proposal that no engine confirms may have many needless changes.
    const bool is_confirmed = std::ranges::any_of(made.answers, &repair::EngineAnswer::confirms);
    if (is_confirmed || report.is_cheapest) report.proposals.push_back(std::move(made));
  }
  if (!report.proposals.empty()) {
    report.state = RepairReport::State::Found;
  } else if (search.is_exhausted && search.undecided == 0) {
    report.state = RepairReport::State::None;
  } else {
    report.state = RepairReport::State::Unknown;
    std::tie(report.why_unknown, report.unknown_reason) = why_unknown(search);
  }
}

/// Returns why a search found nothing: a text and the kind of reason.
std::pair<std::string, std::optional<UnknownReason>> Repairing::why_unknown(const repair::LevelSearch& search) const {
  if (interrupted_) return {"interrupted", UnknownReason::Interrupted};
  if (!search.is_exhausted) return {"the time limit was reached before all changes were tried", UnknownReason::Timeout};
  if (undecided_.unknown.empty()) return {"changed programs without an answer remain", std::nullopt};
  return {fmt::format("changed programs without an answer remain: {}", undecided_.unknown), undecided_.reason};
}

RepairReport Repairing::fix() {
  RepairReport report = begun(RepairReport::Direction::Fix);
  const Trial trial = trial_of(settled_.now);
  if (trial == Trial::Wanted) {
    report.state = RepairReport::State::NothingToDo;
    return report;
  }
  const auto graph = graph_of(settled_.program);
  if (trial == Trial::Unknown || !graph) {
    report.why_unknown = settled_.now.unknown;
    report.unknown_reason = settled_.now.reason;
    return report;
  }
  const repair::SourceText text(*settled_.source);
  std::vector<Slot> offered = repair::strengthenings(*graph, text, slot_options(*graph));
  keep_harmless_barriers(offered);
  conclude(report, offered, search(offered, request_.proposals));
  return report;
}

/// Finds the properties besides the verdicts that weaker forms must keep: that spin loops end and, if the test has no
/// condition, all outcomes. A fence never decides whether a loop ends, because every write becomes visible eventually.
/// A missing barrier can keep a loop from ending: a value that a thread waits for may be overwritten.
void Repairing::find_kept(const events::EventGraph& graph) {
  if (settled_.query != Query::Verdicts) return;
  if (!settled_.program->condition.proposition) kept_outcomes_ = judge_.outcomes(settled_.program, false);
  if (graph.spin_loops.empty()) return;
  const ModelAnswers ends = judge_.query(settled_.program, Query::Termination, request_.question.checking.engine);
  keeps_end_ = ends.unknown.empty() && ends.terminates.value_or(false);
}

Trial Repairing::kept_by(const std::shared_ptr<const Program>& program, const std::vector<Slot>& slots,
                         const Levels& levels) {
  if (kept_outcomes_) {
    const auto outcomes = judge_.outcomes(program, false);
    if (!outcomes) return Trial::Unknown;
    if (has_other_outcomes(*outcomes, *kept_outcomes_)) return Trial::Unwanted;
  }
  if (keeps_end_ && removes_barrier(slots, levels)) {
    const ModelAnswers ends = judge_.query(program, Query::Termination, request_.question.checking.engine);
    if (!ends.unknown.empty()) return Trial::Unknown;
    if (!ends.terminates.value_or(false)) return Trial::Unwanted;
  }
  return Trial::Wanted;
}

/// Describes a property of the source that the changed program lacks. Sets `answers` to the answers about the changed
/// program. Returns an empty text if the program keeps all properties or if Ambit does not know.
std::string Repairing::lost_by(const std::vector<Slot>& slots, const Levels& levels, ModelAnswers& answers) {
  const auto text = text_of(slots, levels);
  const auto program = text ? program_of(*text) : nullptr;
  if (program == nullptr) return "";
  Trial trial = Trial::NoProgram;
  answers = answers_about(*text, request_.question.checking.engine, trial);
  const std::vector<repair::TextEdit> edits = edits_of(slots, levels);
  const Consequence consequence(*settled_.source, edits, *text);
  if (trial == Trial::Unwanted) return consequence.of_verdicts(settled_.now, answers);
  if (trial != Trial::Wanted) return "";
  if (kept_outcomes_) {
    const auto outcomes = judge_.outcomes(program, false);
    if (!outcomes) return "";
    std::string gained = Consequence::of_outcomes(*program, *kept_outcomes_, *outcomes);
    if (!gained.empty()) return gained;
  }
  if (!keeps_end_ || !removes_barrier(slots, levels)) return "";
  const ModelAnswers ends = judge_.query(program, Query::Termination, request_.question.checking.engine);
  return ends.unknown.empty() && !ends.terminates.value_or(false) ? consequence.of_termination(ends) : "";
}

/// For each place that the search kept, describes the effect of weakening only this place by one more step.
void Repairing::explain_kept(RepairReport& report, const std::vector<Slot>& slots, const Levels& levels) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (levels[i] == 0) continue;
    Levels weaker = levels;
    --weaker[i];
    ModelAnswers answers;
    const std::string lost = lost_by(slots, weaker, answers);
    if (slots[i].kind == Slot::Kind::Barrier) {
      const bool is_one = slots[i].subject.find(" and `") == std::string::npos;
      report.barriers.push_back(lost.empty()
                                    ? fmt::format("{} {}: whether the program needs {} is not known", slots[i].subject,
                                                  is_one ? "stays" : "stay", is_one ? "it" : "them")
                                    : fmt::format("{} {}: without {}, {}", slots[i].subject, is_one ? "stays" : "stay",
                                                  is_one ? "it" : "them", lost));
    } else if (!lost.empty()) {
      report.needed.push_back(fmt::format("{}: {}", slots[i].levels[weaker[i]].words, lost));
    }
  }
}

RepairReport Repairing::relax() {
  keeps_verdicts_ = true;
  const auto graph = graph_of(settled_.program);
  RepairReport report = begun(RepairReport::Direction::Relax);
  if (!settled_.now.unknown.empty() || !graph) {
    report.why_unknown = settled_.now.unknown;
    report.unknown_reason = settled_.now.reason;
    return report;
  }
  find_kept(*graph);
  if (kept_outcomes_) report.goal += (report.goal.empty() ? "" : ", ") + std::string("the same outcomes");
  if (keeps_end_) report.goal += (report.goal.empty() ? "" : ", ") + std::string("terminates");
  if (settled_.query == Query::Verdicts && !settled_.program->condition.proposition && !kept_outcomes_) {
    report.notes.emplace_back("the outcomes were not compared: Ambit could not list the outcomes of the source");
  }
  const repair::SourceText text(*settled_.source);
  const repair::WeakerForms offered = repair::weakenings(*graph, text, slot_options(*graph));
  for (const std::string& barrier : offered.fixed_barriers) {
    report.notes.push_back(fmt::format("{} was not tried: Ambit cannot remove its text", barrier));
  }
  const repair::LevelSearch found = search(offered.slots, 1);
  conclude(report, offered.slots, found);
  if (report.state != RepairReport::State::Found) return report;
  explain_kept(report, offered.slots, found.found.front());
  if (report.proposals.front().changes.empty()) report.state = RepairReport::State::NothingToDo;
  return report;
}

void Repairing::confirm(RepairReport& report, const std::string& launch) {
  report.is_cheapest = false;
  report.is_complete = false;
  report.notes.push_back(fmt::format("Ambit searched for fixes with the smaller launch {}", launch));
  std::string unconfirmed;
  std::erase_if(report.proposals, [&](repair::Proposal& proposal) {
    for (repair::EngineAnswer& answer : proposal.answers) answer.launch = launch;
    Trial trial = Trial::Unknown;
    const ModelAnswers answers = answers_about(proposal.text, verdict::Engine::Smt, trial);
    proposal.answers.push_back({std::string(to_string(verdict::Engine::Smt)), {}, trial == Trial::Wanted, {}});
    if (trial == Trial::Unknown && unconfirmed.empty()) {
      unconfirmed = fmt::format("the smaller launch {} has the fix: {}; for this launch, the answer is unknown: {}",
                                launch, fmt::join(proposal.changes, "; "), answers.unknown);
      report.unknown_reason = answers.reason;
    }
    return trial != Trial::Wanted;
  });
  if (!report.proposals.empty() || unconfirmed.empty()) return;
  report.state = RepairReport::State::Unknown;
  report.why_unknown = std::move(unconfirmed);
}

}  // namespace ambit::api
