#include "apps/cli/question.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

#include "api/files.h"
#include "apps/cli/interrupt.h"
#include "model/verdict/races.h"
#include "parser/cat/model_store.h"
#include "parser/parse.h"
#include "report/text/explain_text.h"

namespace ambit::cli {
namespace {

/// The models that read a test most as benchmark suites mean it: scopes include each other; one who polls need not
/// fence. The second one differs in the latter, and sees missing acquire fences instead.
constexpr std::array<std::string_view, 2> kAsSuitesRead = {"hrf-relaxed(rlx=acquire)", "scoped-hb"};

Result<std::shared_ptr<const Program>> pick(const Question& question, const SourceFilePtr& source,
                                            const std::vector<std::shared_ptr<const Program>>& programs) {
  if (question.test.empty() && programs.size() == 1) return programs.front();
  std::vector<std::string> names;
  for (const auto& program : programs) {
    if (program->name == question.test) return program;
    names.push_back(program->name);
  }
  const std::string hint = fmt::format("its tests are {}", fmt::join(names, ", "));
  if (!question.test.empty()) {
    return Diagnostic{source, {}, fmt::format("the file holds no test '{}'", question.test), hint};
  }
  return Diagnostic{source, {}, fmt::format("the file holds {} tests: choose one with --test", programs.size()), hint};
}

Result<std::shared_ptr<const Program>> read_test(const Question& question) {
  Result<SourceFilePtr> source = api::read_input(question.file, interrupt_flag());
  if (!source.ok()) return source.errors();
  parser::ProgramOptions options;
  options.max_threads = question.checking.max_threads;
  options.uninitialized = question.checking.uninitialized;
  if (!question.checking.launch.empty()) options.launch = question.checking.launch;
  options.defines = question.checking.defines;
  Result<std::vector<std::shared_ptr<const Program>>> programs = parser::parse_programs(source.value(), options);
  if (!programs.ok()) return programs.errors();
  return pick(question, source.value(), programs.value());
}

/// What the test's expectations say of races, by model.
std::vector<std::optional<bool>> expected_races(const Program& program, const std::vector<parser::RulesPtr>& models,
                                                parser::ModelStore& store) {
  std::vector<std::optional<bool>> races(models.size());
  for (const Expectation& expectation : program.expectations) {
    const auto loaded = store.load(expectation.model, expectation.options);
    if (!loaded.ok()) continue;  // the store has said so already
    const auto known = std::ranges::find(models, loaded.value());
    if (known != models.end()) races[static_cast<std::size_t>(known - models.begin())] = expectation.race;
  }
  return races;
}

Result<parser::RulesPtr> read_model(const Question& question, const Program& program) {
  parser::ModelStore store;
  if (!question.checking.models.empty()) return store.load_reference(question.checking.models.front());
  Result<std::vector<parser::RulesPtr>> models = store.models_of(program);
  if (!models.ok()) return models.errors();
  if (models.value().empty()) models = store.default_models();
  if (!models.ok()) return models.errors();
  const auto label = program.labels.empty() ? std::nullopt : std::optional(program.labels.front().race);
  return model_to_explain(models.value(), expected_races(program, models.value(), store), label);
}

}  // namespace

void add_question_options(CLI::App& command, Question& question) {
  command.add_option("FILE", question.file, "A test (.litmus, .test, .cu), or - for the standard input")
      ->required()
      ->option_text("FILE");
  command.add_option("--test", question.test, "Which test of a file that holds several")->type_name("NAME");
  CLI::Option* outcome =
      command
          .add_option("--outcome", question.outcome,
                      "The outcome asked about: 'P1:r0 == 1 && x == 2'. Default: the test's own condition")
          ->type_name("OUTCOME");
  outcome->each([&question](const std::string&) { question.has_outcome = true; });
  command.add_flag("--race", question.race, "Ask about races")->excludes(outcome);
  add_checking_options(command, question.checking);
}

Result<AskedQuestion> read_question(const Question& question) {
  if (question.checking.models.size() > 1) {
    return api::path_error("--model", "one model is explained at a time, but several are named");
  }
  AskedQuestion asked;
  Result<std::shared_ptr<const Program>> program = read_test(question);
  if (!program.ok()) return program.errors();
  asked.program = std::move(program).value();
  const Result<parser::RulesPtr> rules = read_model(question, *asked.program);
  if (!rules.ok()) return rules.errors();
  asked.rules = rules.value();
  if (question.has_outcome) {
    Result<std::shared_ptr<const Program>> with = parser::with_outcome(*asked.program, question.outcome, "--outcome");
    if (!with.ok()) return with.errors();
    asked.program = std::move(with).value();
    asked.text = question.outcome;
    return asked;
  }
  return own_question(asked.program, asked.rules, question.race);
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
  const auto telling =
      std::ranges::find_if(models, [](const parser::RulesPtr& rules) { return verdict::speaks_of_races(*rules); });
  return telling == models.end() ? models.front() : *telling;
}

AskedQuestion own_question(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules,
                           bool about_race) {
  AskedQuestion asked{program, rules, false, {}};
  const bool has_condition = program->condition.proposition.has_value();
  const bool is_race_test = !program->labels.empty() && verdict::speaks_of_races(*rules);
  asked.about_race = about_race || is_race_test || !has_condition;
  if (asked.about_race) return asked;
  report::OwnQuestion own = report::own_question(*program);
  asked.program = std::move(own.program);
  asked.text = std::move(own.text);
  return asked;
}

Result<Explained> explain_question(const AskedQuestion& asked, verdict::Checker& checker,
                                   const verdict::CheckOptions& options, const report::ExplainOptions& explain_options,
                                   const report::PictureOptions& picture_options, Context& context) {
  if (asked.about_race) {
    const auto explanation = explain::explain_race(checker, asked.program, asked.rules, options, {}, context);
    if (!explanation.ok()) return explanation.errors();
    return Explained{report::picture_of(explanation.value(), picture_options),
                     report::race_explanation_text(explanation.value(), {}, explain_options)};
  }
  const auto explanation = explain::explain_outcome(checker, asked.program, asked.rules, options, context);
  if (!explanation.ok()) return explanation.errors();
  return Explained{report::picture_of(explanation.value(), asked.text, picture_options),
                   report::outcome_explanation_text(explanation.value(), asked.text, {}, explain_options)};
}

verdict::CheckOptions check_options(const Question& question) {
  verdict::CheckOptions options;
  options.engine = question.checking.engine;
  options.unroll = question.checking.unroll;
  return options;
}

void set_limits(const Question& question, Context& context) {
  constexpr double kLongest = 1e6;  // seconds: more would overflow the clock
  const double milliseconds = std::max(1.0, std::min(question.checking.timeout_seconds, kLongest) * 1000);
  context.set_timeout(std::chrono::milliseconds(static_cast<std::int64_t>(milliseconds)));
  context.set_memory_limit(question.checking.memory_bytes);
  context.set_cancellation(&catch_interrupts());
}

}  // namespace ambit::cli
