#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/program.h"
#include "parser/ptx/mbarrier_layout.h"
#include "parser/text/reporter.h"

namespace ambit::parser::litmus {

/// The uses of the mbarrier objects in a test. The layout of an mbarrier object depends on the object's uses in all
/// threads. Therefore make_threads() lowers the threads twice. The first pass records the uses, settle() chooses the
/// layouts, and the second pass produces the final code.
class MbarrierTable {
 public:
  bool is_empty() const { return notes_.empty() && producers_.empty(); }
  bool is_settled() const { return is_settled_; }

  /// Records an initialisation for `count` arrivals.
  void note_init(ObjectId object, Value count, SourceSpan span);
  void note(ObjectId object, const ptx::MbarrierUse& use, SourceSpan span);
  /// Records that the test uses mbarrier.pending_count.
  void note_pending_count() { counts_pending_ = true; }
  bool counts_pending() const { return counts_pending_; }
  /// Records that a thread is a producer of a pipeline (cuda::make_pipeline). The shared state of the pipeline begins
  /// at the address `state`.
  void note_producer(Value state);
  Value producers(Value state) const;

  /// Chooses the layouts. Errors: no thread initialises an object; the counts need more bits than a cell has.
  void settle(Program& program, Reporter& reporter);
  /// Returns the layout of an object. Before settle(), returns an arbitrary layout.
  const ptx::MbarrierLayout& layout(ObjectId object) const;

 private:
  struct Note {
    ptx::MbarrierUse use;
    std::optional<Value> count = std::nullopt;  ///< the largest arrival count of all initialisations
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
