#pragma once

#include <functional>
#include <vector>

#include "generate/small_relation.h"
#include "generate/test.h"

namespace ambit::generate {

/// One memory action or fence of a test.
struct Event {
  enum class Kind { InitialWrite, Read, Write, Fence } kind = Kind::Fence;
  int thread = -1;  ///< -1 for an initial write
  const Step* step = nullptr;
  int location = 0;
  Order order = Order::Weak;
  Scope scope = Scope::System;
  bool is_atomic = false;
  bool is_volatile = false;
  int rmw_read = -1;  ///< for the write half of a read-modify-write, the index of the read half

  bool is_access() const { return kind != Kind::Fence; }
  bool is_write() const { return kind == Kind::Write || kind == Kind::InitialWrite; }
};

/// The events of a test; event l is the initial write of location l.
std::vector<Event> events_of(const GeneratedTest& test, bool seq_cst_as_fences);

/// One candidate execution, with all data on which a model may depend.
struct Candidate {
  const GeneratedTest* test = nullptr;
  const std::vector<Event>* events = nullptr;
  Set executed = 0;
  std::vector<int> values;  ///< for each event, the value that it reads or writes
  Relation po, rf, co, fr, rmw, loc, ext, ctrl;

  const Event& event(std::size_t e) const { return (*events)[e]; }
  /// Returns the executed events for which `predicate` holds.
  Set select(const std::function<bool(const Event&)>& predicate) const;
  /// Returns the pairs (a, b) of executed thread events for which `predicate` holds.
  Relation pairs(const std::function<bool(const Event&, const Event&)>& predicate) const;
  /// Returns whether the scope instance of `a` contains the thread of `b`.
  bool includes(const Event& a, const Event& b) const;
  bool same_instance_at(const Event& a, const Event& b, Scope scope) const;
  /// Returns whether the test's condition holds.
  bool condition_holds() const;
};

/// Calls `visit` once for each candidate execution. A candidate chooses a source for each read and a coherence order
/// for each location. Candidates in which a value depends on itself are omitted.
void for_each_candidate(const GeneratedTest& test, bool seq_cst_as_fences,
                        const std::function<void(const Candidate&)>& visit);

}  // namespace ambit::generate
