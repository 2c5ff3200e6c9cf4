#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/program.h"
#include "runner/sim/state.h"

namespace ambit::sim {

/// The barriers of a program: who can meet at which (definitions 3.2). The n-th arrival of each thread at a barrier
/// belongs to its instance n, so that a count of arrivals for each thread is all the state there is.
class Barriers {
 public:
  explicit Barriers(const Program& program);

  std::size_t slots() const { return slots_; }
  /// The barrier that an instruction of a thread names; `resource` is the value of Barrier::resource, else 0. Nothing:
  /// there is no such barrier (a block has 16).
  std::optional<std::uint32_t> find(std::uint32_t thread, const Barrier& barrier, Value resource) const;
  /// Threads that must arrive where an instruction gives no count: all that were launched in the group, also those that
  /// have no events and so never come.
  std::uint32_t everyone(std::uint32_t barrier) const { return groups_[barrier].everyone; }

  /// Counts an arrival that waits for `expected` threads; the number of its instance.
  std::uint32_t arrive(State& state, std::uint32_t barrier, std::uint32_t thread, std::uint32_t expected) const;
  /// The instance at which the thread arrived last; nothing: it never did.
  std::optional<std::uint32_t> last_instance(const State& state, std::uint32_t barrier, std::uint32_t thread) const;
  /// As many threads as `thread` expects have arrived at the instance.
  bool is_complete(const State& state, std::uint32_t barrier, std::uint32_t thread, std::uint32_t instance) const;
  /// Threads that arrived at the instance so far.
  std::uint32_t arrived(const State& state, std::uint32_t barrier, std::uint32_t instance) const;

  BarrierKind kind(std::uint32_t barrier) const { return groups_[barrier].kind; }
  const std::vector<std::uint32_t>& members(std::uint32_t barrier) const { return groups_[barrier].members; }

 private:
  struct Group {
    BarrierKind kind = BarrierKind::Block;
    std::uint32_t id = 0;
    Value resource = 0;
    std::uint32_t mask = 0;
    std::vector<std::uint32_t> members;
    std::uint32_t everyone = 0;
    std::size_t first_slot = 0;
  };

  void add(const Program& program, std::uint32_t thread, const Barrier& barrier, Value resource);
  std::size_t slot(std::uint32_t barrier, std::uint32_t thread) const;

  std::vector<Group> groups_;
  std::vector<std::vector<std::uint32_t>> of_thread_;  ///< barriers that it is a member of
  std::size_t slots_ = 0;
};

}  // namespace ambit::sim
