// The end of a kernel and its asynchronous operations. "griddepcontrol.wait" waits until the preceding grids "have
// completed and all the memory operations from the prerequisite grids are performed and made visible" (PTX ISA, page of
// griddepcontrol). The end of a kernel synchronizes with the start of the next kernel in its stream (8.9.4).

#include <optional>
#include <variant>

#include "model/events/draft.h"

namespace ambit::events {
namespace {

class GridEnds {
 public:
  explicit GridEnds(Draft& draft) : draft_(draft), graph_(draft.graph) {}

  void fill() {
    for (EventId e = 0; e < graph_.size(); ++e) {
      if (graph_.events[e].is_async()) accesses_.push_back(e);
    }
    if (accesses_.empty()) return;
    for (const Draft::Meeting& meeting : draft_.meetings) {
      if (is_boundary(meeting.from)) end_of_thread(graph_.events[meeting.from].thread, meeting.to, meeting.condition);
    }
    for (EventId e = 0; e < graph_.size(); ++e) {
      const std::optional<int> grid = awaited_grid(e);
      if (!grid) continue;
      for (std::uint32_t t = 0; t < draft_.program().threads.size(); ++t) {
        if (draft_.program().threads[t].grid == *grid) end_of_thread(t, e, draft_.notes[e].succeeds);
      }
    }
  }

 private:
  const Instruction& instruction(EventId e) const {
    const Event& event = graph_.events[e];
    return draft_.program().threads[event.thread].code[event.instruction];
  }

  /// Returns whether the event is a thread's arrival at the kernel's end. The next kernel starts after these arrivals.
  bool is_boundary(EventId arrival) const {
    const auto* barrier = std::get_if<Barrier>(&instruction(arrival).operation);
    return barrier != nullptr && barrier->is_boundary && barrier->arrive_only;
  }

  /// Returns the grid whose end the event waits for.
  std::optional<int> awaited_grid(EventId e) const {
    if (!graph_.events[e].is_read() || graph_.events[e].is_async()) return std::nullopt;
    const Instruction& wait = instruction(e);
    if (wait.machine == nullptr || wait.machine->name != "griddepcontrol.wait") return std::nullopt;
    return draft_.program().threads[graph_.events[e].thread].grid - 1;
  }

  void end_of_thread(std::uint32_t thread, EventId end_arrival, NodeId condition) {
    for (const EventId access : accesses_) {
      if (graph_.events[access].thread != thread || condition == ValueGraph::kFalse) continue;
      ConditionalRelation& ends = graph_.relations[static_cast<std::size_t>(BaseRelation::GridEnd)];
      if (condition == ValueGraph::kTrue) {
        ends.always.insert(access, end_arrival);
      } else {
        ends.sometimes.push_back({access, end_arrival, condition});
      }
    }
  }

  Draft& draft_;
  EventGraph& graph_;
  std::vector<EventId> accesses_;  ///< accesses of asynchronous operations
};

}  // namespace

void fill_grid_ends(Draft& draft) { GridEnds(draft).fill(); }

}  // namespace ambit::events
