#pragma once

#include "runner/sim/memory.h"

namespace ambit::sim {

/// Sequentially consistent memory (Lamport 1979). There is one copy of each location, and every access takes effect
/// immediately. Orders and scopes have no effect.
class ScMemory : public Memory {
 public:
  /// `program` must outlive this object.
  explicit ScMemory(const Program& program) : program_(program) {}

  void reset(MemoryState& memory) const override;
  unsigned ways(const MemoryState&, std::uint32_t, const MemoryAccess&, LocationId) const override { return 1; }
  Value load(MemoryState& memory, std::uint32_t, const MemoryAccess&, LocationId location, unsigned) const override {
    return memory.values[location];
  }
  void store(MemoryState& memory, std::uint32_t, const MemoryAccess&, LocationId location, Value value) const override {
    memory.values[location] = value;
  }
  Value begin_update(MemoryState& memory, std::uint32_t, const MemoryAccess&, LocationId location,
                     unsigned) const override {
    return memory.values[location];
  }
  void end_update(MemoryState& memory, std::uint32_t, const MemoryAccess&, LocationId location,
                  Value value) const override {
    memory.values[location] = value;
  }
  void acquire_after(MemoryState&, std::uint32_t, const MemoryAccess&) const override {}
  void fence(MemoryState&, std::uint32_t, Order, Scope) const override {}
  std::uint32_t place(std::uint32_t, Scope, LocationId) const override { return kNone; }
  std::uint32_t level(const MemoryAccess&, LocationId) const override { return 0; }
  bool finds_only(const MemoryState& memory, std::uint32_t, LocationId location, std::uint32_t,
                  Value value) const override {
    return memory.values[location] == value;
  }
  void add_actions(const MemoryState&, std::vector<MemoryAction>&) const override {}
  void perform(MemoryState& memory, const MemoryAction& action) const override;
  std::string cache_name(std::uint32_t cache) const override;
  MemoryContents contents(const MemoryState& memory) const override;

 private:
  const Program& program_;
};

}  // namespace ambit::sim
