// Detectors can process an action of a warp once, and not separately for each lane. All detectors do this for accesses
// of whole warps to consecutive words. Detectors with clocks also do this for fences, marks and repeated barriers. The
// reports must be the same as for the actions of single lanes.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runner/shadow/clock_detectors.h"
#include "runner/shadow/program_detector.h"
#include "runner/virtual/memory.h"

namespace ambit::shadow {
namespace {

using virtual_gpu::AccessKind;
using virtual_gpu::AtomicOperation;

constexpr std::uint32_t kBlocks = 3;
constexpr std::uint32_t kWarps = 2;
constexpr std::uint32_t kLines = 4;

/// All reports and messages of a detector, in order.
class Reports : public RaceSink {
 public:
  using Side = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, bool, bool>;
  using Report = std::tuple<Side, Side, RaceKind, virtual_gpu::AccessSpace, std::uint64_t, std::uint64_t, std::string>;
  void race(std::uint32_t /*detector*/, const RawRace& race, std::uint64_t count, const std::string& why) override {
    const auto side = [](const RawAccess& one) {
      return Side{one.site, one.block, one.thread, one.is_write, one.is_atomic};
    };
    // A sentence begins with the number of a location. This number differs between the forms, so only the rest is kept.
    all.emplace_back(side(race.first), side(race.second), race.kind, race.space, race.address, count,
                     why.substr(why.rfind(':') + 1));
  }
  std::string memory_name(virtual_gpu::AccessSpace /*space*/, std::uint64_t /*address*/) const override { return {}; }
  void remark(const std::string& /*text*/) override {}
  void incomplete(const std::string& /*text*/) override { is_incomplete = true; }

  std::vector<Report> all;
  bool is_incomplete = false;
};

/// How an observer receives the actions of a warp.
enum class ActionForm : std::uint8_t {
  AsItIs,
  WithoutRuns,  ///< no access is marked as an access to consecutive words
  LaneByLane,   ///< also, the accesses and fences of each lane are separate
};

/// The mix of actions that the warps of a launch perform.
enum class Mix : std::uint8_t {
  Everything,
  /// Mostly critical sections. In them, each lane of a warp takes a different lock. Each access has its own site, so
  /// that the detector reports every pair of accesses.
  Sections,
};

/// A launch of warps with random actions. The warps access consecutive words, mostly at the same offset in each line.
/// They also do all other actions that may interact with such accesses.
class RandomWarps {
 public:
  RandomWarps(std::uint64_t seed, ActionForm form, virtual_gpu::Observer& observer)
      : random_(seed), form_(form), observer_(observer) {}

  void launch(std::uint32_t steps, Mix mix) {
    virtual_gpu::LaunchInfo info;
    info.grid = {kBlocks, 1, 1};
    info.block = {32 * kWarps, 1, 1};
    info.warps_of_block = kWarps;
    observer_.begin_launch(info);
    common_shift_ = below(2) == 0 ? 0 : below(32);
    mix_ = mix;
    has_wide_locks_ = below(2) == 0;
    calm_ = mix == Mix::Everything ? 1 : 1U << (3 * below(4));
    for (std::uint32_t i = 0; i < steps; ++i) {
      if (mix == Mix::Everything || deviates(16)) {
        step();
      } else {
        step_of_sections();
      }
    }
    if (mix == Mix::Sections) {
      for (std::uint32_t block = 0; block < kBlocks; ++block) barrier(block);
      release_precedes_release(below(kBlocks), below(kWarps));
    }
    for (std::uint32_t block = 0; block < kBlocks; ++block) observer_.block_end(block);
    observer_.end_launch();
  }

 private:
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }
  /// Returns whether a warp does something unusual: in one of `times` cases, or less often if `calm_` is large.
  bool deviates(std::uint32_t times) { return below(times * calm_) == 0; }

  void step() {
    const std::uint32_t block = below(kBlocks);
    const std::uint32_t warp = below(kWarps);
    switch (below(25)) {
      case 0:
      case 1: return barrier(block);
      case 2: return warp_barriers(block, warp);
      case 3:
        return fence(below(4) + 20, block, warp, below(3) == 0 ? lanes() : ~0U,
                     below(2) == 0 ? Scope::Block : Scope::Device);
      case 4: return atomic(block, warp);
      case 5: return section(block, warp);
      case 6: return scattered(block, warp);
      case 7: return hand_over(block, warp);
      case 8: return lock_of_lanes(block, warp, true);
      case 9:
      case 10: return lock_of_lanes(block, warp, false);
      case 11: return section_of_lanes(block, warp);
      case 12: return share(block, warp);
      default: return run(block, warp);
    }
  }
  void step_of_sections() {
    const std::uint32_t block = below(3) == 0 ? below(kBlocks) : 0;
    const std::uint32_t warp = below(kWarps);
    switch (below(12)) {
      case 0: return barrier(block);
      case 1: return below(3) == 0 ? run(block, warp) : one_word(block, warp);
      case 2: return deviates(4) ? section(block, warp) : warp_barriers(block, warp);
      case 3:
        if (deviates(1)) return section_of_a_lane(block, warp);
        [[fallthrough]];
      case 4:
        if (deviates(1)) {
          return below(2) == 0 ? lanes_with_different_pasts(block, warp) : release_precedes_release(block, warp);
        }
        [[fallthrough]];
      default: return section_of_lanes(block, warp);
    }
  }
  void fence(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes, Scope scope) {
    if (form_ != ActionForm::LaneByLane) return observer_.fence(site, block, warp, lanes, Order::SeqCst, scope);
    for (; lanes != 0; lanes &= lanes - 1) observer_.fence(site, block, warp, lanes & -lanes, Order::SeqCst, scope);
  }
  /// Lets the warp arrive at one to three equal warp barriers.
  void warp_barriers(std::uint32_t block, std::uint32_t warp) {
    const std::uint32_t members = deviates(4) ? lanes() : ~0U;
    const bool orders_memory = below(4) != 0;
    for (std::uint32_t count = 1 + below(3); count != 0; --count) {
      // A fence without lanes separates the barriers, so that a detector does not treat them as one repeated barrier.
      if (form_ == ActionForm::LaneByLane) observer_.fence(20, block, warp, 0, Order::SeqCst, Scope::Block);
      observer_.warp_barrier(0, block, warp, members, orders_memory);
    }
  }
  /// All or some lanes set a flag, mostly after a fence. Lanes of the next warp read them, mostly before a fence.
  void hand_over(std::uint32_t block, std::uint32_t warp) {
    const Scope scope = below(2) == 0 ? Scope::Block : Scope::Device;
    const std::uint32_t all = below(3) == 0 ? lanes() : ~0U;
    const std::uint64_t first = 4 * below(32 * kLines);
    const std::uint32_t reader = below(2) == 0 ? block : below(kBlocks);
    if (below(4) != 0) fence(21, block, warp, all, scope);
    virtual_gpu::WarpAccess flag = access_of(block, warp);
    flag.kind = AccessKind::ReadModifyWrite;
    flag.operation = AtomicOperation::Exchange;
    flag.order = Order::Relaxed;
    flag.scope = scope;
    flag.lanes = all;
    flag.space = virtual_gpu::AccessSpace::Global;
    flag.is_consecutive = form_ == ActionForm::AsItIs && all == ~0U && first + 128 <= std::uint64_t{kLines} * 128;
    show(flag, first, 4);
    flag.block = flag.target_block = reader;
    flag.warp = (warp + 1) % kWarps;
    flag.operation = AtomicOperation::Add;
    show(flag, first, 4);
    if (below(4) != 0) fence(22, reader, flag.warp, all, scope);
  }
  /// The lanes of a warp run a critical section, sometimes with a warp barrier inside.
  void section(std::uint32_t block, std::uint32_t warp) {
    lock(block, warp, true);
    if (below(3) == 0) warp_barriers(block, warp);
    if (below(3) == 0) run(block, warp);
    lock(block, warp, false);
  }
  /// Each lane takes or releases a different lock, mostly with a fence. Some lanes may run the fence separately.
  void lock_of_lanes(std::uint32_t block, std::uint32_t warp, bool takes) {
    const bool is_usual = mix_ == Mix::Sections && below(4) != 0;
    const std::uint64_t first = is_usual ? 0 : 128 * below(2) + (deviates(8) ? 4 * below(32) : 0);
    lock_of_lanes(block, warp, takes, first, scope_of_lock());
  }
  void lock_of_lanes(std::uint32_t block, std::uint32_t warp, bool takes, std::uint64_t first, Scope scope) {
    virtual_gpu::WarpAccess access = access_of(block, warp);
    const Scope fenced = deviates(8) ? Scope::Block : scope;
    const bool is_store = !takes && deviates(6);
    access.kind = is_store ? virtual_gpu::AccessKind::Write : virtual_gpu::AccessKind::ReadModifyWrite;
    if (!is_store) access.operation = takes ? AtomicOperation::CompareExchange : AtomicOperation::Exchange;
    access.order = is_store ? Order::Weak : Order::Relaxed;
    access.scope = scope;
    access.space = virtual_gpu::AccessSpace::Global;
    access.is_consecutive = form_ == ActionForm::AsItIs;
    values_.fill(takes ? 1 : 0);
    old_values_.fill(takes ? 0 : 1);
    if (takes && deviates(6)) {
      old_values_.fill(1);
      access.failed = ~0U;
      show(access, first, 4);
      access.failed = 0;
      old_values_.fill(0);
    }
    if (!takes && !deviates(8)) fence(25, block, warp, ~0U, fenced);
    if (deviates(8)) fence(27, block, warp, lanes(), below(2) == 0 ? Scope::Block : Scope::Device);
    show(access, first, 4);
    if (takes && !deviates(8)) fence(26, block, warp, ~0U, fenced);
    values_.fill(7);
    old_values_.fill(7);
  }
  void section_of_lanes(std::uint32_t block, std::uint32_t warp) {
    const std::uint64_t first = below(4) == 0 ? 128 : 0;
    if (!deviates(2)) return section_of_lanes(block, warp, first, scope_of_lock());
    lock_of_lanes(block, warp, true);
    for (std::uint32_t count = below(3); count != 0; --count) run(block, warp);
    if (deviates(8)) warp_barriers(block, warp);
    lock_of_lanes(block, warp, false);
  }
  void section_of_lanes(std::uint32_t block, std::uint32_t warp, std::uint64_t first, Scope scope) {
    lock_of_lanes(block, warp, true, first, scope);
    for (std::uint32_t count = below(3); count != 0; --count) run(block, warp);
    if (first == 0 && below(3) == 0) section_of_lanes(block, warp, 128, scope);
    lock_of_lanes(block, warp, false, first, scope);
  }
  /// Changes the clocks of a warp: for some warp of another block, the clock of the first lane has a later time than
  /// the clocks of the other lanes.
  void lanes_with_different_pasts(std::uint32_t block, std::uint32_t warp) {
    const std::uint32_t other = (block + 1) % kBlocks;
    if (below(2) == 0) run(other, 0);
    section_of_lanes(other, 0, 0, Scope::Device);
    constexpr std::uint32_t kLock = 127;
    section_of_a_lane(other, 0, 0, kLock, Scope::Device);
    section_of_a_lane(block, 0, 0, kLock, Scope::Device);
    barrier(block);
    section_of_lanes(block, warp, 0, Scope::Device);
    if (below(2) == 0) run(block, warp);
  }
  /// One lane takes a lock, usually its own lock.
  void section_of_a_lane(std::uint32_t block, std::uint32_t warp) {
    const std::uint32_t lane = below(2) == 0 ? 0 : below(32);
    const std::uint32_t lock = below(4) == 0 ? below(64) : lane;
    section_of_a_lane(block, warp, lane, lock, scope_of_lock());
  }
  void section_of_a_lane(std::uint32_t block, std::uint32_t warp, std::uint32_t lane, std::uint32_t lock, Scope scope) {
    virtual_gpu::WarpAccess access = access_of(block, warp);
    access.space = virtual_gpu::AccessSpace::Global;
    access.lanes = 1U << lane;
    access.kind = AccessKind::ReadModifyWrite;
    access.order = Order::Relaxed;
    access.scope = scope;
    const std::uint64_t base = 4 * (std::uint64_t{lock} + 32 * kLines - lane);
    for (const bool takes : {true, false}) {
      access.operation = takes ? AtomicOperation::CompareExchange : AtomicOperation::Exchange;
      values_.fill(takes ? 1 : 0);
      old_values_.fill(takes ? 0 : 1);
      if (!takes) fence(25, block, warp, access.lanes, scope);
      show(access, base, 4);
      if (takes) fence(26, block, warp, access.lanes, scope);
      values_.fill(7);
      old_values_.fill(7);
      if (takes && below(2) == 0) one_word(block, warp, lane);
    }
    if (below(2) == 0) one_word(block, warp, lane);
  }
  Scope scope_of_lock() {
    const bool is_wide = mix_ == Mix::Everything ? below(3) == 0 : has_wide_locks_ != deviates(3);
    return is_wide ? Scope::Device : Scope::Block;
  }
  /// One lane accesses a word of data.
  void one_word(std::uint32_t block, std::uint32_t warp) { one_word(block, warp, below(32)); }
  void one_word(std::uint32_t block, std::uint32_t warp, std::uint32_t lane) {
    virtual_gpu::WarpAccess access = access_of(block, warp);
    access.lanes = 1U << lane;
    show(access, first_data(), 4);
  }
  /// Returns the first lane's data word in Mix::Sections. In this range of addresses, there are no locks.
  std::uint64_t first_data() { return 256 + (deviates(8) ? 4 * below(32) : 0); }
  /// Makes a critical section in each of two warps of the block. Only accesses inside the two sections order
  /// the first section before the second: rule (ii) of GWCP.
  void release_precedes_release(std::uint32_t block, std::uint32_t warp) {
    constexpr std::uint64_t kFirst = 0;
    constexpr std::uint64_t kInner = 128;
    constexpr std::uint64_t kOther = 384;
    const std::uint32_t far = (block + 1) % kBlocks;
    const std::uint32_t next = (warp + 1) % kWarps;
    lock_of_lanes(block, warp, true, kFirst, Scope::Device);
    lock_of_lanes(block, warp, true, kInner, Scope::Device);
    write_run(block, warp, virtual_gpu::AccessSpace::Global);
    lock_of_lanes(block, warp, false, kInner, Scope::Device);
    write_run(block, warp, virtual_gpu::AccessSpace::Shared);
    lock_of_lanes(block, warp, false, kFirst, Scope::Device);
    for (std::uint32_t count = below(2) == 0 ? 70 : 0; count != 0; --count) {
      lock_of_lanes(far, 1, true, kFirst, Scope::Device);
      lock_of_lanes(far, 1, false, kFirst, Scope::Device);
    }
    lock_of_lanes(far, 0, true, kInner, Scope::Device);
    write_run(far, 0, virtual_gpu::AccessSpace::Global);
    lock_of_lanes(far, 0, false, kInner, Scope::Device);
    lock_of_lanes(far, 0, true, kOther, Scope::Device);
    lock_of_lanes(far, 0, false, kOther, Scope::Device);
    lock_of_lanes(block, next, true, kFirst, Scope::Device);
    lock_of_lanes(block, next, true, kOther, Scope::Device);
    lock_of_lanes(block, next, false, kOther, Scope::Device);
    if (below(2) == 0) fence(27, block, next, lanes(), Scope::Device);
    lock_of_lanes(block, next, false, kFirst, Scope::Device);
    write_run(block, next, virtual_gpu::AccessSpace::Shared);
  }
  void write_run(std::uint32_t block, std::uint32_t warp, virtual_gpu::AccessSpace space) {
    virtual_gpu::WarpAccess access = access_of(block, warp);
    access.kind = AccessKind::Write;
    access.space = space;
    access.is_consecutive = form_ == ActionForm::AsItIs;
    show(access, 256, 4);
  }
  std::uint32_t lanes() { return below(2) == 0 ? 1U << below(32) : static_cast<std::uint32_t>(random_()) | 1U; }

  void barrier(std::uint32_t block) {
    for (std::uint32_t warp = 0; warp < kWarps; ++warp) observer_.barrier({30, block, warp, ~0U, 0, 0, false, false});
    observer_.barrier_complete(block, 0);
  }

  virtual_gpu::WarpAccess access_of(std::uint32_t block, std::uint32_t warp) {
    virtual_gpu::WarpAccess access;
    access.site = mix_ == Mix::Sections ? next_site_++ : below(16);
    access.block = block;
    access.target_block = block;
    access.warp = warp;
    access.lanes = ~0U;
    access.kind = below(3) == 0 ? AccessKind::Write : AccessKind::Read;
    access.space = below(4) == 0 ? virtual_gpu::AccessSpace::Shared : virtual_gpu::AccessSpace::Global;
    access.bytes = 4;
    return access;
  }
  void show(virtual_gpu::WarpAccess access, std::uint64_t offset, std::uint64_t stride) {
    const std::uint64_t base = access.space == virtual_gpu::AccessSpace::Shared ? 0 : virtual_gpu::kFirstDeviceAddress;
    for (std::uint64_t lane = 0; lane < 32; ++lane) {
      addresses_[lane] = base + (offset + stride * lane) % (std::uint64_t{kLines} * 128);
    }
    access.addresses = addresses_.data();
    access.values = values_.data();
    access.old_values = access.kind == AccessKind::ReadModifyWrite ? old_values_.data() : nullptr;
    if (form_ != ActionForm::LaneByLane) return observer_.access(access);
    for (std::uint32_t lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
      access.lanes = lanes & -lanes;
      observer_.access(access);
    }
  }
  void run(std::uint32_t block, std::uint32_t warp) {
    virtual_gpu::WarpAccess access = access_of(block, warp);
    const std::uint32_t shift = below(6) == 0 ? below(32) : common_shift_;
    access.is_consecutive = form_ == ActionForm::AsItIs;
    if (deviates(16)) {
      access.lanes = lanes();
      access.is_consecutive = false;
    }
    show(access, mix_ == Mix::Sections ? first_data() : 128 * below(kLines - 1) + 4 * shift, 4);
  }
  void scattered(std::uint32_t block, std::uint32_t warp) {
    virtual_gpu::WarpAccess access = access_of(block, warp);
    if (below(2) == 0) access.lanes = lanes();
    if (below(8) == 0) access.bytes = below(2) == 0 ? 1 : 8;
    show(access, 128 * below(kLines) + 8 * below(16), below(2) == 0 ? 8 * below(4) : 8);
  }
  void atomic(std::uint32_t block, std::uint32_t warp) {
    virtual_gpu::WarpAccess access = access_of(block, warp);
    access.kind = AccessKind::ReadModifyWrite;
    access.operation = AtomicOperation::Add;
    access.order = Order::Relaxed;
    access.scope = below(2) == 0 ? Scope::Block : Scope::Device;
    if (below(2) == 0) access.lanes = lanes();
    show(access, 4 * below(32 * kLines), 4 * below(2));
  }
  /// One lane writes a word. All or some lanes of a warp in that block read it repeatedly, mostly after a barrier.
  void share(std::uint32_t block, std::uint32_t warp) {
    virtual_gpu::WarpAccess access = access_of(block, warp);
    const std::uint64_t word = 4 * below(32 * kLines);
    access.kind = AccessKind::Write;
    access.lanes = 1U << below(32);
    show(access, word, 0);
    const bool is_of_warp = below(3) == 0;
    if (is_of_warp) {
      warp_barriers(block, warp);
    } else if (below(4) != 0) {
      barrier(block);
    }
    if (!is_of_warp) access.warp = below(kWarps);
    access.kind = AccessKind::Read;
    access.lanes = below(3) == 0 ? lanes() : ~0U;
    for (std::uint32_t count = 1 + below(3); count != 0; --count) {
      if (below(2) == 0) access.site = below(16);
      show(access, word, 0);
    }
  }
  /// One lane takes or releases the first lock word. Sometimes, each lane takes or releases a different lock word.
  void lock(std::uint32_t block, std::uint32_t warp, bool takes) {
    virtual_gpu::WarpAccess access = access_of(block, warp);
    const bool is_of_all = below(3) == 0;
    access.lanes = is_of_all ? ~0U : 1U;
    access.kind = AccessKind::ReadModifyWrite;
    access.operation = takes ? AtomicOperation::CompareExchange : AtomicOperation::Exchange;
    access.order = Order::Relaxed;
    access.scope = Scope::Device;
    values_.fill(takes ? 1 : 0);
    old_values_.fill(takes ? 0 : 1);
    if (!takes) fence(25, block, warp, access.lanes, Scope::Device);
    show(access, 0, is_of_all ? 4 : 0);
    if (takes) fence(26, block, warp, access.lanes, Scope::Device);
    values_.fill(7);
    old_values_.fill(7);
  }

  std::mt19937_64 random_;
  ActionForm form_;
  virtual_gpu::Observer& observer_;
  Mix mix_ = Mix::Everything;
  std::uint32_t calm_ = 1;
  bool has_wide_locks_ = false;
  std::uint32_t next_site_ = 100;
  std::uint32_t common_shift_ = 0;
  std::array<std::uint64_t, 32> addresses_{};
  std::array<std::uint64_t, 32> values_{};
  std::array<std::uint64_t, 32> old_values_{};
};

std::vector<Reports::Report> reports_of(const std::string& detector, std::uint64_t seed, ActionForm form, Mix mix) {
  Reports reports;
  std::unique_ptr<virtual_gpu::Observer> observer = make_rule_detector(detector, 0, reports);
  if (observer == nullptr) {
    observer = std::make_unique<ClockDetectors>(std::vector<ClockDetectors::Choice>{{detector, 0}}, reports);
  }
  RandomWarps warps(seed, form, *observer);
  for (const std::uint32_t steps : {20U, mix == Mix::Sections ? 300U : 60U}) warps.launch(steps, mix);
  return reports.all;
}

/// Sorts the reports. If several races have the same second access, their order depends on how the detector stores
/// accesses.
std::vector<Reports::Report> in_order(std::vector<Reports::Report> reports) {
  std::ranges::sort(reports);
  return reports;
}

/// Like in_order(), but removes the lane of the first access. If several lanes of a warp accessed the word, the lane in
/// the report depends on how the detector stores accesses.
std::vector<Reports::Report> races_in(std::vector<Reports::Report> reports) {
  for (Reports::Report& one : reports) {
    std::get<2>(std::get<0>(one)) /= 32;
    std::get<std::string>(one).clear();
  }
  return in_order(reports);
}

void expect_same_reports(const std::string& detector, std::uint64_t seeds, ActionForm form, Mix mix = Mix::Everything) {
  std::uint64_t racy = 0;
  for (std::uint64_t seed = 0; seed < seeds && !testing::Test::HasFailure(); ++seed) {
    const auto expected = reports_of(detector, seed, form, mix);
    const auto found = reports_of(detector, seed, ActionForm::AsItIs, mix);
    if (form == ActionForm::LaneByLane) {
      EXPECT_EQ(races_in(found), races_in(expected)) << detector << ", seed " << seed;
    } else {
      EXPECT_EQ(in_order(found), in_order(expected)) << detector << ", seed " << seed;
    }
    racy += expected.empty() ? 0 : 1;
  }
  EXPECT_GT(racy, 0U);
}

class RunsOfWords : public testing::TestWithParam<std::string> {};

TEST_P(RunsOfWords, AreReportedAsLaneByLane) { expect_same_reports(GetParam(), 400, ActionForm::WithoutRuns); }

INSTANTIATE_TEST_SUITE_P(Shadow, RunsOfWords, testing::Values("haccrg", "scord", "iguard", "barracuda", "gwcp"),
                         [](const auto& info) { return info.param; });

class WholeWarps : public testing::TestWithParam<std::string> {};

TEST_P(WholeWarps, AreReportedAsLaneByLane) { expect_same_reports(GetParam(), 1000, ActionForm::LaneByLane); }
TEST_P(WholeWarps, WithALockForEachLaneAreReportedAsLaneByLane) {
  expect_same_reports(GetParam(), 150, ActionForm::LaneByLane, Mix::Sections);
}

INSTANTIATE_TEST_SUITE_P(Shadow, WholeWarps, testing::Values("barracuda", "gwcp"),
                         [](const auto& info) { return info.param; });

// If a detector has very little memory for its history, it drops accesses and reports this. The races that it still
// reports are true positives.
TEST(BoundedHistories, ReportFewerRacesAndSayIt) {
  bool has_forgotten = false;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Reports all;
    ClockDetectors whole({{"barracuda", 0}, {"gwcp", 1}}, all);
    RandomWarps(seed, ActionForm::AsItIs, whole).launch(300, Mix::Everything);
    EXPECT_FALSE(all.is_incomplete);
    Reports some;
    ClockDetectors bounded({{"barracuda", 0}, {"gwcp", 1}}, some, 1000);
    RandomWarps(seed, ActionForm::AsItIs, bounded).launch(300, Mix::Everything);
    has_forgotten |= some.is_incomplete;
    const auto sites = [](const Reports& from) {
      std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
      for (const auto& one : from.all) {
        pairs.insert(std::minmax(std::get<0>(std::get<0>(one)), std::get<0>(std::get<1>(one))));
      }
      return pairs;
    };
    const auto of_all = sites(all);
    for (const auto& pair : sites(some)) EXPECT_TRUE(of_all.contains(pair)) << seed;
    if (!some.is_incomplete) {
      EXPECT_EQ(sites(some), of_all) << seed;
    }
  }
  EXPECT_TRUE(has_forgotten);
}

}  // namespace
}  // namespace ambit::shadow
