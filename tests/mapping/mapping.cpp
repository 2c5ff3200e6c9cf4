#include "tests/mapping/mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <memory>
#include <optional>

#include "model/verdict/verdict.h"
#include "parser/parse.h"
#include "ptx/printer.h"
#include "report/results/words.h"
#include "tests/differential/random_program.h"
#include "tests/support/files.h"

namespace ambit::mapping {
namespace {

using ProgramPtr = std::shared_ptr<const Program>;
using Outcomes = std::vector<events::Outcome>;

std::shared_ptr<const rules::Rules> model_named(const std::string& reference) {
  const auto parsed = parser::parse_model_reference(reference);
  if (!parsed.ok()) return nullptr;
  const auto loaded = parser::load_model(parsed.value().name, parsed.value().options);
  return loaded.ok() ? loaded.value() : nullptr;
}

std::optional<verdict::Verdict> ask(const ProgramPtr& program, const std::string& model, bool about_races) {
  const auto rules = model_named(model);
  if (rules == nullptr) return std::nullopt;
  verdict::CheckOptions options;
  options.questions = {.proposition = false, .flags = about_races, .incidents = false, .outcomes = true};
  Context context;
  context.set_timeout(std::chrono::seconds(60));
  verdict::Checker checker;
  Result<verdict::Verdict> verdict = checker.check(program, rules, options, context);
  if (!verdict.ok()) return std::nullopt;
  return std::move(verdict).value();
}

/// Returns the first outcome of `some` that is not in `all`.
std::optional<std::string> missing(const Program& program, const Outcomes& some, const Outcomes& all) {
  Outcomes extra;
  std::set_difference(some.begin(), some.end(), all.begin(), all.end(), std::back_inserter(extra));
  return extra.empty() ? std::nullopt : std::optional(report::outcome_text(program, extra.front()));
}

ProgramPtr read(const SourceFilePtr& source, std::string& error) {
  const auto program = parser::parse_program(source);
  if (!program.ok()) error = render(program.errors());
  return program.ok() ? program.value() : nullptr;
}

}  // namespace

std::string_view to_string(Outcome result) {
  constexpr std::array<std::string_view, 6> kNames = {"sound",     "races",   "not mapped",
                                                      "undecided", "UNSOUND", "MISTRANSLATED"};
  return kNames[static_cast<std::size_t>(result)];
}

Finding check_file(const std::string& file, const std::string& model) {
  const auto text = parser::read_source(file);
  if (!text.ok()) return {file, Outcome::Mistranslated, render(text.errors())};
  return check(text.value(), model);
}

Finding check_random(std::uint64_t seed, const std::string& model) {
  const SourceFile text{fmt::format("seed {}", seed), differential::random_program(seed)};
  return check(std::make_shared<const SourceFile>(text), model);
}

Finding check(const SourceFilePtr& text, const std::string& model) {
  Finding finding{text->path, Outcome::Sound, {}};
  const auto found = [&](Outcome result, std::string detail) {
    finding.result = result;
    finding.detail = std::move(detail);
    return finding;
  };
  std::string error;
  const ProgramPtr source = read(text, error);
  if (source == nullptr) return found(Outcome::Mistranslated, error);
  const auto ptx = ptx::ptx_text(*source);
  if (!ptx.ok()) return found(Outcome::NotMapped, ptx.errors().front().message);
  const ProgramPtr compiled = read(std::make_shared<const SourceFile>(SourceFile{"<map>", ptx.value()}), error);
  if (compiled == nullptr) return found(Outcome::Mistranslated, error + ptx.value());

  // The model ptx defines how seq_cst accesses are compiled. So ptx can also check the source directly, without the
  // translation.
  const auto machine = ask(compiled, "ptx", false);
  const auto direct = ask(source, "ptx", false);
  const auto language = ask(source, model, true);
  if (!machine || !direct || !language) return found(Outcome::Mistranslated, "a model or test cannot be read");
  if (machine->unknown || direct->unknown || language->unknown)
    return found(Outcome::Undecided, "some answer is Unknown");
  const Outcomes& allowed = machine->answers.outcomes;
  if (allowed != direct->answers.outcomes) {
    const auto more = missing(*source, allowed, direct->answers.outcomes);
    const auto less = missing(*source, direct->answers.outcomes, allowed);
    return found(Outcome::Mistranslated,
                 more ? "only of the compiled test: " + *more : "only of the source: " + less.value_or("?"));
  }
  if (language->race == events::Possibility::Possible) return found(Outcome::Races, {});
  if (language->race == events::Possibility::Unknown)
    return found(Outcome::Undecided, "it is unknown whether the source races");
  // Only complete executions are checked, so a race before an endless loop is not found.
  if (language->answers.outcomes.empty()) return found(Outcome::Undecided, "no execution of the source ends");
  if (const auto extra = missing(*source, allowed, language->answers.outcomes)) return found(Outcome::Unsound, *extra);
  return finding;
}

std::vector<std::string> corpus(const std::vector<std::string>& folders) {
  std::vector<std::string> files;
  for (const std::string& folder : folders) {
    for (const auto& file : test::files_in(test::project() / "litmus" / folder, {".litmus"})) {
      files.push_back(file.string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace ambit::mapping
