#include "api/check/smaller_question.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "api/check/smaller_programs.h"
#include "model/verdict/races.h"

namespace ambit::api {
namespace {

using events::Possibility;

/// A model's answer about the races of a program.
struct RaceAnswer {
  Possibility race = Possibility::Unknown;
  std::vector<explain::RaceStatements> races;
};

RaceAnswer race_answer(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules,
                       const CheckingOptions& options, verdict::Checker& checker, Context& context) {
  verdict::CheckOptions engine = engine_options(options);
  engine.questions = {.proposition = false, .flags = true, .incidents = false};
  const auto checked = checker.check(program, rules, engine, context);
  RaceAnswer answer;
  if (!checked.ok()) return answer;
  const verdict::Verdict& verdict = checked.value();
  answer.race = verdict.race;
  for (const verdict::Race& race : verdict::races(verdict)) {
    answer.races.push_back(explain::statements_of(*verdict.graph, race.pair->first, race.pair->second));
  }
  return answer;
}

/// Returns the first race of the large launch that the smaller launch has too.
std::optional<explain::RaceStatements> shared_race(const RaceAnswer& large, const RaceAnswer& small) {
  for (const explain::RaceStatements& race : large.races) {
    const auto is_race = [&](const explain::RaceStatements& other) { return explain::are_same(race, other); };
    if (std::ranges::any_of(small.races, is_race)) return race;
  }
  return std::nullopt;
}

std::string remark_about(const std::string& launch, Possibility large) {
  switch (large) {
    case Possibility::Possible:
      return fmt::format("explained with the smaller launch {}: the same statements race there", launch);
    case Possibility::Impossible:
      return fmt::format("explained with the smaller launch {}, which has no race either", launch);
    case Possibility::Unknown: break;
  }
  return fmt::format("whether the launch races is unknown; explained with the smaller launch {}, which races", launch);
}

}  // namespace

ExplainQuestion smaller_question(const ExplainQuestion& question, const CheckingOptions& options,
                                 verdict::Checker& checker, const std::atomic<bool>& interrupted) {
  if (!question.about_race || !is_large_launch(*question.program)) return question;
  CheckingOptions quick = options;
  constexpr double kShare = 0.25;  // the rest of the time is for the explanation
  quick.timeout_seconds *= kShare;
  const auto answer_of = [&](const std::shared_ptr<const Program>& program) {
    Context limited;
    set_limits(limited, quick, interrupted);
    return race_answer(program, question.rules, options, checker, limited);
  };
  const RaceAnswer large = answer_of(question.program);
  const auto end = std::chrono::steady_clock::now() + time_limit(quick.timeout_seconds);
  for (const SmallerProgram& small : smaller_programs(*question.program, options)) {
    if (std::chrono::steady_clock::now() > end || interrupted) break;
    const RaceAnswer answer = answer_of(small.program);
    const auto race = shared_race(large, answer);
    const bool is_wanted = large.race == Possibility::Unknown    ? answer.race == Possibility::Possible
                           : large.race == Possibility::Possible ? race.has_value()
                                                                 : answer.race == Possibility::Impossible;
    if (!is_wanted) continue;
    auto program = std::make_shared<Program>(*small.program);
    program->remarks.push_back({program->source, {}, remark_about(small.launch, large.race), {}, Severity::Note});
    return {std::move(program), question.rules, true, question.text, small.launch, race};
  }
  return question;
}

}  // namespace ambit::api
