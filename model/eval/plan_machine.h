#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/eval/plan.h"
#include "model/events/event_graph.h"

namespace ambit::eval {

/// The values of the program that are known while the search chooses the sources of reads.
struct Knowledge {
  std::vector<Value> nodes;
  /// For each node, the number of unknown arguments. The argument of a read's node is the value of the read.
  std::vector<std::uint8_t> unknown;

  bool is_known(events::NodeId node) const { return unknown[node] == 0; }
};

/// Runs the steps of a plan on bit matrices. The matrices are allocated once. For up to 64 events, a row is one word.
class Machine {
 public:
  /// Throws Stopped if the matrices would exceed the context's memory limit. All matrices are allocated at once.
  Machine(const Plan& plan, const events::EventGraph& graph, const Knowledge& knowledge, const Context& context);

  std::size_t size() const { return size_; }
  std::size_t stride() const { return stride_; }
  /// Returns the first row of a relation, or the words of a set.
  std::uint64_t* buffer(BufferId id) { return storage_.data() + offsets_[id]; }
  std::uint64_t* row(BufferId id, events::EventId e) { return buffer(id) + e * stride_; }
  std::size_t relation_words() const { return size_ * stride_; }
  events::EventSet set(BufferId id);
  events::Relation relation(BufferId id);

  /// Return the events that are certainly executed, and the events that may be executed. The two sets are equal when
  /// all guards are known.
  events::EventSet executed_lower;
  events::EventSet executed_upper;

  /// Runs steps in sequence, up to the first test that fails. Returns whether all tests held.
  bool run(std::span<const Step> steps);

  /// Runs the test of an axiom or flag on the term in the buffer `held`.
  bool test(rules::Test test, bool negated, bool is_set, BufferId held);

 private:
  template <std::size_t kStride>
  bool run_all(std::span<const Step> steps);
  template <std::size_t kStride>
  void run_one(const Step& step);
  template <std::size_t kStride>
  void run_boolean(const Step& step);
  template <std::size_t kStride>
  void solve(const Step& step, std::span<const Step> body);

  void load_set(const Step& step);
  void load_relation(const Step& step);
  template <std::size_t kStride>
  void complement(const Step& step);
  template <std::size_t kStride>
  void sequence(const Step& step);
  template <std::size_t kStride>
  void restrict_rows(const Step& step);
  template <std::size_t kStride>
  void restrict_columns(const Step& step);
  template <std::size_t kStride>
  void from_reads(const Step& step);
  template <std::size_t kStride>
  void inverse(const Step& step);
  template <std::size_t kStride>
  void closure(const Step& step);
  template <std::size_t kStride>
  void optional(const Step& step);
  template <std::size_t kStride>
  void identity(const Step& step);
  template <std::size_t kStride>
  void product(const Step& step);
  template <std::size_t kStride>
  void domain_or_range(const Step& step);
  bool is_acyclic(const std::uint64_t* rows);

  std::size_t words(bool is_set) const { return is_set ? stride_ : relation_words(); }
  const events::EventSet& executed(BufferId target) const {
    return bound_of(target) == Bound::Lower ? executed_lower : executed_upper;
  }

  const Plan& plan_;
  const events::EventGraph& graph_;
  const Knowledge& knowledge_;
  std::size_t size_;
  std::size_t stride_;
  std::vector<std::size_t> offsets_;
  std::vector<std::uint64_t> storage_;
  std::vector<std::uint64_t> scratch_;
};

}  // namespace ambit::eval
