#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/plural.h"
#include "core/ptx_mapping.h"
#include "report/results/words.h"
#include "report/text/explain_text.h"
#include "report/text/explain_words.h"

namespace ambit::report {
namespace {

using events::EventGraph;
using events::EventId;
using explain::Edit;
using explain::ExplainedRace;
using explain::Site;

/// Returns a seq_cst fence in the syntax of the program's language.
std::string fence_text(const Program& program, Scope scope) {
  if (program.has_columns) return ptx_fence({Order::SeqCst, scope});
  switch (scope) {
    case Scope::Block: return "__threadfence_block()";
    case Scope::Device: return "__threadfence()";
    case Scope::System: return "__threadfence_system()";
    case Scope::Thread:
    case Scope::Cluster: break;
  }
  return fmt::format("fence(seq_cst, {})", ambit::to_string(scope));
}

std::string instance_text(const ThreadPlace& place, Scope scope) {
  switch (scope) {
    case Scope::Thread: return "its own thread";
    case Scope::Block: return fmt::format("block {}", place.block);
    case Scope::Cluster: return fmt::format("cluster {}", place.cluster);
    case Scope::Device: return fmt::format("gpu {}", place.gpu);
    case Scope::System: return "the whole system";
  }
  return {};
}

/// Returns the name of the group of threads that a scope includes: "block".
std::string_view level(Scope scope) {
  switch (scope) {
    case Scope::Thread: return "thread";
    case Scope::Block: return "block";
    case Scope::Cluster: return "cluster";
    case Scope::Device: return "gpu";
    case Scope::System: return "system";
  }
  return "";
}

/// Describes the changes that remove a race or forbid an outcome.
class RepairWords {
 public:
  /// `accesses`: the two accesses of the race; empty if the goal of the changes is to forbid an outcome.
  RepairWords(const EventGraph& graph, const events::Execution& execution, std::vector<EventId> accesses)
      : graph_(graph),
        program_(*graph.program),
        execution_(execution),
        accesses_(std::move(accesses)),
        words_(graph, execution) {}

  std::vector<std::string> say(const explain::Repair& repair) const {
    std::vector<std::string> lines;
    std::vector<bool> done(repair.edits.size(), false);
    for (std::size_t i = 0; i < repair.edits.size(); ++i) {
      if (done[i]) continue;
      std::vector<const Edit*> alike;
      for (std::size_t j = i; j < repair.edits.size(); ++j) {
        if (done[j] || !are_alike(repair.edits[i], repair.edits[j])) continue;
        done[j] = true;
        alike.push_back(&repair.edits[j]);
      }
      lines.push_back(say(alike));
    }
    return lines;
  }

 private:
  bool are_alike(const Edit& a, const Edit& b) const {
    if (a.kind == Edit::Kind::AddFence) return b.kind == a.kind && a.scope == b.scope && side(a) == side(b);
    if (a.kind == Edit::Kind::MakeAtomic) return b.kind == a.kind;
    const bool same_kind = a.kind == b.kind && a.scope == b.scope && a.old_scope == b.old_scope && a.order == b.order;
    return same_kind && (a.kind == Edit::Kind::WidenFence || a.site.locations == b.site.locations);
  }

  std::string say(const std::vector<const Edit*>& edits) const {
    const Edit& edit = *edits.front();
    switch (edit.kind) {
      case Edit::Kind::WidenFence: return widen_fence(edits);
      case Edit::Kind::SetScope: return set_scope(edits);
      case Edit::Kind::WidenBarrier: return widen_barrier(edits);
      case Edit::Kind::AddFence: return add_fence(edits);
      case Edit::Kind::Strengthen: return strengthen(edits);
      case Edit::Kind::MakeAtomic: return make_atomic(edits);
      case Edit::Kind::MoveLater: return move_later(edit);
      case Edit::Kind::HoldLock: return hold_lock(edit);
      case Edit::Kind::AddBarrier: return add_barrier(edit);
    }
    return {};
  }

  std::string widen_barrier(const std::vector<const Edit*>& edits) const {
    const bool is_of_each_block =
        std::ranges::any_of(edits, [&](const Edit* edit) { return explain::spans_blocks(edit->site, program_); });
    const std::string_view why =
        is_of_each_block
            ? "orders the threads of each block only"
            : "orders only at block scope, and this model does not join that order with the wider scope of the "
              "steps that follow";
    return fmt::format("The barrier at {} {}. A barrier of the whole grid would order them.", place(edits), why);
  }

  /// Returns the lines of changes: "lines 4 and 7". If a line contains code of several threads, also names the threads.
  std::string place(const std::vector<const Edit*>& edits) const {
    std::vector<std::uint32_t> lines;
    std::vector<std::string> threads;
    for (const Edit* edit : edits) {
      lines.push_back(edit->site.span.line);
      const std::string& name = program_.threads[edit->site.instances.front().first].name;
      if (std::find(threads.begin(), threads.end(), name) == threads.end()) threads.push_back(name);
    }
    const std::string text = lines_text(std::move(lines));
    return program_.has_columns ? fmt::format("{} of {}", text, fmt::join(threads, " and ")) : text;
  }

  std::uint32_t thread_of(const Edit& edit) const {
    const std::uint32_t thread = edit.site.instances.front().first;
    for (const EventId racing : accesses_) {
      for (const auto& [its_thread, index] : edit.site.instances) {
        if (its_thread == graph_.events[racing].thread) return its_thread;
      }
    }
    return thread;
  }

  /// Returns a thread that the scope `scope` of `thread` excludes. Prefers the racing threads.
  std::optional<std::uint32_t> left_out(std::uint32_t thread, Scope scope) const {
    std::vector<std::uint32_t> others;
    for (const EventId racing : accesses_) others.push_back(graph_.events[racing].thread);
    for (std::uint32_t t = 0; t < program_.threads.size(); ++t) others.push_back(t);
    for (const std::uint32_t other : others) {
      if (!same_instance(program_.threads[thread].place, program_.threads[other].place, scope)) return other;
    }
    return std::nullopt;
  }

  /// Returns a clause about the threads of a scope: "it reaches the threads of block 0 only, and b1t0 is in block 1".
  std::string reach(const std::vector<const Edit*>& edits) const {
    const Scope scope = edits.front()->old_scope;
    const std::string_view they = edits.size() > 1 ? "they reach" : "it reaches";
    const std::uint32_t thread = thread_of(*edits.front());
    const ThreadPlace& place = program_.threads[thread].place;
    for (const Edit* edit : edits) {
      const std::uint32_t other = edit->site.instances.front().first;
      if (same_instance(place, program_.threads[other].place, scope)) continue;
      return fmt::format("{} the threads of their own {} only, and {} and {} are not in one {}", they, level(scope),
                         program_.threads[thread].name, program_.threads[other].name, level(scope));
    }
    const std::optional<std::uint32_t> other = left_out(thread, scope);
    std::string text = fmt::format("{} the threads of {} only", they, instance_text(place, scope));
    if (!other) return text;
    return fmt::format("{}, and {} is in {}", text, program_.threads[*other].name,
                       instance_text(program_.threads[*other].place, scope));
  }

  /// The role of a fence. Release: the fence follows the racing access, so that other threads can see the access.
  /// Acquire: the fence precedes the racing access, so that the access comes after accesses of other threads. Neither:
  /// the fence is in a third thread between the two racing threads, and has both roles.
  enum class Side : std::uint8_t { Release, Acquire, Neither };
  Side side(const Edit& edit) const {
    if (accesses_.empty()) return side_by_values(edit);
    for (const EventId racing : accesses_) {
      const events::Event& access = graph_.events[racing];
      for (const auto& [thread, index] : edit.site.instances) {
        if (thread == access.thread) return index > access.instruction ? Side::Release : Side::Acquire;
      }
    }
    return Side::Neither;
  }
  /// Returns the role of a fence if no race is explained. The role is Release if the fence precedes a write that
  /// another thread sees, and Acquire if it follows a read of another thread's write.
  Side side_by_values(const Edit& edit) const {
    const std::uint32_t thread = thread_of(edit);
    const auto is_elsewhere = [&](EventId event) {
      return event != events::kNoEvent && graph_.events[event].thread != events::kNoThread &&
             graph_.events[event].thread != thread;
    };
    bool releases = false;
    execution_.executed.for_each([&](EventId read) {
      const EventId write = execution_.reads_from[read];
      releases = releases || (write != events::kNoEvent && is_elsewhere(read) && runs(edit.site, write));
    });
    const std::optional<EventId> before = event_before(edit);
    const bool acquires = before && is_elsewhere(execution_.reads_from[*before]);
    if (releases == acquires) return Side::Neither;
    return releases ? Side::Release : Side::Acquire;
  }
  std::string_view side_word(const Edit& edit) const {
    switch (side(edit)) {
      case Side::Release: return "release ";
      case Side::Acquire: return "acquire ";
      case Side::Neither: return "";
    }
    return "";
  }

  std::string widen_fence(const std::vector<const Edit*>& edits) const {
    const Edit& edit = *edits.front();
    const auto& [thread, index] = edit.site.instances.front();
    const bool is_sc = std::get<Fence>(program_.threads[thread].code[index].operation).order == Order::SeqCst;
    const std::string needed = fmt::format("{} scope{}", ambit::to_string(edit.scope),
                                           is_sc ? ": " + fence_text(program_, edit.scope) : std::string());
    if (edits.size() > 1) {
      return fmt::format("The fences at {} have {} scope: {}. They need {}.", place(edits),
                         ambit::to_string(edit.old_scope), reach(edits), needed);
    }
    return fmt::format("The {}fence at {} has {} scope: {}. It needs {}.", side_word(edit), place(edits),
                       ambit::to_string(edit.old_scope), reach(edits), needed);
  }

  bool is_lock(LocationId location) const {
    for (const Thread& thread : program_.threads) {
      for (std::size_t i = 0; i < thread.code.size(); ++i) {
        const auto* rmw = std::get_if<Rmw>(&thread.code[i].operation);
        if (rmw == nullptr || rmw->op != RmwOp::CompareExchange) continue;
        for (const events::Event& event : graph_.events) {
          const bool same =
              event.thread != events::kNoThread && &program_.threads[event.thread] == &thread && event.instruction == i;
          if (same && std::find(event.locations.begin(), event.locations.end(), location) != event.locations.end()) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /// Returns the lock's name in a sentence: "the lock m". If the lock's name is "lock", returns "the lock".
  std::string lock_text(LocationId location) const {
    const std::string& name = program_.locations[location].name;
    return name == "lock" ? "the lock" : "the lock " + name;
  }

  std::string cells(const Site& site) const {
    std::vector<std::string> names;
    names.reserve(site.locations.size());
    for (const LocationId location : site.locations) names.push_back(program_.locations[location].name);
    const bool lock = site.locations.size() == 1 && is_lock(site.locations.front());
    return lock ? lock_text(site.locations.front()) : fmt::format("{}", fmt::join(names, ", "));
  }

  std::string set_scope(const std::vector<const Edit*>& edits) const {
    const Edit& edit = *edits.front();
    const std::string_view plural = edits.size() > 1 ? "operations" : "operation";
    const std::string what =
        fmt::format("The atomic {} on {} at {} {} {} scope", plural, cells(edit.site), place(edits),
                    edits.size() > 1 ? "have" : "has", ambit::to_string(edit.old_scope));
    const std::string_view needs = edits.size() > 1 ? "They need" : "It needs";
    if (edit.scope > edit.old_scope && left_out(thread_of(edit), edit.old_scope)) {
      return fmt::format("{}: {}. {} {} scope.", what, reach(edits), needs, ambit::to_string(edit.scope));
    }
    return fmt::format(
        "{}, but the operations that synchronize with {} have another scope, and this model needs equal scopes. "
        "{} {} scope.",
        what, edits.size() > 1 ? "them" : "it", needs, ambit::to_string(edit.scope));
  }

  /// Returns the last event of the thread before the place of the change. Ignores fences.
  std::optional<EventId> event_before(const Edit& edit) const {
    const std::uint32_t thread = thread_of(edit);
    std::optional<EventId> found;
    for (EventId e = 0; e < graph_.size(); ++e) {
      const events::Event& event = graph_.events[e];
      if (event.thread != thread || !execution_.executed.contains(e)) continue;
      for (const auto& [its_thread, index] : edit.site.instances) {
        if (its_thread == thread && event.instruction < index && event.is_access()) found = e;
      }
    }
    return found;
  }

  std::string gap(const Edit& edit) const {
    const std::optional<EventId> before = event_before(edit);
    const std::uint32_t line = edit.site.span.line;
    if (!before || graph_.events[*before].span.line == 0) return fmt::format("before line {}", line);
    return fmt::format("between line {} and line {}", graph_.events[*before].span.line, line);
  }

  bool reads_only(const Edit& edit) const {
    const auto& [thread, index] = edit.site.instances.front();
    return std::holds_alternative<Load>(program_.threads[thread].code[index].operation);
  }

  bool has_access_before(EventId event) const {
    for (EventId e = 0; e < graph_.size(); ++e) {
      if (graph_.events[e].is_access() && execution_.executed.contains(e) && comes_before(e, event)) return true;
    }
    return false;
  }
  bool comes_before(EventId a, EventId b) const {
    return graph_.events[a].thread == graph_.events[b].thread &&
           graph_.events[a].instruction < graph_.events[b].instruction;
  }

  /// Returns whether the fence can be the missing release or acquire of a release-acquire pair. Returns false for a
  /// fence after an acquire read or before a release write, because the access already has the effect of the fence.
  /// Also returns false if a thread writes the value that is read, but has no access before this write.
  bool helps_in_pairs(const Edit& edit) const {
    const auto is_ordered = [&](const events::Event& event, Order order) {
      return (event.order == order || event.order == Order::AcqRel || event.order == Order::SeqCst) &&
             event.scope >= edit.scope;
    };
    if (side(edit) == Side::Acquire) {
      const std::optional<EventId> read = event_before(edit);
      const EventId write = read ? execution_.reads_from[*read] : events::kNoEvent;
      return !read || write == events::kNoEvent ||
             (!is_ordered(graph_.events[*read], Order::Acquire) && has_access_before(write));
    }
    if (side(edit) != Side::Release) return true;
    return std::ranges::none_of(edit.site.instances, [&](const auto& instance) {
      return std::ranges::any_of(graph_.events, [&](const events::Event& event) {
        return event.thread == instance.first && event.instruction == instance.second && event.is_write() &&
               is_ordered(event, Order::Release);
      });
    });
  }

  std::string add_fence(const std::vector<const Edit*>& edits) const {
    const Edit& edit = *edits.front();
    std::vector<std::string> gaps;
    gaps.reserve(edits.size());
    for (const Edit* one : edits) {
      gaps.push_back(fmt::format("{} in {}", gap(*one), program_.threads[thread_of(*one)].name));
    }
    const std::string where = fmt::format("{}", fmt::join(gaps, " and "));
    const bool several = edits.size() > 1;
    const std::string cure = fmt::format("{} of {} scope there, {}, would", several ? "Fences" : "A fence",
                                         ambit::to_string(edit.scope), fence_text(program_, edit.scope));
    const std::optional<EventId> before = event_before(edit);
    if (before && graph_.events[*before].is_write() && !graph_.events[*before].is_rmw && reads_only(edit)) {
      return fmt::format(
          "{} missing: {} the read can take its value before other threads see the write. {} keep the two in "
          "order.",
          several ? "Fences are" : "A fence is", where, cure);
    }
    if (accesses_.empty() && std::ranges::none_of(edits, [&](const Edit* one) { return helps_in_pairs(*one); })) {
      return fmt::format(
          "{} missing: {} nothing makes {} agree with other threads on the order of the writes. {} do so.",
          several ? "The seq_cst fences are" : "The seq_cst fence is", where, several ? "the threads" : "the thread",
          cure);
    }
    switch (side(edit)) {
      case Side::Release:
        return fmt::format(
            "The release fence is missing: {} nothing makes the thread's earlier accesses visible before the write "
            "that other threads wait for. {} do so.",
            where, cure);
      case Side::Acquire:
        return fmt::format(
            "The acquire fence is missing: {} nothing makes the thread see the accesses that come before the write "
            "that it has read. {} do so.",
            where, cure);
      case Side::Neither: break;
    }
    return fmt::format("A fence is missing: {} nothing keeps the two in order for other threads. {} do so.", where,
                       cure);
  }

  bool writes(std::uint32_t thread) const {
    return std::ranges::any_of(graph_.events,
                               [&](const events::Event& event) { return event.thread == thread && event.is_write(); });
  }

  std::string strengthen(const std::vector<const Edit*>& edits) const {
    const Edit& edit = *edits.front();
    const bool several = edits.size() > 1;
    const std::string needs = fmt::format("order {}", ambit::to_string(edit.order));
    const std::string_view why =
        edit.order == Order::Acquire
            ? "so the thread need not see the accesses that come before the write that it reads"
        : edit.order == Order::Release
            ? "so other threads can see its value before they see the thread's earlier accesses"
        : several ? "so they order nothing around them"
                  : "so it orders nothing around it";
    if (edit.order == Order::SeqCst) {
      return fmt::format("The atomic {} on {} at {} {} not seq_cst, so {}. {} {}.",
                         several ? "operations" : "operation", cells(edit.site), place(edits), several ? "are" : "is",
                         std::ranges::any_of(edits, [&](const Edit* one) { return writes(thread_of(*one)); })
                             ? "a thread may read before other threads see its own write"
                             : "threads may see the writes of others in different orders",
                         several ? "They need" : "It needs", needs);
    }
    return fmt::format("The atomic {} on {} at {} {} {}, {}. {} {}.", several ? "operations" : "operation",
                       cells(edit.site), place(edits), several ? "are" : "is", ambit::to_string(edit.old_order), why,
                       several ? "They need" : "It needs", needs);
  }

  bool is_plain(EventId event) const { return !graph_.events[event].is_atomic; }

  std::string make_atomic(const std::vector<const Edit*>& edits) const {
    const Edit& edit = *edits.front();
    const std::pair<std::uint32_t, std::size_t> place_of_edit = edit.site.instances.front();
    const bool is_volatile = std::any_of(graph_.events.begin(), graph_.events.end(), [&](const events::Event& event) {
      return event.thread == place_of_edit.first && event.instruction == place_of_edit.second && event.is_volatile;
    });
    const std::string_view word = is_volatile ? "volatile, which is not atomic" : "plain";
    const bool several = edits.size() > 1;
    if (accesses_.empty()) {
      return fmt::format(
          "The {} at {} {} {}: other threads need not see {} in order, unlike atomic accesses. {} to be atomic, with "
          "{} "
          "scope.",
          several ? "accesses" : "access", place(edits), several ? "are" : "is", word, several ? "them" : "it",
          several ? "They need" : "It needs", ambit::to_string(edit.scope));
    }
    const std::optional<EventId> other = atomic_partner(edit);
    if (const std::optional<EventId> flag = other ? std::nullopt : unheeded_flag()) {
      const std::string& thread = program_.threads[graph_.events[*flag].thread].name;
      return fmt::format(
          "The {} at {} {} {}. {} reads {} before, at line {}, but does not wait for the other thread's write: the "
          "read orders the accesses only in executions in which it sees that write. Access only then (after a branch "
          "or a loop that waits), or use atomic accesses.",
          several ? "accesses" : "access", place(edits), several ? "are" : "is", word, thread,
          program_.locations[execution_.locations[*flag]].name, graph_.events[*flag].span.line);
    }
    if (several || !other) {
      return fmt::format(
          "The {} at {} {} {}, and nothing orders the threads there: they need atomic accesses, or a flag, "
          "a lock or a barrier between them.",
          several ? "accesses" : "access", place(edits), several ? "are" : "is", word);
    }
    const std::string of = edit.site.locations.size() == 1 ? " of " + cells(edit.site) : std::string();
    return fmt::format(
        "The access{} at {} is {}, while {} is atomic: an atomic operation is safe only with other atomic "
        "operations. Make this access atomic too, with {} scope.",
        of, place(edits), word, words_.noun(*other, EventWords::Detail::Short), ambit::to_string(edit.scope));
  }
  /// Finds an atomic read that should be a loop. The read precedes one access of the race. After the other
  /// access, its thread writes the same cell atomically, as a signal. The read neither waits for this write nor
  /// sees it.
  std::optional<EventId> unheeded_flag() const {
    for (const auto& [first, second] :
         {std::pair(accesses_.front(), accesses_.back()), std::pair(accesses_.back(), accesses_.front())}) {
      for (EventId read = 0; read < graph_.size(); ++read) {
        const events::Event& flag = graph_.events[read];
        const bool is_before =
            flag.is_read() && flag.is_atomic && execution_.executed.contains(read) && comes_before(read, second);
        if (!is_before || execution_.reads_from[read] == events::kNoEvent) continue;
        for (EventId write = 0; write < graph_.size(); ++write) {
          const events::Event& set = graph_.events[write];
          if (!set.is_write() || !set.is_atomic || !comes_before(first, write)) continue;
          const bool is_of_flag = std::ranges::count(set.locations, execution_.locations[read]) > 0;
          if (is_of_flag && execution_.reads_from[read] != write) return read;
        }
      }
    }
    return std::nullopt;
  }
  /// Returns the other access of the race, if it is atomic.
  std::optional<EventId> atomic_partner(const Edit& edit) const {
    const EventId other = runs(edit.site, accesses_.front()) ? accesses_.back() : accesses_.front();
    return graph_.events[other].is_atomic ? std::optional(other) : std::nullopt;
  }
  bool runs(const Site& site, EventId event) const {
    const events::Event& e = graph_.events[event];
    return std::find(site.instances.begin(), site.instances.end(),
                     std::pair<std::uint32_t, std::size_t>(e.thread, e.instruction)) != site.instances.end();
  }

  std::string move_later(const Edit& edit) const {
    const auto& [thread, moved] = edit.moved.back();
    const auto write = std::find_if(graph_.events.begin(), graph_.events.end(), [&](const events::Event& event) {
      return event.thread == edit.moved.back().first && event.instruction == edit.moved.back().second;
    });
    const std::string& name = program_.threads[thread].name;
    const std::uint32_t line = program_.threads[thread].code[moved].span.line;
    const LocationId cell = write->locations.front();
    const std::string what = is_lock(cell) ? fmt::format("releases {}", lock_text(cell))
                                           : fmt::format("sets {}", program_.locations[cell].name);
    return fmt::format(
        "{} accesses {} at line {} after it {} at line {}: the access is not ordered before that. "
        "Move it before line {}.",
        name, cells(edit.site), edit.site.span.line, what, line, line);
  }

  std::string hold_lock(const Edit& edit) const {
    const std::uint32_t thread = thread_of(edit);
    const EventId other = graph_.events[accesses_.front()].thread == thread ? accesses_.back() : accesses_.front();
    return fmt::format(
        "{} accesses {} at line {} without holding {}, which {} holds for its access at line "
        "{}. It must take the lock first.",
        program_.threads[thread].name, cells(edit.site), edit.site.span.line, lock_text(edit.lock),
        graph_.thread_name(other), graph_.events[other].span.line);
  }

  std::string add_barrier(const Edit& edit) const {
    const std::string waiting = program_.threads[edit.second->instances.front().first].name;
    const std::string awaited = program_.threads[edit.site.instances.front().first].name;
    return fmt::format("Nothing makes {} wait for {}: a barrier of their block is missing between {}.", waiting,
                       awaited, between(edit.site.span, edit.second->span));
  }

  /// Returns the names of two places: "line 4 and line 6".
  std::string between(const SourceSpan& first, const SourceSpan& second) const {
    if (first.line != second.line) return fmt::format("line {} and line {}", first.line, second.line);
    if (first.column == second.column) return fmt::format("one iteration of line {} and the next", first.line);
    return fmt::format("`{}` and `{}` (line {})", source_text(program_, first), source_text(program_, second),
                       first.line);
  }

  const EventGraph& graph_;
  const Program& program_;
  const events::Execution& execution_;
  std::vector<EventId> accesses_;
  EventWords words_;
};

}  // namespace

std::string untried_text(std::size_t untried, std::size_t undecided, const std::optional<UnknownReason>& why) {
  std::string text;
  if (undecided > 0) {
    // An explanation limits the time for finding changes, so more time for the whole command may not help.
    const std::string_view advice = !why                             ? ""
                                    : *why == UnknownReason::Timeout ? "ambit fix takes more time for changes"
                                                                     : remedy(*why);
    text = fmt::format("(Ambit could not decide {}{}{}.)", plural(undecided, "change"), advice.empty() ? "" : ": ",
                       advice);
  }
  if (untried > 0) {
    text += fmt::format("{}(Ambit did not try {} of the program. For a kernel, try a smaller launch.)",
                        text.empty() ? "" : " ", plural(untried, "more change"));
  }
  return text;
}

std::vector<std::string> missing_link_text(const explain::RaceExplanation& explanation, const ExplainedRace& race,
                                           const explain::Repair& repair) {
  return RepairWords(*explanation.graph, race.witness, {race.first, race.second}).say(repair);
}

std::vector<std::string> missing_link_text(const explain::OutcomeExplanation& explanation,
                                           const explain::Repair& repair) {
  return RepairWords(*explanation.graph, *explanation.witness, {}).say(repair);
}

}  // namespace ambit::report
