#include "detector/algorithms/run_model.h"

#include <algorithm>
#include <utility>

#include "detector/inference/sync_inference.h"

namespace ambit::detector {
namespace {

bool reads_known_value(const TraceEvent& event) {
  return event.op == TraceOp::Read ? event.has_value : event.has_old_value;
}
Value value_read(const TraceEvent& event) { return event.op == TraceOp::Read ? event.value : event.old_value; }

}  // namespace

// ---- following the trace ----

RunModelBuilder::ThreadState& RunModelBuilder::thread(std::uint32_t id) {
  if (id >= threads_.size()) threads_.resize(std::max<std::size_t>(id + 1, tables_.threads().size()));
  return threads_[id];
}

void RunModelBuilder::on(const Observation& observation) {
  ++seen_;
  if (events_.size() >= options_.limit) return;
  const TraceEvent& event = observation.event;
  const auto number = static_cast<EventNumber>(events_.size());
  events_.push_back(event);
  links_.push_back({std::exchange(thread(event.thread).gate, kNoName), std::exchange(thread(event.thread).needs, {})});
  if (event.arrive_only) thread(event.thread).arrived_only.push_back(number);
  bool waits = event.is_barrier() && !event.arrive_only;
  for (const auto& done : observation.inference.completions()) waits &= !take_completion(done, event);
  if (waits) thread(event.thread).waits_at = number;
  take_links(event);
  for (const Action& action : observation.actions) take_action(action);
  thread(event.thread).last = number;
}

/// Adds a gate: a step that represents a completed barrier. Returns whether `event` is the last arrival at the barrier.
bool RunModelBuilder::take_completion(const BarrierTracker::Completion& done, const TraceEvent& event) {
  const auto number = static_cast<EventNumber>(events_.size() - 1);
  const auto gate = static_cast<std::uint32_t>(gates_.size());
  std::vector<EventNumber> arrivals;
  bool is_last_arrival = false;
  for (const std::uint32_t member : done.waiting) {
    ThreadState& own = thread(member);
    const std::uint32_t arrival = std::exchange(own.waits_at, kNoName);
    arrivals.push_back(arrival == kNoName ? number : arrival);
    is_last_arrival |= arrival == kNoName;
    // If the event comes after the barrier, the gate precedes the event itself. If the event is the thread's arrival,
    // the gate precedes the thread's next event.
    (member == event.thread && arrival != kNoName ? links_[number].gate : own.gate) = gate;
  }
  const TraceEvent& arrival = arrivals.empty() ? event : events_[arrivals.front()];
  for (const std::uint32_t member : done.arrived_only) {
    auto& own = thread(member).arrived_only;
    const auto early = std::ranges::find_if(own, [&](EventNumber e) {
      return events_[e].op == arrival.op && events_[e].object == arrival.object && events_[e].scope == arrival.scope;
    });
    if (early == own.end()) continue;
    arrivals.push_back(*early);
    own.erase(early);
  }
  for (const std::uint32_t member : done.exited) arrivals.push_back(thread(member).last);
  gates_.push_back(std::move(arrivals));
  return is_last_arrival;
}

void RunModelBuilder::take_links(const TraceEvent& event) {
  const auto number = static_cast<EventNumber>(events_.size() - 1);
  if (event.op == TraceOp::Fork) thread(event.object).needs.push_back(number);
  if (event.op == TraceOp::Join && thread(event.object).last != kNoName) {
    links_[number].needs.push_back(thread(event.object).last);
  }
  if (!event.is_access()) return;
  auto& taken = thread(event.thread).taken;
  if (may_take_lock(event)) {
    taken.push_back(number);
  } else if (!event.is_failed) {
    // If a thread accesses data between a compare-exchange and a fence, the compare-exchange does not acquire a lock.
    // Only another read of the lock word may come between.
    const bool overwrites = event.is_write() && event.rmw != TraceRmw::CompareExchange;
    std::erase_if(taken, [&](EventNumber e) { return overwrites || events_[e].object != event.object; });
  }
}

void RunModelBuilder::open_section(std::uint32_t id, std::uint32_t lock, Scope scope, EventNumber acquire) {
  thread(id).open.push_back(static_cast<std::uint32_t>(sections_.size()));
  sections_.push_back({id, lock, scope, acquire, kNoName});
}

void RunModelBuilder::take_action(const Action& action) {
  ThreadState& own = thread(action.thread);
  const auto is_on_lock = [&](std::uint32_t section) { return sections_[section].lock == action.object; };
  if (action.kind == ActionKind::Access) {
    accesses_.push_back(action);
    std::erase(own.taken, static_cast<EventNumber>(action.event));
  } else if (action.kind == ActionKind::Acquire && action.is_widening) {
    const auto section = std::find_if(own.open.rbegin(), own.open.rend(), is_on_lock);
    if (section != own.open.rend()) sections_[*section].scope = action.scope;
  } else if (action.kind == ActionKind::Acquire) {
    const auto taken =
        std::ranges::find_if(own.taken, [&](EventNumber e) { return events_[e].object == action.object; });
    open_section(action.thread, action.object, action.scope,
                 taken == own.taken.end() ? static_cast<EventNumber>(action.event) : *taken);
    if (taken != own.taken.end()) own.taken.erase(taken);
  } else if (action.kind == ActionKind::Release || action.kind == ActionKind::Abandon) {
    const auto section = std::find_if(own.open.rbegin(), own.open.rend(), is_on_lock);
    if (section == own.open.rend()) return;
    sections_[*section].release = static_cast<EventNumber>(action.event);
    // An abandoned section publishes nothing, but excludes other sections while it is open.
    if (action.kind == ActionKind::Release) sections_[*section].scope = action.section;
    own.open.erase(std::next(section).base());
  }
}

// ---- the model ----

RunModel RunModelBuilder::finish(std::span<const Action> rest) {
  for (std::uint32_t t = 0; t < threads_.size(); ++t) {
    for (const EventNumber e : threads_[t].taken) open_section(t, events_[e].object, events_[e].scope, e);
  }
  for (const Action& action : rest) {
    const bool takes_lock =
        action.kind == ActionKind::Access && action.event < events_.size() &&
        std::ranges::find(thread(action.thread).taken, action.event) != thread(action.thread).taken.end();
    if (action.kind == ActionKind::Access && action.event < events_.size() && !takes_lock) accesses_.push_back(action);
  }
  std::ranges::stable_sort(accesses_, {}, &Action::event);
  mark_lock_operations();
  RunModel model;
  number_steps(model);
  add_writes_and_reads(model);
  add_sections(model);
  add_accesses(model);
  return model;
}

void RunModelBuilder::mark_lock_operations() {
  locks_.assign(events_.size(), false);
  for (const RunModel::Section& section : sections_) {
    locks_[section.acquire] = true;
    if (section.release != kNoName) locks_[section.release] = true;
  }
  writes_.resize(tables_.locations().size());
  for (EventNumber e = 0; e < events_.size(); ++e) {
    if (events_[e].is_write() && !locks_[e]) writes_[events_[e].object].has_other_uses = true;
  }
  for (const auto& [location, value] : tables_.initial_values()) {
    if (value.value_or(0) != 0) writes_[location].has_other_uses = true;
  }
}

bool RunModelBuilder::is_exempt(EventNumber e) const {
  const TraceEvent& event = events_[e];
  if (!event.is_access() || writes_[event.object].has_other_uses) return false;
  return locks_[e] || event.is_failed;
}

bool RunModelBuilder::is_step(EventNumber e) const {
  return locks_[e] || (events_[e].op != TraceOp::Fence && !is_exempt(e));
}

void RunModelBuilder::number_steps(RunModel& model) {
  step_.assign(events_.size(), kNoName);
  std::vector<Links> pending(threads_.size());
  std::vector<std::uint32_t> last(threads_.size(), kNoName);
  const auto steps_until = [&](EventNumber e) {
    // Considers the steps of event e's thread up to and including e. Returns the last of these steps.
    for (EventNumber at = e + 1; at-- > 0;) {
      if (events_[at].thread == events_[e].thread && step_[at] != kNoName) return step_[at];
    }
    return kNoName;
  };
  for (EventNumber e = 0; e < events_.size(); ++e) {
    Links& links = pending[events_[e].thread];
    if (links_[e].gate != kNoName) links.gate = links_[e].gate;
    links.needs.insert(links.needs.end(), links_[e].needs.begin(), links_[e].needs.end());
    if (!is_step(e)) continue;
    step_[e] = static_cast<std::uint32_t>(model.steps.size());
    model.steps.push_back({e, events_[e].thread});
    solver::ReorderingProblem::Event made{std::exchange(last[events_[e].thread], step_[e]), links.gate, {}};
    for (const EventNumber need : links.needs) {
      if (const std::uint32_t step = steps_until(need); step != kNoName) made.needs.push_back(step);
    }
    links = {};
    model.problem.events.push_back(std::move(made));
  }
  for (const auto& gate : gates_) {
    auto& made = model.problem.gates.emplace_back();
    for (const EventNumber e : gate) made.push_back(step_[e]);
  }
}

std::uint32_t RunModelBuilder::find_writer(const TraceEvent& event, const std::vector<EventNumber>& writes) const {
  if (writes.empty()) return kNoName;
  if (!reads_known_value(event)) return writes.back();
  const Value read = value_read(event);
  for (std::size_t i = writes.size(); i-- > 0;) {
    const TraceEvent& write = events_[writes[i]];
    if (!write.has_value || write.value == read) return writes[i];
  }
  return may_be_initial(event) ? kNoName : writes.back();
}

bool RunModelBuilder::may_be_initial(const TraceEvent& event) const {
  const auto found = tables_.initial_values().find(event.object);
  if (found != tables_.initial_values().end()) return !found->second || *found->second == value_read(event);
  return tables_.locations()[event.object].space != MemorySpace::Global || value_read(event) == 0;
}

/// Marks each reduction that contributes to a read's value. All reductions in a sum contribute to its value.
void RunModelBuilder::mark_used_reductions() {
  is_used_.assign(events_.size(), options_.reads == ReadsKept::Value);
  for (EventNumber e = 0; e < events_.size(); ++e) {
    if (!events_[e].is_read() || is_exempt(e)) continue;
    for (std::uint32_t w = writer_[e]; w != kNoName && events_[w].op == TraceOp::Reduction && !is_used_[w];
         w = writer_[w]) {
      is_used_[w] = true;
    }
  }
}

void RunModelBuilder::add_writes_and_reads(RunModel& model) {
  writer_.assign(events_.size(), kNoName);
  for (EventNumber e = 0; e < events_.size(); ++e) {
    if (!events_[e].is_access()) continue;
    std::vector<EventNumber>& writes = writes_[events_[e].object].all;
    writer_[e] = find_writer(events_[e], writes);
    const bool is_latest = writer_[e] == (writes.empty() ? kNoName : writes.back());
    if (events_[e].is_read() && !is_exempt(e) && !is_latest) model.own_order_is_kept = false;
    if (events_[e].is_write()) writes.push_back(e);
  }
  mark_used_reductions();
  for (const Writes& writes : writes_) {
    auto& steps = model.problem.writes.emplace_back();
    for (const EventNumber e : writes.all) steps.push_back(step_[e]);
  }
  for (EventNumber e = 0; e < events_.size(); ++e) {
    const TraceEvent& event = events_[e];
    const bool reads = event.is_read() || (event.op == TraceOp::Reduction && is_used_[e]);
    if (!reads || is_exempt(e)) continue;
    // The first source is the write that the read reads in the trace.
    solver::ReorderingProblem::Read read{step_[e], event.object, {writer_[e] == kNoName ? kNoName : step_[writer_[e]]}};
    if (options_.reads == ReadsKept::Value && reads_known_value(event)) {
      if (writer_[e] != kNoName && may_be_initial(event)) read.sources.push_back(kNoName);
      for (const EventNumber w : writes_[event.object].all) {
        const bool is_same = events_[w].has_value && events_[w].value == value_read(event);
        if (w != e && w != writer_[e] && is_same) read.sources.push_back(step_[w]);
      }
    }
    model.problem.reads.push_back(std::move(read));
  }
}

bool RunModelBuilder::overlap(const RunModel::Section& a, const RunModel::Section& b) const {
  const ThreadPlace& p = tables_.threads()[a.thread].place;
  const ThreadPlace& q = tables_.threads()[b.thread].place;
  switch (options_.overlap) {
    case Overlap::Mutual: return same_instance(p, q, narrower(a.scope, b.scope));
    case Overlap::Either: return same_instance(p, q, std::max(a.scope, b.scope));
    case Overlap::Exact: return a.scope == b.scope && same_instance(p, q, a.scope);
    case Overlap::All: return true;
  }
  return false;
}

void RunModelBuilder::add_sections(RunModel& model) const {
  model.sections = sections_;
  std::ranges::stable_sort(model.sections, {}, &RunModel::Section::acquire);
  for (RunModel::Section& section : model.sections) {
    section.acquire = step_[section.acquire];
    if (section.release != kNoName) section.release = step_[section.release];
    model.problem.sections.push_back({section.acquire, section.release});
  }
  for (std::uint32_t second = 0; second < model.sections.size(); ++second) {
    for (std::uint32_t first = 0; first < second; ++first) {
      const RunModel::Section& a = model.sections[first];
      const RunModel::Section& b = model.sections[second];
      if (a.lock != b.lock || a.thread == b.thread || !overlap(a, b)) continue;
      model.problem.exclusions.push_back({first, second});
      if (a.release == kNoName || a.release > b.acquire) model.own_order_is_kept = false;
    }
  }
}

void RunModelBuilder::add_accesses(RunModel& model) const {
  for (const Action& access : accesses_) {
    const std::uint32_t step = step_[access.event];
    if (step != kNoName) model.accesses.push_back({RaceSide::of(access), access.object, step});
  }
}

}  // namespace ambit::detector
