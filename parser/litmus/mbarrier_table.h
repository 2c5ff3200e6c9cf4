#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/program.h"
#include "parser/ptx/mbarrier_layout.h"
#include "parser/text/reporter.h"

namespace ambit::parser::litmus {

/// The uses of a test's mbarrier objects by its threads. The layout of their cells depends on the uses by all threads.
/// Hence the threads of such a test are lowered twice: the first time, their uses are noted here; settle() then fixes
/// the layouts, and the second time produces the final code.
class MbarrierTable {
 public:
  bool is_empty() const { return notes_.empty() && producers_.empty(); }
  bool is_settled() const { return is_settled_; }

  /// Notes an initialisation for `count` arrivals.
  void note_init(ObjectId object, Value count, SourceSpan span);
  void note(ObjectId object, const ptx::MbarrierUse& use, SourceSpan span);
  /// Notes that some code uses the pending arrivals of a state.
  void note_pending_count() { counts_pending_ = true; }
  bool counts_pending() const { return counts_pending_; }
  /// Notes that a thread joins the pipeline whose shared state begins at this address as a producer
  /// (cuda::make_pipeline).
  void note_producer(Value state);
  Value producers(Value state) const;

  /// Fixes the layouts. Errors: an object that no thread initialises; counts that need more bits than a cell has.
  void settle(Program& program, Reporter& reporter);
  /// Returns the layout; before settle(), an arbitrary one.
  const ptx::MbarrierLayout& layout(ObjectId object) const;

 private:
  struct Note {
    ptx::MbarrierUse use;
    std::optional<Value> count = std::nullopt;  ///< the largest
    bool counts_differ = false;
    SourceSpan span;
    std::optional<ptx::MbarrierLayout> layout = std::nullopt;
  };

  std::map<ObjectId, Note> notes_;
  std::map<Value, Value> producers_;
  bool is_settled_ = false;
  bool counts_pending_ = false;
};

}  // namespace ambit::parser::litmus
