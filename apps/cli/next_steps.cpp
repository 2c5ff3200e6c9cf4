#include "apps/cli/next_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "api/check/launch_texts.h"
#include "apps/cli/options.h"
#include "apps/cli/usage.h"

namespace ambit::cli {
namespace {

bool has_race(const report::ModelResult& result) {
  return result.verdict && result.verdict->race == events::Possibility::Possible;
}

bool is_unmet(const report::ModelResult& result) {
  return result.verdict && result.judgement.status == verdict::Status::Fail;
}

/// Returns whether the check of a kernel ended at a limit.
bool is_cut(const report::TestResult& test) {
  if (test.program->source == nullptr || !api::has_kernels(*test.program->source)) return false;
  return std::ranges::any_of(test.results, [](const report::ModelResult& result) {
    const auto reason = result.verdict ? result.verdict->unknown : std::nullopt;
    return reason == UnknownReason::Timeout || reason == UnknownReason::Memory;
  });
}

/// Quotes a word for a shell, if necessary.
std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// Returns the given options of `check`, as on the command line, without options that `other` lacks. Leaves out --model
/// unless `with_models` is true.
std::string repeated_options(Command check, Command other, bool with_models) {
  std::string text;
  for (const Option option : check.options()) {
    const std::string name = option.is_argument() || option.names().empty() ? "" : option.names().back();
    if (name.empty() || !option.is_given() || (name == "--model" && !with_models)) continue;
    const std::vector<Option> known = other.options();
    const auto has_name = [&](const Option& one) { return std::ranges::count(one.names(), name) > 0; };
    if (std::ranges::none_of(known, has_name)) continue;
    const std::vector<std::string> values = option.value().empty() ? std::vector<std::string>{} : option.given();
    if (values.empty()) text += " " + name;
    for (const std::string& value : values) text += fmt::format(" {} {}", name, shell_word(value));
  }
  return text;
}

/// Returns a command line for the test: "ambit fix mp.litmus --model ptx". `options` names the model; if `options` is
/// empty, repeats the option --model of `check`.
std::string command_line(Command check, const std::string& name, const report::TestResult& test,
                         const std::string& options) {
  const std::optional<Command> command = find_command(check.parent(), name);
  std::string text = fmt::format("ambit {} {}", name, shell_word(test.file));
  if (test.has_siblings && (name == "explain" || name == "fix")) text += " --test " + shell_word(test.name());
  return text + options + (command ? repeated_options(check, *command, options.empty()) : "");
}

/// Returns the text that names a model in --model. If the model comes from a file, returns the path that --model or an
/// expectation gives.
std::string model_reference(Command check, const Program& program, const rules::Rules& rules) {
  const std::string name = verdict::model_name(rules);
  std::vector<std::string> references;
  for (const std::string& given : check.find_option("--model").given()) {
    for (std::string& one : split_models(given)) references.push_back(std::move(one));
  }
  for (const Expectation& expectation : program.expectations) references.push_back(expectation.model);
  const auto names_it = [&](const std::string& reference) {
    const std::filesystem::path file = reference.substr(0, reference.find('('));
    return file.extension() == ".cat" && file.stem() == rules.name;
  };
  const auto found = std::ranges::find_if(references, names_it);
  return found == references.end() ? name : *found;
}

}  // namespace

std::string next_steps(Command check, const report::TestResult& test) {
  if (!test.program || test.file == "<stdin>") return {};
  const bool has_condition = test.program->condition.proposition.has_value();
  auto found = std::ranges::find_if(test.results, has_race);
  if (found == test.results.end()) found = std::ranges::find_if(test.results, is_unmet);
  if (found == test.results.end() && is_cut(test)) {
    return fmt::format("more: {}\n", command_line(check, "judge", test, ""));
  }
  if (found == test.results.end()) {
    const bool has_verdict = std::ranges::any_of(test.results, [](const auto& one) { return one.verdict.has_value(); });
    return has_condition || !has_verdict ? ""
                                         : fmt::format("outcomes: {}\n", command_line(check, "outcomes", test, ""));
  }
  const std::string model = " --model " + shell_word(model_reference(check, *test.program, *found->verdict->rules));
  const std::string race = has_condition && has_race(*found) ? " --race" : "";
  std::string text = fmt::format("why:    {}\n", command_line(check, "explain", test, model + race));
  if (!test.program->is_compiled && !test.program->has_columns) {
    text += fmt::format("repair: {}\n", command_line(check, "fix", test, model + race));
  }
  return text;
}

std::string fix_step(Command explain, const std::string& file, const api::ExplainQuestion& question) {
  std::string text =
      fmt::format("ambit fix {} --model {}", shell_word(file), shell_word(verdict::model_name(*question.rules)));
  const auto is_given = [&](const char* name) { return explain.find_option(name).is_given(); };
  if (!is_given("--race") && !is_given("--outcome")) {
    text += question.about_race ? " --race" : " --outcome " + shell_word(question.text);
  }
  const std::optional<Command> fix = find_command(explain.parent(), "fix");
  return text + (fix ? repeated_options(explain, *fix, false) : "");
}

}  // namespace ambit::cli
