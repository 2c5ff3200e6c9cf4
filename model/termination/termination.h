#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/verdict/judgement.h"
#include "model/verdict/verdict.h"

namespace ambit::termination {

/// Does every execution that the model and the scheduler allow end.
enum class Termination : std::uint8_t { Terminates, DoesNotTerminate, Unknown };
/// "terminates", "stuck", "unknown".
std::string_view to_string(Termination termination);

/// A cell that is read by an iteration that repeats forever.
struct PolledCell {
  LocationId location = 0;
  Value seen = 0;
  /// Values, among those that the program mentions, with any one of which in place of `seen` the iteration would have
  /// left the loop; ascending.
  std::vector<Value> awaited;
  /// Every other value mentioned would do: it waits for the cell to change.
  bool awaits_change = false;
};

/// Why a thread does not end in the witness.
struct Wait {
  enum class Kind : std::uint8_t {
    Loop,           ///< repeats the last iteration forever
    Barrier,        ///< some thread that must arrive never does
    Reconvergence,  ///< lockstep: waits for lanes of its warp, or for its turn after them
    Suspended,      ///< the scheduler need not let it go on
    NeverStarted,   ///< the scheduler need not start its block
  };
  Kind kind = Kind::Loop;
  std::uint32_t thread = 0;           ///< index into Program::threads
  SourceSpan span;                    ///< the first line of the loop, the barrier, where it was suspended
  std::vector<PolledCell> polled;     ///< Loop
  std::string barrier;                ///< Barrier: "barrier 0 of block 1"
  std::vector<std::uint32_t> absent;  ///< Barrier: threads that must arrive and never do
};

/// What a model and a scheduler say of a program's waiting.
struct TerminationVerdict {
  std::string model;  ///< see model_name
  Scheduler scheduler = Scheduler::Fair;
  Termination termination = Termination::Unknown;
  verdict::Engine engine = verdict::Engine::Explicit;
  std::shared_ptr<const Program> program;  ///< the one asked about
  std::shared_ptr<const rules::Rules> rules;

  /// DoesNotTerminate: those that wait in vain first, then those that others or the scheduler hold up; each by thread.
  std::vector<Wait> waits;
  /// DoesNotTerminate: the execution up to the repetition. Its graph is of a program made from `program` for the
  /// question: the same threads and locations come first, what follows them serves the question only.
  std::optional<events::Execution> witness;
  std::shared_ptr<const events::EventGraph> graph;

  std::optional<UnknownReason> unknown;
  std::string unknown_detail;
};

/// Can a loop or a barrier wait forever in an execution that the model allows, where every write becomes visible to
/// everybody in the end (Lahav et al., "Making Weak Memory Models Fair", OOPSLA 2021) and the scheduler lets threads go
/// on as it promises (Scheduler)? Asked as one reachability question about a program in which a thread may end where it
/// would wait for ever (docs/termination.md). Of `options` the questions are not used. Errors: those of events::build.
Result<TerminationVerdict> check_termination(verdict::Checker& checker, const std::shared_ptr<const Program>& program,
                                             const std::shared_ptr<const rules::Rules>& rules, Scheduler scheduler,
                                             const verdict::CheckOptions& options, Context& context);

/// The expectation speaks of this model: same name, and the same options once those not written have their defaults.
bool concerns(const TerminationExpectation& expectation, const rules::Rules& rules);

/// The termination expectations of the program that speak of the verdict's model and scheduler, set against it.
verdict::Judgement judge(const TerminationVerdict& verdict);

}  // namespace ambit::termination
