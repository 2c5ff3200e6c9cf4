#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/context.h"
#include "core/program.h"
#include "model/eval/fitted_rules.h"
#include "model/events/execution.h"
#include "model/rules/rules.h"
#include "model/smt/solve.h"

namespace ambit::verdict {

enum class Engine : std::uint8_t { Auto, Smt, Explicit };
std::string_view to_string(Engine engine);

struct CheckOptions {
  Engine engine = Engine::Auto;
  unsigned unroll = 3;
  /// If true, doubles `unroll` until no loop can have more iterations, or a limit of the context is reached.
  bool deepen = false;
  events::Questions questions;
  /// If true and the explicit engine answers, also counts the executions.
  bool count_where_enumerated = false;
  /// If true, omits an execution that differs from another one only by an exchange of threads or blocks.
  bool symmetry = true;
  unsigned max_events = events::kMaxEvents;  ///< GraphOptions::max_events
};

/// A model's verdict on a program.
struct Verdict {
  std::string model;                 ///< the name, with all options that differ from the default: "ptx(x=y)"
  Engine engine = Engine::Explicit;  ///< the engine that answered
  std::shared_ptr<const events::EventGraph> graph;
  std::shared_ptr<const rules::Rules> rules;
  events::Answers answers;

  /// Whether the condition's proposition is true in no, some or all executions. Nothing if the answer is Unknown or was
  /// not requested, if the program has no condition, or if the model allows no complete execution (`answers.any` is
  /// Impossible).
  std::optional<Frequency> frequency;
  /// Whether the condition, including its quantifier (exists, ~exists, forall), is true; nothing if unknown or absent.
  std::optional<bool> condition_holds;
  /// Whether a flag with a name that ends in "race" can be raised.
  events::Possibility race = events::Possibility::Unknown;
  std::optional<UnknownReason> unknown;
  std::string unknown_detail;
};

/// Returns the name of a model for verdicts and reports, with the options that differ from the default.
std::string model_name(const rules::Rules& rules);

/// Checks programs, and keeps reusable data between checks. Each thread needs its own object.
class Checker {
 public:
  /// Builds the event graph, chooses and runs the engine, checks each witness with eval::find_flaw (a flaw throws
  /// InternalError), and summarises the answers. With CheckOptions::deepen, the answer applies to the last bound within
  /// the limits, which is the bound of Verdict::graph. Returns an error if events::build() returns an error.
  Result<Verdict> check(const std::shared_ptr<const Program>& program, const std::shared_ptr<const rules::Rules>& rules,
                        const CheckOptions& options, Context& context);

 private:
  Result<Verdict> check_once(const std::shared_ptr<const Program>& program,
                             const std::shared_ptr<const rules::Rules>& rules, const CheckOptions& options,
                             Context& context);

  std::shared_ptr<const events::EventGraph> graph_;  ///< the graph of the last program, reused for several models
  eval::FittedRules fitted_;
  smt::Solver solver_;
};

}  // namespace ambit::verdict
