#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "api/explanation.h"
#include "model/repair/level_search.h"
#include "model/verdict/verdict.h"

namespace ambit::api {

/// What a model says of a program, as far as repairs ask for it.
struct Standing {
  std::optional<events::Possibility> race;     ///< absent: not asked
  std::optional<events::Possibility> outcome;  ///< can the outcome happen
  std::optional<Frequency> frequency;          ///< of the condition
  std::optional<bool> terminates;
  bool has_incident = false;  ///< a failed assertion, an access out of bounds, a barrier divergence may happen
  bool has_execution = true;
  std::string unknown;                              ///< why something asked for is not known; empty: all is known
  std::shared_ptr<const events::EventGraph> graph;  ///< absent: only termination was asked for
  std::vector<events::FlaggedPair> races;
};

/// Asks a model about texts of a test.
class RepairJudge {
 public:
  enum class Ask : std::uint8_t { Race, Outcome, Termination, Verdicts };

  /// The references must outlive the judge. `outcome`: for Ask::Outcome; empty: the test's own condition.
  RepairJudge(const ExplainRequest& request, parser::RulesPtr rules, const std::atomic<bool>& interrupted)
      : request_(request), rules_(std::move(rules)), interrupted_(interrupted) {}

  /// The test as read from a text. Errors: those of the parser; the text has no such test.
  Result<std::shared_ptr<const Program>> read(const SourceFilePtr& source) const;
  Standing stand(const std::shared_ptr<const Program>& program, Ask ask, verdict::Engine engine);
  const rules::Rules& rules() const { return *rules_; }

 private:
  Standing termination(const std::shared_ptr<const Program>& program, verdict::Engine engine);

  const ExplainRequest& request_;
  parser::RulesPtr rules_;
  const std::atomic<bool>& interrupted_;
  verdict::Checker checker_;
};

}  // namespace ambit::api
