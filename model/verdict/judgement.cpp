#include "model/verdict/judgement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/verdict/bound.h"
#include "model/verdict/races.h"

namespace ambit::verdict {
namespace {

using events::Possibility;

/// Compares the parts of one expectation with a verdict. If the verdict does not meet one part, the result is a
/// failure, even if other parts are unknown.
class Judge {
 public:
  Judge(const Verdict& verdict, const Expectation& expectation) : verdict_(verdict), expectation_(expectation) {}

  Judgement judge() {
    if (expectation_.frequency) frequency(*expectation_.frequency);
    if (expectation_.possible) possible();
    if (expectation_.race) race(*expectation_.race);
    if (expectation_.executions) executions(*expectation_.executions);
    if (expectation_.barrier_divergence) divergence(*expectation_.barrier_divergence);
    if (expectation_.undefined) undefined(*expectation_.undefined);
    if (expectation_.unknown) {
      if (!verdict_.unknown) fail("expected Unknown, but every answer is known");
      // An interrupted run does not prove that the answer is unknown.
      const bool interrupted = verdict_.unknown == UnknownReason::Interrupted;
      if (interrupted) unknown("expected Unknown, but the run was interrupted");
      if (!interrupted && result_.status == Status::Unknown) result_ = {Status::Ok, {}};
    }
    return std::move(result_);
  }

 private:
  void fail(std::string reason) {
    if (result_.status != Status::Fail) result_.reasons.clear();
    result_.status = Status::Fail;
    result_.reasons.push_back(std::move(reason));
  }
  void unknown(std::string reason) {
    if (result_.status == Status::Fail) return;
    result_.status = Status::Unknown;
    result_.reasons.push_back(std::move(reason));
  }

  void frequency(Frequency expected) {
    const events::Answers& answers = verdict_.answers;
    if (!verdict_.graph->program->condition.proposition) {
      return fail(fmt::format("expected {}, but the test has no condition", to_string(expected)));
    }
    if (has_no_complete_execution()) {
      return fail(allows_nothing()
                      ? fmt::format("expected {}, but the model allows no execution", to_string(expected))
                      : fmt::format("expected {}, but in every execution a thread waits forever", to_string(expected)));
    }
    if (verdict_.frequency) {
      if (*verdict_.frequency != expected) fail(fmt::format("expected {}", to_string(expected)));
      return;
    }
    // One witness can refute Never or Always even if the full answer is unknown.
    if (expected == Frequency::Never && answers.holds.possibility == Possibility::Possible) {
      return fail("expected Never, but the condition can hold");
    }
    if (expected == Frequency::Always && answers.fails.possibility == Possibility::Possible) {
      return fail("expected Always, but the condition can fail");
    }
    unknown(fmt::format("expected {}", to_string(expected)));
  }

  void possible() {
    const Possibility holds = beyond_bound(verdict_.answers.holds.possibility, bound());
    if (holds == Possibility::Possible) return;
    if (holds == Possibility::Impossible) return fail("expected that the condition can hold");
    unknown("expected that the condition can hold");
  }

  void race(bool expected) {
    if (!speaks_of_races(*verdict_.rules)) return fail("the model does not define races");
    if (verdict_.race == Possibility::Unknown) return unknown(expected ? "expected race" : "expected norace");
    const bool found = verdict_.race == Possibility::Possible;
    if (found != expected) return fail(expected ? "expected race" : std::string(kExpectedNoRace));
    if (!expected && allows_nothing()) return fail("expected norace, but the model allows no execution");
    if (expected && expectation_.race_location) race_on(*expectation_.race_location);
  }

  void race_on(LocationId location) {
    const std::vector<Race> found = races(verdict_);
    if (std::any_of(found.begin(), found.end(), [&](const Race& race) { return race.location == location; })) return;
    const std::string reason = fmt::format("expected race on {}", verdict_.graph->program->locations[location].name);
    // If the answer is incomplete, the list of races may lack a race on this location.
    if (verdict_.answers.unknown || bound() != Possibility::Impossible) return unknown(reason);
    fail(reason);
  }

  void executions(std::uint64_t expected) {
    const auto& counted = verdict_.answers.executions;
    if (!counted) return unknown(fmt::format("expected {} executions, which were not counted", expected));
    if (verdict_.unknown) return unknown(fmt::format("expected {} executions", expected));
    if (*counted != expected) fail(fmt::format("expected {} executions, counted {}", expected, *counted));
  }

  void divergence(bool expected) {
    const Possibility found = incident_possibility(verdict_, events::Incident::Kind::BarrierDivergence);
    const std::string reason = expected ? "expected barrier divergence" : "expected no barrier divergence";
    if (found == Possibility::Unknown) return unknown(reason);
    if ((found == Possibility::Possible) != expected) return fail(reason);
    if (!expected && allows_nothing()) fail(reason + ", but the model allows no execution");
  }

  void undefined(bool expected) {
    const Possibility found = misuse_possibility(verdict_);
    const std::string reason = expected ? "expected undefined behaviour" : "expected no undefined behaviour";
    if (found == Possibility::Unknown) return unknown(reason);
    if ((found == Possibility::Possible) != expected) return fail(reason);
    if (!expected && allows_nothing()) fail(reason + ", but the model allows no execution");
  }

  Possibility bound() const { return bound_possibility(*verdict_.graph, verdict_.answers); }

  /// Returns whether the model allows no execution. Without an execution, all universal statements are true.
  bool allows_nothing() const {
    using Kind = events::Incident::Kind;
    return has_no_complete_execution() &&
           incident_possibility(verdict_, Kind::BarrierDivergence) == Possibility::Impossible;
  }

  bool has_no_complete_execution() const {
    return verdict_.answers.any.possibility == Possibility::Impossible && !verdict_.unknown;
  }

  const Verdict& verdict_;
  const Expectation& expectation_;
  Judgement result_{Status::Ok, {}};
};

/// Returns the rank of a status, from good to bad. The rank is used to combine several expectations.
int severity(Status status) {
  switch (status) {
    case Status::NothingExpected: return 0;
    case Status::Ok: return 1;
    case Status::Unknown: return 2;
    case Status::Fail: return 3;
    case Status::Error: return 4;
  }
  return 4;
}

/// Returns the name of the model in a file: "mine" for "models/mine.cat". Two models of one run never have the same
/// name.
std::string_view name_of_file(std::string_view path) {
  path.remove_prefix(path.find_last_of('/') + 1);
  if (path.ends_with(".cat")) path.remove_suffix(std::string_view(".cat").size());
  return path;
}

}  // namespace

std::string_view to_string(Status status) {
  constexpr std::array<std::string_view, 5> kNames = {"OK", "FAIL", "--", "UNKNOWN", "ERROR"};
  return kNames[static_cast<std::size_t>(status)];
}

bool concerns(const Expectation& expectation, const rules::Rules& rules) {
  if (expectation.model != rules.name && name_of_file(expectation.model) != rules.name) return false;
  const auto matches = [&](const rules::ModelOption& option) {
    const auto written = expectation.options.find(option.name);
    if (written != expectation.options.end()) return written->second == option.chosen;
    return option.values.empty() || option.chosen == option.values.front();
  };
  const auto declared = [&](const auto& entry) {
    return std::any_of(rules.options.begin(), rules.options.end(),
                       [&](const rules::ModelOption& option) { return option.name == entry.first; });
  };
  return std::all_of(rules.options.begin(), rules.options.end(), matches) &&
         std::all_of(expectation.options.begin(), expectation.options.end(), declared);
}

std::optional<Diagnostic> find_contradiction(const Program& program, const rules::Rules& rules) {
  const auto differ = [](const auto& a, const auto& b) { return a && b && *a != *b; };
  std::vector<const Expectation*> seen;
  for (const Expectation& expectation : program.expectations) {
    if (!concerns(expectation, rules)) continue;
    for (const Expectation* earlier : seen) {
      if (differ(earlier->frequency, expectation.frequency) || differ(earlier->race, expectation.race) ||
          differ(earlier->executions, expectation.executions) ||
          differ(earlier->barrier_divergence, expectation.barrier_divergence) ||
          differ(earlier->undefined, expectation.undefined)) {
        const std::uint32_t line = earlier->span.line;  // 0 for the command line
        const std::string where = line == 0 ? "on the command line" : fmt::format("in line {}", line);
        return Diagnostic{program.source, expectation.span,
                          fmt::format("this contradicts the expectation for {} {}", model_name(rules), where), ""};
      }
    }
    seen.push_back(&expectation);
  }
  return std::nullopt;
}

Judgement judge(const Verdict& verdict) {
  Judgement total;
  for (const Expectation& expectation : verdict.graph->program->expectations) {
    if (!concerns(expectation, *verdict.rules)) continue;
    Judgement one = Judge(verdict, expectation).judge();
    if (severity(one.status) > severity(total.status)) total = {one.status, {}};
    if (one.status != total.status) continue;
    total.reasons.insert(total.reasons.end(), one.reasons.begin(), one.reasons.end());
  }
  if (total.status == Status::NothingExpected && verdict.unknown) total.status = Status::Unknown;
  return total;
}

void expect_no_fault(const Verdict& verdict, Judgement& judgement) {
  using Kind = events::Incident::Kind;
  const auto is_expected = [&](Kind kind) {
    return std::ranges::any_of(verdict.graph->program->expectations, [&](const Expectation& one) {
      return concerns(one, *verdict.rules) &&
             ((kind == Kind::BarrierDivergence && one.barrier_divergence) || (kind == Kind::Misuse && one.undefined));
    });
  };
  Judgement faults{verdict.unknown ? judgement.status : Status::Ok, {}};
  for (const Kind kind : {Kind::AssertionFailed, Kind::OutOfBounds, Kind::BarrierDivergence, Kind::Misuse}) {
    const Possibility found = incident_possibility(verdict, kind);
    if (found == Possibility::Impossible || is_expected(kind)) continue;
    const Status status = found == Possibility::Possible ? Status::Fail : Status::Unknown;
    if (severity(status) > severity(faults.status)) faults = {status, {}};
    if (status == faults.status) faults.reasons.push_back(fmt::format("expected no fault: {}", to_string(kind)));
  }
  if (severity(faults.status) < severity(judgement.status)) return;
  if (faults.status != judgement.status) judgement = {faults.status, {}};
  judgement.reasons.insert(judgement.reasons.end(), faults.reasons.begin(), faults.reasons.end());
}

}  // namespace ambit::verdict
