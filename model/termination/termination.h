#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/endless_run.h"
#include "model/verdict/judgement.h"
#include "model/verdict/verdict.h"

namespace ambit::termination {

/// The answer to the question whether every execution that the model and the scheduler allow ends.
enum class Termination : std::uint8_t {
  Terminates,
  DoesNotTerminate,  ///< some thread waits forever
  Unknown,
  Livelock,  ///< some thread repeats a loop with side effects forever, although every thread takes steps
};
/// "terminates", "stuck", "unknown", "livelock".
std::string_view to_string(Termination termination);

/// A cell that an endlessly repeated iteration reads.
struct PolledCell {
  LocationId location = 0;
  Value seen = 0;
  /// The values in the program that would end the loop if read instead of `seen`, in ascending order.
  std::vector<Value> awaited;
  /// True if all other values in the program would end the loop, so that the loop waits for a change of the cell.
  bool awaits_change = false;
};

/// The reason why a thread does not end in the witness.
struct Wait {
  enum class Kind : std::uint8_t {
    Loop,           ///< the thread repeats its last iteration forever
    Barrier,        ///< the thread waits at a barrier at which a required thread never arrives
    Reconvergence,  ///< lockstep: the thread waits for other lanes of its warp to arrive, or for its turn
    Suspended,      ///< the scheduler never has to let the thread proceed
    NeverStarted,   ///< the scheduler never has to start the thread's block
  };
  Kind kind = Kind::Loop;
  std::uint32_t thread = 0;           ///< index into Program::threads
  SourceSpan span;                    ///< the loop's first line, the barrier, or the place of suspension
  std::vector<PolledCell> polled;     ///< used only for Loop
  std::string barrier;                ///< used only for Barrier: "barrier 0 of block 1"
  std::vector<std::uint32_t> absent;  ///< for Barrier, the threads that must arrive but never do
};

/// A verdict on termination under a model and a scheduler.
struct TerminationVerdict {
  std::string model;  ///< the name of the model (verdict::model_name)
  Scheduler scheduler = Scheduler::Fair;
  Termination termination = Termination::Unknown;
  verdict::Engine engine = verdict::Engine::Explicit;
  std::shared_ptr<const Program> program;  ///< the checked program
  std::shared_ptr<const rules::Rules> rules;

  /// If the verdict is DoesNotTerminate: first the threads whose own waits never end, then the threads that other
  /// threads or the scheduler block. Each of the two groups is in the order of threads.
  std::vector<Wait> waits;
  /// If the verdict is DoesNotTerminate: the execution up to the repetition. The graph of this execution belongs to a
  /// program that is derived from `program`. The derived program begins with the threads and locations of `program`.
  /// Its further threads and locations serve only the termination question.
  std::optional<events::Execution> witness;
  std::shared_ptr<const events::EventGraph> graph;
  /// If the verdict is Livelock: the run that never ends.
  std::optional<EndlessRun> livelock;

  std::optional<UnknownReason> unknown;
  std::string unknown_detail;
};

/// Decides whether a loop or a barrier can wait forever in an execution that the model allows. Each write eventually
/// becomes visible to all threads (Lahav et al., "Making Weak Memory Models Fair", OOPSLA 2021), and the scheduler has
/// its progress guarantee (Scheduler). The check asks one reachability question about a program in which a thread may
/// end at places where it would wait forever (docs/reference/termination.md). The check does not search for livelocks
/// and ignores the questions in `options`. Returns an error if events::build() returns an error.
Result<TerminationVerdict> check_termination(verdict::Checker& checker, const std::shared_ptr<const Program>& program,
                                             const std::shared_ptr<const rules::Rules>& rules, Scheduler scheduler,
                                             const verdict::CheckOptions& options, Context& context);

/// Returns whether the expectation applies to this model: the names and the options (with defaults) agree.
bool concerns(const TerminationExpectation& expectation, const rules::Rules& rules);

/// Compares the verdict with those termination expectations of the program that name the verdict's model and scheduler.
verdict::Judgement judge(const TerminationVerdict& verdict);

}  // namespace ambit::termination
