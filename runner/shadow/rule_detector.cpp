#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "kernels/detectors/haccrg_rules.h"
#include "kernels/detectors/iguard_rules.h"
#include "kernels/detectors/scord_rules.h"
#include "runner/shadow/large_rules.h"
#include "runner/shadow/program_detector.h"
#include "runner/shadow/shadow_memory.h"

namespace ambit::shadow {
namespace {

using ambit_kernel::EventKind;
using ambit_kernel::EventOrder;
using ambit_kernel::EventRmw;
using ambit_kernel::EventScope;
using virtual_gpu::AccessKind;
using virtual_gpu::AccessSpace;
using virtual_gpu::AtomicOperation;

using Scord = ambit_kernel::ScordRules<RulesOfLaunches>;
using Iguard = ambit_kernel::IguardRules<RulesOfLaunches>;
using Haccrg = ambit_kernel::HaccrgRules<RulesOfLaunches>;

EventKind kind_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::Read: return EventKind::Read;
    case AccessKind::Write: return EventKind::Write;
    case AccessKind::ReadModifyWrite: return EventKind::Rmw;
    case AccessKind::Reduction: return EventKind::Reduction;
  }
  return EventKind::Read;
}

EventRmw rmw_of(AtomicOperation operation) {
  if (operation == AtomicOperation::CompareExchange) return EventRmw::CompareExchange;
  return operation == AtomicOperation::Exchange ? EventRmw::Exchange : EventRmw{};
}

/// Passes the accesses of warps to the rules of one detector, lane by lane.
template <typename Rules>
class RuleDetector : public virtual_gpu::Observer {
 public:
  RuleDetector(std::uint32_t number, RaceSink& sink) : number_(number), sink_(sink) {
    log_.owner = this;
    log_.report = [](void* owner, unsigned long long first, unsigned long long second, ambit_kernel::Kind kind) {
      static_cast<RuleDetector*>(owner)->report(first, second, kind);
    };
    const auto expand = [](const auto& line, std::byte* cell, unsigned word) {
      std::memcpy(cell, line.cells + (word < line.shift ? kBytesOfEntry : 0), kBytesOfEntry);
      Rules::move_to_lane(cell, (word - line.shift) % 32);
    };
    memory_.on_expanded = expand;
    shared_.on_expanded = expand;
  }

  /// Returns true, because the old and new values of a compare-exchange identify locks.
  bool wants_values() const override { return true; }

  void begin_launch(const virtual_gpu::LaunchInfo& info) override {
    state_.reset();
    const std::uint64_t threads = info.block.count();
    shape_ = {};
    shape_.block_shift = static_cast<unsigned>(std::bit_width(std::max<std::uint64_t>(threads, 32) - 1));
    const std::uint64_t blocks = info.grid.count();
    if (blocks > (std::uint64_t{1} << 32U) >> shape_.block_shift) {
      return sink_.remark("a launch of more than 4 billion threads was not checked");
    }
    shape_.size = {blocks << shape_.block_shift, (blocks << shape_.block_shift) / 32, blocks, 32};
    state_.emplace(shape_, log_);
    memory_.begin_launch();
    shared_.begin_launch();
    cluster_blocks_ = static_cast<std::uint32_t>(info.cluster.count());
    log_.instruction = 0;
  }
  void end_launch() override {
    state_.reset();
    if (log_.has_overflown) sink_.remark("a thread held more than four locks: haccrg ignored some of the locks");
    log_.has_overflown = false;
  }

  void access(const virtual_gpu::WarpAccess& access) override {
    if (!state_ || access.is_constant) return;
    ++log_.instruction;
    LaunchEvent event;
    event.info = {kind_of(access.kind),
                  rmw_of(access.operation),
                  static_cast<EventOrder>(access.order),
                  static_cast<EventScope>(access.scope),
                  access.is_volatile,
                  0,
                  std::min(access.site, RulesOfLaunches::kMostSites - 1)};
    event.is_shared = access.space == AccessSpace::Shared;
    if constexpr (std::is_same_v<Rules, Iguard>) {
      state_->rules.begin_instruction((access.block << (shape_.block_shift - 5)) + access.warp, access.lanes,
                                      access.operation == AtomicOperation::CompareExchange);
    }
    space_ = access.space;
    // An atomic access of 64 or 128 bits is one event. If each word had an event, the second word's event would
    // separate an access that takes a lock from the fence that follows.
    const bool is_first_only = access.order != Order::Weak || event.is_update();
    if (event.is_shared && !kSeesShared) return only_locks(access, event);
    if (event.is_shared) return lanes(access, event, shared_.of(access.target_block), is_first_only);
    lanes(access, event, memory_, is_first_only);
  }

  void fence(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes, Order order,
             Scope scope) override {
    if (!state_) return;
    ++log_.instruction;
    const std::uint32_t first = (block << shape_.block_shift) + warp * 32;
    if constexpr (std::is_same_v<Rules, Scord>) {
      state_->rules.fence(first, scope >= Scope::Device);
    } else {
      LaunchEvent event;
      event.info = {
          EventKind::Fence, {}, static_cast<EventOrder>(order), static_cast<EventScope>(scope), false, 0, site};
      for (; lanes != 0; lanes &= lanes - 1) {
        event.info.thread = first + static_cast<unsigned>(std::countr_zero(lanes));
        if constexpr (std::is_same_v<Rules, Iguard>) {
          state_->rules.fence(event.info.thread, scope >= Scope::Device);
        } else {
          state_->rules.look_at(event);
        }
      }
      if constexpr (std::is_same_v<Rules, Haccrg>) state_->rules.count_fence(first / 32);
    }
  }

  void barrier_complete(std::uint32_t block, std::uint32_t barrier) override {
    if (!state_) return;
    if (barrier != virtual_gpu::kClusterBarrier) return state_->rules.block_barrier(block);
    for (std::uint32_t i = 0; i < cluster_blocks_; ++i) state_->rules.block_barrier(block + i);
  }
  void warp_barrier(std::uint32_t /*site*/, std::uint32_t block, std::uint32_t warp, std::uint32_t /*lanes*/,
                    bool orders_memory) override {
    if (state_ && orders_memory) state_->rules.warp_barrier((block << (shape_.block_shift - 5)) + warp);
  }
  void block_end(std::uint32_t block) override { shared_.end_block(block); }

 private:
  static constexpr bool kSeesShared = std::is_same_v<Rules, Haccrg>;

  /// The rules and their state for one launch.
  struct State {
    State(const LaunchShape& shape, LaunchLog::State& log) : rules(shape, memory, LaunchLog(log)) {}
    LazyMemory memory;
    Rules rules;
  };

  /// Processes the lanes of an access. All called functions are inlined, because this code takes most of the time.
  template <typename Memory>
  [[gnu::flatten]] void lanes(const virtual_gpu::WarpAccess& access, LaunchEvent& event, Memory& memory,
                              bool is_first_only) {
    const std::uint32_t first = (access.block << shape_.block_shift) + access.warp * 32;
    std::uint32_t left = access.lanes;
    const bool is_plain = access.order == Order::Weak && !event.is_update();
    if (is_plain && access.is_run() && state_->rules.are_lanes_alike(first / 32)) {
      set_lane(access, event, 0, first);
      event.location = number_of(access.addresses[0]);
      left = memory.visit_run(access.addresses[0],
                              [&](const auto& line, int offset) { return takes_run(event, line, offset); });
    }
    for (std::uint32_t rest = left; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      set_lane(access, event, lane, first);
      memory.visit(access.addresses[lane], access.bytes, is_first_only, [&](void* cell, std::uint64_t address) {
        event.entry = cell;
        event.location = number_of(address);
        address_ = address;
        show(event);
      });
    }
  }
  /// Processes an access of all lanes to a collapsed line, if possible. A line stays collapsed while the first lane of
  /// every warp accesses one fixed word, in this line or in the previous line. `shift` identifies this word. One cell
  /// represents the words from the first word on, the other cell the words before the first word. A cell has the state
  /// that lane 0 would leave in the word. The states of the other words follow from lane 0's state, because all lanes
  /// act alike. A race expands the line, and each lane reports its own race.
  template <typename Line>
  bool takes_run(LaunchEvent& event, const Line& line, int offset) {
    const auto shift = static_cast<std::uint8_t>(offset & 31);
    if (line.shift > 31) line.shift = shift;
    std::byte* cell = line.cells + (offset < 0 ? kBytesOfEntry : 0);
    if (line.shift != shift || !state_->rules.is_alike_in(cell)) return false;
    alignas(kBytesOfEntry) std::byte before[kBytesOfEntry];
    std::memcpy(before, cell, kBytesOfEntry);
    event.entry = cell;
    is_trying_ = true;
    show(event);
    is_trying_ = false;
    if (!std::exchange(has_raced_, false)) return true;
    std::memcpy(cell, before, kBytesOfEntry);
    return false;
  }
  /// ScoRD and iGUARD check shared memory only for locks.
  void only_locks(const virtual_gpu::WarpAccess& access, LaunchEvent event) {
    if (!event.is_update()) return;
    const std::uint32_t first = (access.block << shape_.block_shift) + access.warp * 32;
    for (std::uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      set_lane(access, event, lane, first);
      event.location = number_of(access.addresses[lane]);
      show(event);
    }
  }
  void show(const LaunchEvent& event) {
    if constexpr (std::is_same_v<Rules, Scord>) {
      state_->rules.on(event);
    } else {
      state_->rules.look_at(event);
    }
  }
  static void set_lane(const virtual_gpu::WarpAccess& access, LaunchEvent& event, unsigned lane, std::uint32_t first) {
    event.info.thread = first + lane;
    event.is_failed = (access.failed >> lane & 1U) != 0;
    event.value = access.values == nullptr ? 0 : static_cast<long long>(access.values[lane]);
    event.old_value = access.old_values == nullptr ? 0 : static_cast<long long>(access.old_values[lane]);
  }
  /// Returns the number of a word. The number consists of low bits of the address, because the published detectors
  /// identify a lock by these bits.
  static unsigned number_of(std::uint64_t address) { return static_cast<unsigned>(address >> 2U) & 0x3fffffffU; }

  RawAccess raw(std::uint64_t name) const {
    const unsigned thread = RulesOfLaunches::thread_of(name);
    RawAccess access;
    access.site = RulesOfLaunches::site_of(name);
    access.is_write = RulesOfLaunches::is_write(name);
    access.is_atomic = RulesOfLaunches::is_atomic(name);
    if (thread == RulesOfLaunches::kUnknownThread) return access;
    access.block = thread >> shape_.block_shift;
    access.thread = thread & ((1U << shape_.block_shift) - 1);
    return access;
  }
  void report(std::uint64_t first, std::uint64_t second, ambit_kernel::Kind kind) {
    if (is_trying_) {
      has_raced_ = true;
      return;
    }
    sink_.race(number_, {static_cast<RaceKind>(kind), raw(first), raw(second), space_, address_}, 1, {});
  }

  std::uint32_t number_;
  RaceSink& sink_;
  LaunchShape shape_;
  LaunchLog::State log_;
  std::optional<State> state_;
  ShadowMemory<kBytesOfEntry> memory_;
  ShadowOfBlocks<kBytesOfEntry> shared_;
  std::uint32_t cluster_blocks_ = 1;
  AccessSpace space_ = AccessSpace::Global;
  std::uint64_t address_ = 0;
  bool is_trying_ = false;  ///< takes_run() is active, so races are not reported
  bool has_raced_ = false;  ///< the access that takes_run() tried has a race
};

}  // namespace

std::unique_ptr<virtual_gpu::Observer> make_rule_detector(const std::string& name, std::uint32_t number,
                                                          RaceSink& sink) {
  if (name == "scord") return std::make_unique<RuleDetector<Scord>>(number, sink);
  if (name == "iguard") return std::make_unique<RuleDetector<Iguard>>(number, sink);
  if (name == "haccrg") return std::make_unique<RuleDetector<Haccrg>>(number, sink);
  return nullptr;
}

}  // namespace ambit::shadow
