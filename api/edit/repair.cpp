#include "api/edit/repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "api/edit/repair_goal.h"
#include "api/files.h"
#include "base/assert.h"
#include "model/repair/slots.h"
#include "model/verdict/races.h"
#include "parser/parse.h"

namespace ambit::api {
namespace {

using events::Possibility;
using repair::Levels;
using repair::RepairReport;
using repair::Slot;
using repair::Trial;
using Query = RepairJudge::Query;

/// Returns whether a wider scope never adds a race or an outcome under the model. Returns true for the shipped models
/// whose only requirement on scopes is inclusion.
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

/// Returns whether `changed` adds a block barrier in a branch on divergent values. With such a barrier, some thread of
/// the block skips the barrier and executes other code instead. A thread that skips the barrier by an early return does
/// not matter.
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

/// The question of a request, resolved for one test, and the model's answers about the unchanged program.
struct Settled {
  SourceFilePtr source;
  std::shared_ptr<const Program> program;
  Query query = Query::Race;
  ModelAnswers now;
  repair::CostTable costs;
};

class Repairing {
 public:
  Repairing(const RepairRequest& request, parser::RulesPtr rules, const std::atomic<bool>& interrupted)
      : request_(request), interrupted_(interrupted), judge_(request.question, std::move(rules), interrupted) {}

  Result<RepairReport> fix(Settled settled);
  Result<RepairReport> relax(Settled settled);
  RepairJudge& judge() { return judge_; }

 private:
  RepairReport begun(RepairReport::Direction direction) const;
  std::shared_ptr<const events::EventGraph> graph_of(const std::shared_ptr<const Program>& program);
  std::vector<Slot> slots(const std::shared_ptr<const events::EventGraph>& graph, const repair::SourceText& text,
                          bool stronger) const;
  Trial attempt(const std::vector<Slot>& slots, const Levels& levels);
  void keep_harmless_barriers(std::vector<Slot>& slots);
  std::optional<bool> keeps_outcomes(const std::vector<Slot>& slots, const Levels& levels);
  std::shared_ptr<const Program> program_of(const std::string& text) const;
  Trial trial_of(const ModelAnswers& answers) const;
  std::optional<std::string> text_of(const std::vector<Slot>& slots, const Levels& levels) const;
  ModelAnswers answers_about(const std::string& text, verdict::Engine engine, Trial& trial);
  repair::Proposal proposal(const std::vector<Slot>& slots, const Levels& levels);
  repair::LevelSearch search(const std::vector<Slot>& slots, std::size_t most);
  void conclude(RepairReport& report, const std::vector<Slot>& slots, const repair::LevelSearch& search);
  std::vector<std::string> needed(const std::vector<Slot>& slots, const Levels& levels);

  const RepairRequest& request_;
  const std::atomic<bool>& interrupted_;
  RepairJudge judge_;
  Settled settled_;
  bool keeps_verdicts_ = false;  ///< set by relax().
  /// The outcomes of the source under `sc`. The outer optional is empty until a change of data needs the outcomes. The
  /// inner optional is empty if the outcomes are unknown.
  std::optional<std::optional<NamedOutcomes>> reference_;
};

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
  if (!answers.has_execution || (answers.has_incident && !now.has_incident)) return Trial::Unwanted;
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
  return answers;
}

Trial Repairing::attempt(const std::vector<Slot>& slots, const Levels& levels) {
  const auto text = text_of(slots, levels);
  Trial trial = Trial::NoProgram;
  if (text) answers_about(*text, request_.question.checking.engine, trial);
  if (trial == Trial::Wanted && keeps_outcomes(slots, levels) == std::optional(false)) return Trial::Unwanted;
  return trial;
}

/// Returns whether every outcome of the changed program is also an outcome of the source under `sc`. (A program without
/// races has no others.) Returns nothing if the changes do not concern data, or if the outcomes are unknown.
std::optional<bool> Repairing::keeps_outcomes(const std::vector<Slot>& slots, const Levels& levels) {
  if (keeps_verdicts_ || settled_.query != Query::Race || !changes_data(slots, levels)) return std::nullopt;
  if (!reference_) reference_ = judge_.outcomes(settled_.program, true);
  const auto program = program_of(text_of(slots, levels).value_or(""));
  if (!*reference_ || program == nullptr) return std::nullopt;
  const auto outcomes = judge_.outcomes(program, false);
  return outcomes ? std::optional(!has_other_outcomes(*outcomes, **reference_)) : std::nullopt;
}

/// If a candidate barrier causes a divergence or a deadlock when it is added alone, removes this barrier from the
/// candidates. The remaining barriers block no thread. A remaining barrier only adds order, so it never causes a race.
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
      slots, [&](const Levels& levels) { return attempt(slots, levels); }, most, context);
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
    result.answers.push_back({std::string(to_string(engine)), trial == Trial::Wanted, answers.unknown});
  }
  return result;
}

std::vector<Slot> Repairing::slots(const std::shared_ptr<const events::EventGraph>& graph,
                                   const repair::SourceText& text, bool stronger) const {
  repair::SlotOptions options{settled_.costs, wider_is_stronger(judge_.rules()), settled_.query == Query::Race};
  for (const events::FlaggedPair& pair : settled_.now.races) {
    const events::Event& first = graph->events[pair.first];
    const events::Event& second = graph->events[pair.second];
    if (first.thread == events::kNoThread || second.thread == events::kNoThread) continue;
    options.races.push_back({{first.thread, first.instruction}, {second.thread, second.instruction}});
  }
  return stronger ? strengthenings(*graph, text, options) : weakenings(*graph, text, options);
}

/// Returns the event graph of the test. The answers already contain the graph, unless they are about termination.
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
    report.proposals.push_back(std::move(made));
  }
  if (!report.proposals.empty()) {
    report.state = RepairReport::State::Found;
  } else if (search.is_exhausted && search.undecided == 0) {
    report.state = RepairReport::State::None;
  } else {
    report.state = RepairReport::State::Unknown;
    report.why_unknown =
        interrupted_ ? "interrupted" : "the limits were reached, or changed programs without an answer remain";
    report.unknown_reason = interrupted_ ? UnknownReason::Interrupted : UnknownReason::Timeout;
  }
}

Result<RepairReport> Repairing::fix(Settled settled) {
  settled_ = std::move(settled);
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
  std::vector<Slot> offered = slots(graph, text, true);
  keep_harmless_barriers(offered);
  conclude(report, offered, search(offered, request_.proposals));
  return report;
}

/// For each kept place, returns a text: the effect of weakening this place, and no other place, by one more step.
std::vector<std::string> Repairing::needed(const std::vector<Slot>& slots, const Levels& levels) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (levels[i] == 0) continue;
    Levels weaker = levels;
    --weaker[i];
    const auto text = text_of(slots, weaker);
    Trial trial = Trial::NoProgram;
    if (!text) continue;
    const ModelAnswers answers = answers_about(*text, request_.question.checking.engine, trial);
    if (trial != Trial::Unwanted) continue;
    texts.push_back(fmt::format("{}: {}", slots[i].levels[weaker[i]].words,
                                answers_text(answers, settled_.query == Query::Termination)));
  }
  return texts;
}

Result<RepairReport> Repairing::relax(Settled settled) {
  settled_ = std::move(settled);
  keeps_verdicts_ = true;
  RepairReport report = begun(RepairReport::Direction::Relax);
  const auto graph = graph_of(settled_.program);
  if (!settled_.now.unknown.empty() || !graph) {
    report.why_unknown = settled_.now.unknown;
    report.unknown_reason = settled_.now.reason;
    return report;
  }
  const repair::SourceText text(*settled_.source);
  const std::vector<Slot> offered = slots(graph, text, false);
  const repair::LevelSearch found = search(offered, 1);
  conclude(report, offered, found);
  if (report.state != RepairReport::State::Found) return report;
  report.needed = needed(offered, found.found.front());
  if (report.proposals.front().changes.empty()) report.state = RepairReport::State::NothingToDo;
  return report;
}

Result<Settled> settle(const RepairRequest& request, const ExplainQuestion& question, RepairJudge& judge,
                       const std::atomic<bool>& interrupted) {
  Settled settled;
  settled.source = question.program->source;
  if (!request.costs.empty()) {
    const auto file = read_input(request.costs, interrupted);
    if (!file.ok()) return file.errors();
    auto costs = repair::CostTable::read(file.value());
    if (!costs.ok()) return costs.errors();
    settled.costs = costs.value();
  }
  auto program = judge.read(settled.source);
  if (!program.ok()) return program.errors();
  settled.program = std::move(program).value();
  return settled;
}

/// Chooses the goal if the request has no goal: no race if there is a race, otherwise the test's own condition.
std::optional<Diagnostic> choose_goal(Settled& settled, const ExplainRequest& request, RepairJudge& judge) {
  const verdict::Engine engine = request.checking.engine;
  const bool may_race = verdict::speaks_of_races(judge.rules());
  settled.query = request.checking.only_termination ? Query::Termination
                  : request.outcome                 ? Query::Outcome
                                                    : Query::Race;
  if (settled.query == Query::Race && !may_race) {
    if (request.race)
      return path_error("--race", fmt::format("the model '{}' does not define races", judge.rules().name));
    settled.query = Query::Outcome;
  }
  const bool has_condition = settled.program->condition.proposition.has_value();
  settled.now = judge.query(settled.program, settled.query, engine);
  const bool is_clean = settled.query == Query::Race && settled.now.race == Possibility::Impossible;
  if (is_clean && !request.race && has_condition && settled.program->labels.empty()) {
    settled.query = Query::Outcome;
    settled.now = judge.query(settled.program, settled.query, engine);
  }
  if (settled.query == Query::Outcome && !has_condition) {
    return Diagnostic{settled.source, {}, "the test has no condition", "name an outcome with --outcome, or use --race"};
  }
  return std::nullopt;
}

std::optional<Diagnostic> not_changeable(const Program& program) {
  if (program.source != nullptr && parser::language_of(*program.source) != parser::Language::CompiledModule) {
    return std::nullopt;
  }
  return path_error(program.source == nullptr ? program.name : program.source->path,
                    "changes of PTX modules are not supported: name the source of the kernels");
}

Result<ExplainQuestion> question_of(const RepairRequest& request, const std::atomic<bool>& interrupted) {
  const CheckingOptions& checking = request.question.checking;
  if (checking.reading.reading > Reading::Source || !checking.reading.ptx.empty()) {
    return path_error("--reading", "changes are made in the source: check the kernels with --reading source");
  }
  ExplainRequest changed_request = request.question;
  changed_request.outcome.reset();  // read_question() reads the outcome again from each changed text
  changed_request.checking.reading.reading = Reading::Source;
  auto question = read_question(changed_request, interrupted);
  if (!question.ok()) return question;
  if (auto error = not_changeable(*question.value().program)) return *std::move(error);
  return question;
}

Result<RepairReport> fix_question(const RepairRequest& request, const ExplainQuestion& question,
                                  const std::atomic<bool>& interrupted) {
  Repairing repairing(request, question.rules, interrupted);
  auto settled = settle(request, question, repairing.judge(), interrupted);
  if (!settled.ok()) return settled.errors();
  if (auto error = choose_goal(settled.value(), request.question, repairing.judge())) return *std::move(error);
  return repairing.fix(std::move(settled).value());
}

}  // namespace

Result<RepairReport> fix_test(const RepairRequest& request, const std::atomic<bool>& interrupted) {
  const auto question = question_of(request, interrupted);
  if (!question.ok()) return question.errors();
  return fix_question(request, question.value(), interrupted);
}

Result<RepairReport> fix_program(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules,
                                 const CheckingOptions& checking, const std::atomic<bool>& interrupted) {
  RepairRequest request;
  request.question.checking = checking;
  return fix_program(program, rules, std::move(request), interrupted);
}

Result<RepairReport> fix_program(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules,
                                 RepairRequest request, const std::atomic<bool>& interrupted) {
  if (auto error = not_changeable(*program)) return *std::move(error);
  request.question.test = program->name;
  return fix_question(request, {program, rules}, interrupted);
}

Result<RepairReport> relax_test(const RepairRequest& request, const std::atomic<bool>& interrupted) {
  const auto question = question_of(request, interrupted);
  if (!question.ok()) return question.errors();
  Repairing repairing(request, question.value().rules, interrupted);
  auto settled = settle(request, question.value(), repairing.judge(), interrupted);
  if (!settled.ok()) return settled.errors();
  Settled& state = settled.value();
  state.query = request.question.checking.only_termination ? Query::Termination : Query::Verdicts;
  state.now = repairing.judge().query(state.program, state.query, request.question.checking.engine);
  if (state.now.race == Possibility::Possible) {
    return Diagnostic{state.source,
                      {},
                      fmt::format("the test races under {}: weaker forms would preserve only the race",
                                  verdict::model_name(repairing.judge().rules())),
                      "remove the races first, with ambit fix"};
  }
  return repairing.relax(std::move(state));
}

}  // namespace ambit::api
