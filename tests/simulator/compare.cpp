#include "tests/simulator/compare.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <optional>

#include "model/verdict/verdict.h"
#include "parser/parse.h"
#include "report/results/words.h"
#include "runner/sim/simulate.h"
#include "tests/support/files.h"

namespace ambit::simulator {
namespace {

using ProgramPtr = std::shared_ptr<const Program>;
using Outcomes = std::vector<events::Outcome>;

/// Returns the outcomes that the model allows. Returns nothing if the model's answer is Unknown.
std::optional<Outcomes> allowed_by(const std::string& model, const ProgramPtr& program) {
  // The simulator isolates transactions also from accesses outside transactions, so the model needs strong isolation.
  const bool has_transactions = program->first_transaction().has_value();
  const auto rules =
      has_transactions ? parser::load_model(model + "-tm", {{"isolation", "strong"}}) : parser::load_model(model, {});
  if (!rules.ok()) return std::nullopt;
  verdict::CheckOptions options;
  options.questions = {.proposition = false, .flags = false, .incidents = false, .outcomes = true};
  Context context;
  context.set_timeout(std::chrono::seconds(20));
  verdict::Checker checker;
  Result<verdict::Verdict> verdict = checker.check(program, rules.value(), options, context);
  if (!verdict.ok() || verdict.value().unknown) return std::nullopt;
  return verdict.value().answers.outcomes;
}

Outcomes difference(const Outcomes& some, const Outcomes& all) {
  Outcomes extra;
  std::set_difference(some.begin(), some.end(), all.begin(), all.end(), std::back_inserter(extra));
  return extra;
}

bool has_relaxed_arrival(const Program& program) {
  return std::any_of(program.threads.begin(), program.threads.end(), [](const Thread& thread) {
    return std::any_of(thread.code.begin(), thread.code.end(), [](const Instruction& instruction) {
      const auto* barrier = std::get_if<Barrier>(&instruction.operation);
      return barrier != nullptr && barrier->is_relaxed;
    });
  });
}

}  // namespace

std::string_view to_string(Outcome outcome) {
  constexpr std::array<std::string_view, 6> kNames = {"agrees",  "not simulated", "undecided",
                                                      "differs", "EXTRA",         "MISSING"};
  return kNames[static_cast<std::size_t>(outcome)];
}

Finding compare(const ProgramPtr& program, const sim::Options& options) {
  Finding finding;
  finding.test = program->name;
  const auto found = [&](Outcome outcome, std::string detail) {
    finding.outcome = outcome;
    finding.detail = std::move(detail);
    return finding;
  };
  Context context;
  const auto simulation = sim::simulate(program, options, context);
  if (!simulation.ok()) return found(Outcome::NotSimulated, simulation.errors().front().message);
  Outcomes shown;
  for (const auto& [outcome, count] : simulation.value().histogram.outcomes) shown.push_back(outcome);
  finding.shown = shown.size();
  const bool is_sc = options.memory == sim::MemoryKind::Sc;
  const auto allowed = allowed_by(is_sc ? "sc" : "ptx", program);
  if (!allowed) return found(Outcome::Undecided, "the model's answer is Unknown");
  finding.allowed = allowed->size();
  if (const Outcomes extra = difference(shown, *allowed); !extra.empty()) {
    return found(Outcome::Extra, report::outcome_text(*program, extra.front()));
  }
  if (is_sc) {
    const bool is_whole = options.schedule != sim::ScheduleKind::Exhaustive || simulation.value().is_exhaustive;
    if (!is_whole) return found(Outcome::Undecided, simulation.value().why_not);
    const Outcomes missing = difference(*allowed, shown);
    if (!missing.empty() && has_relaxed_arrival(*program)) {
      return found(Outcome::Differs,
                   "a relaxed arrival orders nothing in a model; in the simulator, no thread passes before it");
    }
    if (!missing.empty() && simulation.value().is_exhaustive) {
      return found(Outcome::Missing, report::outcome_text(*program, missing.front()));
    }
    return finding;
  }
  if (const auto strong = allowed_by("sc", program)) {
    const Outcomes weak = difference(*allowed, *strong);
    finding.weak = weak.size();
    finding.weak_shown = weak.size() - difference(weak, shown).size();
  }
  return finding;
}

std::vector<Finding> compare_file(const std::string& file, const sim::Options& options) {
  const auto unread = [&](const Diagnostics& errors) {
    Finding finding;
    finding.test = file;
    finding.outcome = Outcome::NotSimulated;
    finding.detail = errors.front().message;
    return std::vector{finding};
  };
  const auto source = parser::read_source(file);
  if (!source.ok()) return unread(source.errors());
  const auto programs = parser::parse_programs(source.value());
  if (!programs.ok()) return unread(programs.errors());
  std::vector<Finding> findings;
  for (const ProgramPtr& program : programs.value()) findings.push_back(compare(program, options));
  return findings;
}

std::vector<std::string> corpus() {
  std::vector<std::string> files;
  for (const auto& file : test::files_in(test::project() / "litmus")) files.push_back(file.string());
  return files;
}

}  // namespace ambit::simulator
