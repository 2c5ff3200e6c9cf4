#include "api/check/explanation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "api/files.h"
#include "model/verdict/races.h"
#include "parser/parse.h"
#include "report/json/json.h"
#include "report/text/explain_text.h"

namespace ambit::api {
namespace {

/// The models with the rules closest to the benchmark suites' rules, in the order of closeness. In both models, scopes
/// must include each other, and a polling loop needs no fence. Only the second model reports a missing acquire fence.
constexpr std::array<std::string_view, 2> kAsSuitesRead = {"hrf-relaxed(rlx=acquire)", "scoped-hb"};

Result<std::shared_ptr<const Program>> read_test(const ExplainRequest& request, const std::atomic<bool>& interrupted) {
  const auto read = read_tests(request.file, request.checking, interrupted);
  if (!read.ok()) return read.errors();
  const std::vector<std::shared_ptr<const Program>>& programs = read.value();
  if (request.test.empty() && programs.size() == 1) return programs.front();
  std::vector<std::string> names;
  for (const auto& program : programs) {
    if (program->name == request.test) return program;
    names.push_back(program->name);
  }
  return Diagnostic{programs.front()->source,
                    {},
                    request.test.empty()
                        ? fmt::format("the file holds {} tests: choose one with --test", programs.size())
                        : fmt::format("the file holds no test '{}'", request.test),
                    fmt::format("its tests are {}", fmt::join(names, ", "))};
}

/// Returns the test's expectation about races under each model.
std::vector<std::optional<bool>> expected_races(const Program& program, const std::vector<parser::RulesPtr>& models,
                                                parser::ModelStore& store) {
  std::vector<std::optional<bool>> races(models.size());
  for (const Expectation& expectation : program.expectations) {
    const auto loaded = store.load(expectation.model, expectation.options);
    if (!loaded.ok()) continue;  // models_of() reports errors in models
    const auto known = std::ranges::find(models, loaded.value());
    if (known != models.end()) races[static_cast<std::size_t>(known - models.begin())] = expectation.race;
  }
  return races;
}

Result<parser::RulesPtr> read_model(const ExplainRequest& request, const Program& program) {
  parser::ModelStore store;
  if (!request.checking.models.empty()) return store.load_reference(request.checking.models.front());
  Result<std::vector<parser::RulesPtr>> models = store.models_of(program);
  if (models.ok() && models.value().empty()) models = store.default_models(program);
  if (!models.ok()) return models.errors();
  const auto label = program.labels.empty() ? std::nullopt : std::optional(program.labels.front().race);
  return model_to_explain(models.value(), expected_races(program, models.value(), store), label);
}

}  // namespace

Result<ExplainQuestion> read_question(const ExplainRequest& request, const std::atomic<bool>& interrupted) {
  if (request.checking.models.size() > 1) {
    return path_error("--model", "this command is about one model, but several are named");
  }
  const auto program = read_test(request, interrupted);
  if (!program.ok()) return program.errors();
  const Result<parser::RulesPtr> rules = read_model(request, *program.value());
  if (!rules.ok()) return rules.errors();
  if (request.race) return ExplainQuestion{program.value(), rules.value(), true};
  if (!request.outcome) return own_question(program.value(), rules.value());
  auto with = parser::with_outcome(*program.value(), *request.outcome, "--outcome");
  if (!with.ok()) return with.errors();
  return ExplainQuestion{std::move(with).value(), rules.value(), false, *request.outcome};
}

ExplainQuestion condition_question(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules) {
  report::OwnQuestion own = report::own_question(*program);
  return {std::move(own.program), rules, false, std::move(own.text)};
}

ExplainQuestion own_question(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules) {
  const bool is_race_test = !program->labels.empty() && verdict::speaks_of_races(*rules);
  if (is_race_test || !program->condition.proposition) return {program, rules, true};
  return condition_question(program, rules);
}

parser::RulesPtr model_to_explain(const std::vector<parser::RulesPtr>& models,
                                  const std::vector<std::optional<bool>>& races, std::optional<bool> label) {
  parser::RulesPtr chosen;
  const std::string_view* best = kAsSuitesRead.end();
  for (std::size_t i = 0; label && i < std::min(models.size(), races.size()); ++i) {
    if (races[i] != label || !verdict::speaks_of_races(*models[i])) continue;
    const std::string_view* rank = std::ranges::find(kAsSuitesRead, verdict::model_name(*models[i]));
    if (chosen && rank >= best) continue;
    chosen = models[i];
    best = rank;
  }
  if (chosen || models.empty()) return chosen;
  // The models of today's GPUs come first, so that a test with expectations for older models is explained by their
  // rules.
  for (const std::string_view name : {"ptx", "cuda-cpp"}) {
    const auto current = std::ranges::find(models, name, [](const auto& rules) { return verdict::model_name(*rules); });
    if (current != models.end()) return *current;
  }
  const auto telling =
      std::ranges::find_if(models, [](const parser::RulesPtr& rules) { return verdict::speaks_of_races(*rules); });
  return telling == models.end() ? models.front() : *telling;
}

events::Possibility Explanation::possibility() const {
  return std::visit([](const auto& of) { return of.possibility; }, of_);
}

std::vector<SourceSpan> Explanation::accesses() const {
  const auto* of = std::get_if<explain::RaceExplanation>(&of_);
  if (of == nullptr || of->races.empty()) return {};
  const explain::ExplainedRace& race = of->races.front();
  return {of->graph->events[race.first].span, of->graph->events[race.second].span};
}

std::string Explanation::text(const report::Style& style, const report::ExplainOptions& options) const {
  if (const auto* race = std::get_if<explain::RaceExplanation>(&of_)) {
    return report::race_explanation_text(*race, style, options);
  }
  return report::outcome_explanation_text(std::get<explain::OutcomeExplanation>(of_), question_, style, options);
}

std::string Explanation::json(std::string_view version) const {
  if (const auto* race = std::get_if<explain::RaceExplanation>(&of_)) {
    return report::race_explanation_json(*race, version);
  }
  return report::outcome_explanation_json(std::get<explain::OutcomeExplanation>(of_), question_, version);
}

std::optional<report::Picture> Explanation::picture(const report::PictureOptions& options) const {
  if (const auto* race = std::get_if<explain::RaceExplanation>(&of_)) return report::picture_of(*race, options);
  return report::picture_of(std::get<explain::OutcomeExplanation>(of_), question_, options);
}

Result<Explanation> explain_question(const ExplainQuestion& question, verdict::Checker& checker,
                                     const verdict::CheckOptions& engine, const explain::RaceOptions& races,
                                     Context& context) {
  if (question.about_race) {
    explain::RaceOptions options = races;
    if (question.first_race) options.first = question.first_race;
    auto race = explain::explain_race(checker, question.program, question.rules, engine, options, context);
    if (!race.ok()) return race.errors();
    return Explanation(std::move(race).value());
  }
  auto outcome = explain::explain_outcome(checker, question.program, question.rules, engine, context);
  if (!outcome.ok()) return outcome.errors();
  return Explanation(std::move(outcome).value(), question.text);
}

std::string explanation_text(const ExplainQuestion& question, const std::atomic<bool>& interrupted) {
  verdict::Checker checker;
  Context context;
  const CheckingOptions checking;
  set_limits(context, checking, interrupted);
  const auto explanation = explain_question(question, checker, engine_options(checking), {}, context);
  return explanation.ok() ? explanation.value().text({}, {}) : "";
}

std::string outcome_proposition(std::string outcome) {
  constexpr std::string_view kAnd = " && ";
  for (std::size_t at = 0; (at = outcome.find(", ", at)) != std::string::npos; at += kAnd.size()) {
    outcome.replace(at, 2, kAnd);
  }
  return outcome;
}

}  // namespace ambit::api
