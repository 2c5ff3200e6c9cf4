#include "generate/oracle_candidate.h"

#include <algorithm>

#include "base/assert.h"

namespace ambit::generate {
namespace {

void add_access(std::vector<Event>& events, int thread, const Step& step, bool abi) {
  Event event;
  event.thread = thread;
  event.step = &step;
  event.location = step.location;
  event.order = step.order;
  event.scope = step.scope;
  event.is_atomic = step.mechanism == Mechanism::Atomic || step.mechanism == Mechanism::ReadModifyWrite;
  event.is_volatile = step.mechanism == Mechanism::Volatile;
  if (event.is_volatile) {  // volatile is relaxed.sys (definitions 2.1)
    event.order = Order::Relaxed;
    event.scope = Scope::System;
  }
  if (abi && event.order == Order::SeqCst) {  // fence.sc; ld.acquire | fence.sc; st.relaxed (definitions 2.1)
    Event fence;
    fence.thread = thread;
    fence.step = &step;
    fence.order = Order::SeqCst;
    fence.scope = step.scope;
    events.push_back(fence);
    event.order = step.kind == Step::Kind::Read ? Order::Acquire : Order::Relaxed;
  }
  if (step.mechanism == Mechanism::ReadModifyWrite) {
    event.kind = Event::Kind::Read;
    events.push_back(event);
    event.rmw_read = static_cast<int>(events.size()) - 1;
    event.kind = Event::Kind::Write;
  } else {
    event.kind = step.kind == Step::Kind::Read ? Event::Kind::Read : Event::Kind::Write;
  }
  events.push_back(event);
}

/// Builds candidates depth-first: chooses a source for each read, and an order of the writes to each location.
class Enumeration {
 public:
  Enumeration(const GeneratedTest& test, bool abi, const std::function<void(const Candidate&)>& visit)
      : events_(events_of(test, abi)), visit_(visit), source_(events_.size(), -1) {
    candidate_.test = &test;
    candidate_.events = &events_;
  }

  void run() { choose_source(0); }

 private:
  bool is_read(std::size_t e) const { return events_[e].kind == Event::Kind::Read; }

  void choose_source(std::size_t e) {
    while (e < events_.size() && !is_read(e)) ++e;
    if (e == events_.size()) return sources_chosen();
    for (std::size_t w = 0; w < events_.size(); ++w) {
      const bool own_half = events_[w].rmw_read == static_cast<int>(e);
      if (!events_[w].is_write() || events_[w].location != events_[e].location || own_half) continue;
      source_[e] = static_cast<int>(w);
      choose_source(e + 1);
    }
  }

  /// Returns the value of event e, or nothing if the value depends on itself (out of thin air).
  std::optional<int> value(std::size_t e, std::size_t depth) const {
    if (depth > events_.size()) return std::nullopt;
    const Event& event = events_[e];
    if (event.kind == Event::Kind::InitialWrite) return 0;
    if (event.kind == Event::Kind::Read) return value(static_cast<std::size_t>(source_[e]), depth + 1);
    // `atomicAdd(&x, 0)` writes back the value that it read.
    if (event.rmw_read >= 0 && event.step->kind == Step::Kind::Read) {
      return value(static_cast<std::size_t>(event.rmw_read), depth + 1);
    }
    return event.step->value;
  }

  bool find_values() {
    candidate_.values.assign(events_.size(), 0);
    for (std::size_t e = 0; e < events_.size(); ++e) {
      if (!events_[e].is_access()) continue;
      const std::optional<int> found = value(e, 0);
      if (!found) return false;
      candidate_.values[e] = *found;
    }
    return true;
  }

  std::size_t read_of_register(int thread, int register_) const {
    for (std::size_t e = 0; e < events_.size(); ++e) {
      if (is_read(e) && events_[e].thread == thread && events_[e].step->register_ == register_) return e;
    }
    AMBIT_ASSERT(false);
    return 0;
  }

  /// Determines which events are executed. Returns false if an executed read has a source that is not executed. Also
  /// returns false if a read that is not executed has a source other than the initial write, because this candidate
  /// repeats another candidate.
  bool find_executed() {
    candidate_.executed = 0;
    candidate_.ctrl = {};
    for (std::size_t e = 0; e < events_.size(); ++e) {
      bool executed = true;
      if (events_[e].step != nullptr && events_[e].step->guard) {
        const std::size_t guard = read_of_register(events_[e].thread, *events_[e].step->guard);
        executed = candidate_.values[guard] == 1;
        if (executed) candidate_.ctrl.add(guard, e);
      }
      if (executed) candidate_.executed |= single(e);
    }
    for (std::size_t e = 0; e < events_.size(); ++e) {
      if (!is_read(e)) continue;
      const auto source = static_cast<std::size_t>(source_[e]);
      if (contains(candidate_.executed, e) ? !contains(candidate_.executed, source)
                                           : source != static_cast<std::size_t>(events_[e].location)) {
        return false;
      }
    }
    return true;
  }

  void sources_chosen() {
    if (!find_values() || !find_executed()) return;
    Candidate& c = candidate_;
    c.rf = c.po = c.rmw = c.loc = c.ext = {};
    for (std::size_t a = 0; a < events_.size(); ++a) {
      if (!contains(c.executed, a)) continue;
      if (is_read(a)) c.rf.add(static_cast<std::size_t>(source_[a]), a);
      if (events_[a].rmw_read >= 0) c.rmw.add(static_cast<std::size_t>(events_[a].rmw_read), a);
      for (std::size_t b = 0; b < events_.size(); ++b) {
        if (!contains(c.executed, b)) continue;
        const bool both_access = events_[a].is_access() && events_[b].is_access();
        if (both_access && events_[a].location == events_[b].location) c.loc.add(a, b);
        if (events_[a].thread >= 0 && events_[a].thread == events_[b].thread && a < b) c.po.add(a, b);
        if (a != b && events_[a].thread != events_[b].thread) c.ext.add(a, b);
      }
    }
    c.co = {};
    choose_coherence(0);
  }

  void choose_coherence(int location) {
    if (location == candidate_.test->locations) {
      candidate_.fr = candidate_.rf.inverse() * candidate_.co;
      return visit_(candidate_);
    }
    std::vector<std::size_t> writes;
    for (std::size_t e = static_cast<std::size_t>(candidate_.test->locations); e < events_.size(); ++e) {
      if (events_[e].is_write() && events_[e].location == location && contains(candidate_.executed, e))
        writes.push_back(e);
    }
    const Relation before = candidate_.co;
    do {
      candidate_.co = before;
      for (std::size_t i = 0; i < writes.size(); ++i) {
        candidate_.co.add(static_cast<std::size_t>(location), writes[i]);
        for (std::size_t j = i + 1; j < writes.size(); ++j) candidate_.co.add(writes[i], writes[j]);
      }
      choose_coherence(location + 1);
    } while (std::next_permutation(writes.begin(), writes.end()));
    candidate_.co = before;
  }

  std::vector<Event> events_;
  const std::function<void(const Candidate&)>& visit_;
  std::vector<int> source_;
  Candidate candidate_;
};

}  // namespace

std::vector<Event> events_of(const GeneratedTest& test, bool seq_cst_as_fences) {
  std::vector<Event> events;
  for (int l = 0; l < test.locations; ++l) {
    Event initial;
    initial.kind = Event::Kind::InitialWrite;
    initial.location = l;
    events.push_back(initial);
  }
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    for (const Step& step : test.threads[t].steps) {
      if (step.kind != Step::Kind::Fence) {
        add_access(events, static_cast<int>(t), step, seq_cst_as_fences);
        continue;
      }
      Event fence;
      fence.thread = static_cast<int>(t);
      fence.step = &step;
      fence.order = step.order;
      fence.scope = step.scope;
      events.push_back(fence);
    }
  }
  AMBIT_ASSERT(events.size() <= kMaxEvents);
  return events;
}

Set Candidate::select(const std::function<bool(const Event&)>& predicate) const {
  Set result = 0;
  for (std::size_t e = 0; e < events->size(); ++e) {
    if (contains(executed, e) && predicate(event(e))) result |= single(e);
  }
  return result;
}

Relation Candidate::pairs(const std::function<bool(const Event&, const Event&)>& predicate) const {
  Relation result;
  for (std::size_t a = 0; a < events->size(); ++a) {
    for (std::size_t b = 0; b < events->size(); ++b) {
      const bool both = contains(executed, a) && contains(executed, b) && event(a).thread >= 0 && event(b).thread >= 0;
      if (both && predicate(event(a), event(b))) result.add(a, b);
    }
  }
  return result;
}

bool Candidate::same_instance_at(const Event& a, const Event& b, Scope scope) const {
  return same_instance(test->threads[static_cast<std::size_t>(a.thread)].place,
                       test->threads[static_cast<std::size_t>(b.thread)].place, scope);
}

bool Candidate::includes(const Event& a, const Event& b) const { return same_instance_at(a, b, a.scope); }

bool Candidate::condition_holds() const {
  return std::ranges::all_of(test->condition, [this](const Clause& clause) {
    for (std::size_t e = 0; e < events->size(); ++e) {
      const Event& candidate = event(e);
      if (!contains(executed, e)) continue;
      if (clause.is_register) {
        const bool reads = candidate.kind == Event::Kind::Read && candidate.step->kind == Step::Kind::Read;
        if (reads && candidate.step->register_ == clause.index) return values[e] == clause.value;
      } else if (candidate.is_write() && candidate.location == clause.index && co.row[e] == 0) {
        return values[e] == clause.value;  // the last write in coherence order
      }
    }
    return false;  // a register without an executed read has the value -1, which no clause contains
  });
}

void for_each_candidate(const GeneratedTest& test, bool seq_cst_as_fences,
                        const std::function<void(const Candidate&)>& visit) {
  Enumeration(test, seq_cst_as_fences, visit).run();
}

}  // namespace ambit::generate
