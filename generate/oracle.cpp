#include "generate/oracle.h"

#include <algorithm>

#include "base/assert.h"
#include "generate/oracle_candidate.h"

namespace ambit::generate {
namespace {

using Kind = Event::Kind;

bool at_least_release(const Event& e) {
  return e.order == Order::Release || e.order == Order::AcqRel || e.order == Order::SeqCst;
}
bool at_least_acquire(const Event& e) {
  return e.order == Order::Acquire || e.order == Order::AcqRel || e.order == Order::SeqCst;
}
bool is_thread_read(const Event& e) { return e.kind == Kind::Read; }
bool is_thread_write(const Event& e) { return e.kind == Kind::Write; }

Relation star(const Relation& r) { return r.plus() | identity(~Set{0}); }

/// Returns the conflicts (definitions 1.4): accesses to one location by two threads, one of them a write.
Relation conflicts(const Candidate& c) {
  const Relation conflicting = c.pairs(
      [](const Event& a, const Event& b) { return a.is_access() && b.is_access() && (a.is_write() || b.is_write()); });
  return conflicting & c.loc & c.ext;
}

bool is_atomic_rmw(const Candidate& c) { return (c.rmw & (c.fr * c.co)).empty(); }

bool allowed_sc(const Candidate& c) { return (c.po | c.rf | c.co | c.fr).acyclic() && is_atomic_rmw(c); }

// ---- HRF-direct and HRF-indirect (definitions 1.1, 1.2, 1.4) ----

/// A release or an acquire: the event that orders, the access that is paired with this event, and their common scope.
struct End {
  std::size_t event;
  std::size_t access;
  Scope scope;
};

/// Returns the releases (or acquires) of an execution. If `fences_count` is true (rlx=lift), only ordered operations
/// and patterns with fences are releases (or acquires). Otherwise (rlx=sync), every atomic is a release (or acquire).
std::vector<End> ends(const Candidate& c, bool release, bool fences_count) {
  const auto ordered = release ? at_least_release : at_least_acquire;
  std::vector<End> result;
  for (std::size_t a = 0; a < c.events->size(); ++a) {
    const Event& access = c.event(a);
    const bool right_half = release ? is_thread_write(access) : is_thread_read(access);
    if (!contains(c.executed, a) || !right_half || !access.is_atomic) continue;
    if (!fences_count || ordered(access)) result.push_back({a, a, access.scope});
    if (!fences_count) continue;
    for (std::size_t f = 0; f < c.events->size(); ++f) {
      const bool in_place = release ? c.po.has(f, a) : c.po.has(a, f);
      if (!in_place || c.event(f).kind != Kind::Fence || !ordered(c.event(f))) continue;
      result.push_back({f, a, narrower(c.event(f).scope, access.scope)});
    }
  }
  return result;
}

/// Returns the relation `so` at one scope level: it leads from a release to each acquire of the same dynamic scope that
/// reads from the release or from a later write (co*;rf).
Relation synchronisation_order(const Candidate& c, bool fences_count, Scope level) {
  const Relation paired = star(c.co) * c.rf;
  Relation so;
  for (const End& release : ends(c, true, fences_count)) {
    for (const End& acquire : ends(c, false, fences_count)) {
      const bool same_scope = release.scope == level && acquire.scope == level &&
                              c.same_instance_at(c.event(release.event), c.event(acquire.event), level);
      if (same_scope && paired.has(release.access, acquire.access)) so.add(release.event, acquire.event);
    }
  }
  return so;
}

bool same_dynamic_scope(const Candidate& c, const Event& a, const Event& b) {
  return a.scope == b.scope && c.same_instance_at(a, b, a.scope);
}

bool races_hrf(const Candidate& c, bool direct, bool fences_count) {
  Relation happens_before = c.po;
  Relation all = c.po;
  for (const Scope level : {Scope::Block, Scope::Device, Scope::System}) {
    const Relation so = synchronisation_order(c, fences_count, level);
    happens_before = happens_before | (c.po | so).plus();
    all = all | so;
  }
  if (!direct) happens_before = all.plus();
  const Relation heterogeneous = c.pairs(
      [&](const Event& a, const Event& b) { return !a.is_atomic || !b.is_atomic || !same_dynamic_scope(c, a, b); });
  const Relation conflicting = conflicts(c) & heterogeneous;
  return !(conflicting - (happens_before | happens_before.inverse())).empty();
}

// ---- HRF-relaxed, indirect, mutual inclusion (definitions 1.3, 1.4) ----

Relation mutual_inclusion(const Candidate& c) {
  return c.pairs([&](const Event& a, const Event& b) { return c.includes(a, b) && c.includes(b, a); });
}

/// Returns the release patterns as pairs: the ordering event (a write or a fence), and the write that this event
/// releases.
Relation release_pattern(const Candidate& c, Set ordered_writes, Set fences, Set writes) {
  return identity(ordered_writes) | c.po.between(fences, writes);
}

struct HrfRelaxed {
  explicit HrfRelaxed(const Candidate& candidate) : c(candidate), mut(mutual_inclusion(candidate)) {
    const Set atomic = c.select([](const Event& e) { return e.is_atomic; });
    const Set writes = atomic & c.select(is_thread_write);
    const Set reads = atomic & c.select(is_thread_read);
    const Set fences = c.select([](const Event& e) { return e.kind == Kind::Fence; });
    const Set releases = c.select(at_least_release);
    const Set acquires = c.select(at_least_acquire);
    const Relation head = release_pattern(c, writes & releases, fences & releases, writes);
    const Relation tail = identity(reads & acquires) | c.po.between(reads, fences & acquires);
    const Relation so = (head * ((star(c.co) * c.rf) & mut) * tail) & mut;
    happens_before = (c.po | so).plus();
  }

  bool allowed() const {
    const Relation coherence = (c.rf | c.co | c.fr).plus();
    const Set sc = c.select([](const Event& e) { return e.order == Order::SeqCst; });
    const Relation total = c.po.between(sc, sc) | coherence.between(sc, sc);
    return ((c.po & c.loc) | c.rf | c.co | c.fr).acyclic() && is_atomic_rmw(c) && (c.rf | c.ctrl).acyclic() &&
           total.acyclic() && happens_before.irreflexive() && (happens_before * coherence).irreflexive();
  }

  bool races() const {
    const Relation not_inclusive_atomics = c.pairs([&](const Event& a, const Event& b) {
      return !a.is_atomic || !b.is_atomic || !(c.includes(a, b) && c.includes(b, a));
    });
    return !((conflicts(c) & not_inclusive_atomics) - (happens_before | happens_before.inverse())).empty();
  }

  const Candidate& c;
  Relation mut;
  Relation happens_before;
};

// ---- PTX (definitions 3.1) ----

/// One candidate, together with one order of its fence.sc operations.
struct Ptx {
  Ptx(const Candidate& candidate, const std::vector<std::size_t>& fence_order) : c(candidate) {
    const Set strong = c.select([](const Event& e) { return e.kind == Kind::Fence || e.order != Order::Weak; });
    ms = morally_strong(strong);
    const Set fences = c.select([](const Event& e) { return e.kind == Kind::Fence; });
    for (std::size_t i = 0; i < fence_order.size(); ++i) {
      for (std::size_t j = i + 1; j < fence_order.size(); ++j) fsc.add(fence_order[i], fence_order[j]);
    }
    fsc = fsc & ms;
    sc_fences = fences & c.select([](const Event& e) { return e.order == Order::SeqCst; });
    const Relation observed_once = ms & c.rf;
    const Relation observation = observed_once * star(c.rmw * observed_once);
    base_causality = (c.po | synchronises(strong, fences, observation) | fsc).plus();
    const Set accesses = c.select([](const Event& e) { return e.is_access() && e.thread >= 0; });
    const Relation preserved = base_causality.between(accesses, accesses) & c.loc;
    // A read-modify-write is one operation, so causality that starts at its write also starts at its read.
    causality = preserved | (observation | c.rmw * observation) * preserved;
    find_coherence();
  }

  bool allowed() const {
    const Relation po_loc = c.po & c.loc;
    const bool fence_sc = (base_causality.between(sc_fences, sc_fences) & ms).subset_of(fsc);
    return (coherence - c.co).empty() && fence_sc && (c.rmw & ((ms & from_reads) * (ms & c.co))).empty() &&
           (c.rf | c.ctrl | c.rmw).acyclic() && ((ms & (c.rf | c.co | from_reads)) | po_loc).acyclic() &&
           ((c.rf | from_reads) * causality).irreflexive();
  }

  bool races() const { return !(conflicts(c) - ms - (causality | causality.inverse())).empty(); }

  Relation morally_strong(Set strong) const {
    Relation result = c.pairs([&](const Event& a, const Event& b) {
      const bool internal = a.thread == b.thread;
      return internal || (c.includes(a, b) && c.includes(b, a));
    });
    for (std::size_t a = 0; a < c.events->size(); ++a) {
      for (std::size_t b = 0; b < c.events->size(); ++b) {
        if (!result.has(a, b)) continue;
        const bool internal = c.event(a).thread == c.event(b).thread;
        const bool both_strong = contains(strong, a) && contains(strong, b);
        const bool overlap = !c.event(a).is_access() || !c.event(b).is_access() || c.loc.has(a, b);
        if (a == b || !overlap || (!internal && !both_strong)) result.row[a] &= ~single(b);
      }
    }
    return result;
  }

  /// sw = (release pattern ; observation ; acquire pattern), where the two ends are morally strong. The two ends are in
  /// different threads, so the condition on the ends affects no pattern within one event or thread.
  Relation synchronises(Set strong, Set fences, const Relation& observation) const {
    const Set writes = c.select(is_thread_write);
    const Set reads = c.select(is_thread_read);
    const Set releases = c.select(at_least_release);
    const Set acquires = c.select(at_least_acquire);
    const Relation po_loc = (c.po & c.loc) | identity(~Set{0});
    const Relation head =
        po_loc.between(writes & releases, writes & strong) | c.po.between(fences & releases, writes & strong);
    const Relation tail =
        po_loc.between(reads & strong, reads & acquires) | c.po.between(reads & strong, fences & acquires);
    return (head * observation * tail) & ms;
  }

  /// Computes the partial coherence order that the axioms use (definitions 3.1), and the from-reads that this order
  /// implies. Writes in a data race need not be related.
  void find_coherence() {
    const Set writes = c.select([](const Event& e) { return e.is_write(); });
    const Set initial = c.select([](const Event& e) { return e.kind == Kind::InitialWrite; });
    coherence = ((c.co & ms) | (causality & c.loc).between(writes, writes) | c.co.between(initial, writes)).plus();
    from_reads = c.rf.inverse() * coherence;
  }

  const Candidate& c;
  Relation ms, fsc, base_causality, causality, coherence, from_reads;
  Set sc_fences = 0;
};

/// Returns whether some order of the fence.sc operations makes the candidate allowed. Sets `race` if the candidate
/// races under one of these orders.
bool allowed_ptx(const Candidate& c, bool& race) {
  std::vector<std::size_t> fences;
  for (std::size_t e = 0; e < c.events->size(); ++e) {
    if (c.event(e).kind == Kind::Fence && c.event(e).order == Order::SeqCst) fences.push_back(e);
  }
  bool allowed = false;
  do {
    const Ptx ptx(c, fences);
    if (!ptx.allowed()) continue;
    allowed = true;
    race = race || ptx.races();
  } while (!(allowed && race) && std::next_permutation(fences.begin(), fences.end()));
  return allowed;
}

bool is_allowed(const Candidate& c, Model model, bool& race) {
  switch (model) {
    case Model::Sc: return allowed_sc(c);
    case Model::HrfDirect:
    case Model::HrfIndirect:
    case Model::HrfIndirectLift:
      if (!allowed_sc(c)) return false;
      race = race || races_hrf(c, model == Model::HrfDirect, model == Model::HrfIndirectLift);
      return true;
    case Model::HrfRelaxed: {
      const HrfRelaxed relaxed(c);
      if (!relaxed.allowed()) return false;
      race = race || relaxed.races();
      return true;
    }
    case Model::Ptx: return allowed_ptx(c, race);
  }
  AMBIT_ASSERT(false);
  return false;
}

}  // namespace

Judgement judge(const GeneratedTest& test, Model model) {
  Judgement result;
  for_each_candidate(test, model == Model::Ptx, [&](const Candidate& c) {
    if (!is_allowed(c, model, result.race)) return;
    ++result.executions;
    if (c.condition_holds()) ++result.witnesses;
  });
  return result;
}

}  // namespace ambit::generate
