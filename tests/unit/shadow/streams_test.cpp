// Tests the order of work on streams, and races between accesses of unordered work.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "runner/shadow/stream_history.h"
#include "runner/shadow/stream_order.h"
#include "runner/virtual/memory.h"

namespace ambit::shadow {
namespace {

constexpr std::uint64_t kFirst = 2;
constexpr std::uint64_t kSecond = 3;
constexpr std::uint64_t kApart = 4;

StreamOrder with_streams() {
  StreamOrder order;
  order.add_stream(kFirst, true);
  order.add_stream(kSecond, true);
  order.add_stream(kApart, false);
  return order;
}

TEST(Streams, AreOrderedEachAndNotWithEachOther) {
  StreamOrder order = with_streams();
  const StreamWork one = order.issue(kFirst);
  const StreamWork two = order.issue(kFirst);
  const StreamWork other = order.issue(kSecond);
  EXPECT_TRUE(order.is_before(one, two.line));
  EXPECT_FALSE(order.is_before(two, other.line));
  EXPECT_FALSE(order.is_before(other, two.line));
}

TEST(Streams, WaitForTheDefaultStreamUnlessTheyAreApart) {
  StreamOrder order = with_streams();
  const StreamWork one = order.issue(kFirst);
  const StreamWork apart = order.issue(kApart);
  const StreamWork middle = order.issue(StreamOrder::kDefault);
  EXPECT_TRUE(order.is_before(one, middle.line));
  EXPECT_FALSE(order.is_before(apart, middle.line));
  EXPECT_TRUE(order.is_before(one, order.issue(kSecond).line));
  EXPECT_FALSE(order.is_before(middle, order.issue(kApart).line));
}

TEST(Streams, LearnFromEventsOnlyWhatCameBeforeTheRecord) {
  StreamOrder order = with_streams();
  const int event = 0;
  const StreamWork before = order.issue(kFirst);
  order.record(&event, kFirst);
  const StreamWork after = order.issue(kFirst);
  order.wait(kSecond, &event);
  const StreamWork other = order.issue(kSecond);
  EXPECT_TRUE(order.is_before(before, other.line));
  EXPECT_FALSE(order.is_before(after, other.line));
}

TEST(Streams, FollowTheHostThatWaited) {
  StreamOrder order = with_streams();
  const StreamWork one = order.issue(kFirst);
  const StreamWork apart = order.issue(kApart);
  order.host_waits_for(kFirst);
  const StreamWork two = order.issue(kSecond);
  EXPECT_TRUE(order.is_before(one, two.line));
  EXPECT_FALSE(order.is_before(apart, two.line));
  order.host_waits_for_all();
  EXPECT_TRUE(order.is_before(apart, order.issue(kSecond).line));
}

class History : public testing::Test {
 protected:
  History() : order_(with_streams()), history_(order_, [this](const StreamRace& race) { races_.push_back(race); }) {}

  void begin(std::uint64_t stream) { history_.begin(order_.issue(stream), stream, "k", "k"); }
  void access(virtual_gpu::AccessKind kind, std::uint32_t site, Order order = Order::Weak, std::uint8_t bytes = 4,
              std::uint64_t offset = 0) {
    const std::array<std::uint64_t, 32> addresses{virtual_gpu::kFirstDeviceAddress + offset};
    virtual_gpu::WarpAccess made;
    made.site = site;
    made.lanes = 1;
    made.kind = kind;
    made.order = order;
    made.scope = order == Order::Weak ? Scope::Thread : Scope::Device;
    made.bytes = bytes;
    made.addresses = addresses.data();
    history_.access(made);
  }
  void read(std::uint32_t site) { access(virtual_gpu::AccessKind::Read, site); }
  void write(std::uint32_t site) { access(virtual_gpu::AccessKind::Write, site); }
  /// Runs a fence on the thread that also makes the accesses.
  void fence(Order order = Order::SeqCst, Scope scope = Scope::Device) { history_.fence(0, 0, 0, 1, order, scope); }
  void write_flag(Order order) { access(virtual_gpu::AccessKind::Write, 8, order, 4, 64); }
  void read_flag(Order order) { access(virtual_gpu::AccessKind::Read, 9, order, 4, 64); }
  std::size_t found() {
    history_.end();
    return races_.size();
  }

  StreamOrder order_;
  std::vector<StreamRace> races_;
  StreamHistory history_;
};

TEST_F(History, AWriteRacesWithEachUnorderedRead) {
  begin(kFirst);
  read(1);
  begin(kSecond);
  read(2);
  EXPECT_EQ(found(), 0U);
  begin(kApart);
  write(3);
  ASSERT_EQ(found(), 2U);
  EXPECT_EQ(races_[0].first.site, 1U);
  EXPECT_EQ(races_[1].first.site, 2U);
  EXPECT_TRUE(races_[1].second.is_write);
  EXPECT_EQ(races_[1].second.stream, kApart);
}

TEST_F(History, BytesOfAWordAreApart) {
  begin(kFirst);
  access(virtual_gpu::AccessKind::Read, 1, Order::Weak, 1, 0);
  begin(kSecond);
  access(virtual_gpu::AccessKind::Read, 2, Order::Weak, 1, 0);
  begin(kApart);
  access(virtual_gpu::AccessKind::Write, 3, Order::Weak, 1, 1);
  EXPECT_EQ(found(), 0U);
  begin(kSecond);
  access(virtual_gpu::AccessKind::Write, 4, Order::Weak, 1, 1);
  EXPECT_EQ(found(), 1U);
}

TEST_F(History, AtomicsDoNotRaceAndHandOver) {
  begin(kFirst);
  access(virtual_gpu::AccessKind::Write, 1, Order::Weak, 4, 64);
  access(virtual_gpu::AccessKind::ReadModifyWrite, 2, Order::AcqRel);
  begin(kSecond);
  access(virtual_gpu::AccessKind::ReadModifyWrite, 3, Order::AcqRel);
  access(virtual_gpu::AccessKind::Read, 4, Order::Weak, 4, 64);  // the read-modify-writes order this read
  EXPECT_EQ(found(), 0U);
  begin(kApart);
  write(5);
  EXPECT_EQ(found(), 1U);
}

TEST_F(History, CopiesTouchAllOfTheirBytes) {
  begin(kFirst);
  access(virtual_gpu::AccessKind::Write, 1, Order::Weak, 4, 8192);
  begin(kSecond);
  history_.touch(virtual_gpu::kFirstDeviceAddress + 8, 8184, false);
  EXPECT_EQ(found(), 0U);
  begin(kSecond);
  history_.touch(virtual_gpu::kFirstDeviceAddress + 8, 8188, false);
  ASSERT_EQ(found(), 1U);
  EXPECT_EQ(races_[0].second.site, StreamRace::kCopy);
}

// The flag orders the two kernels only if there is a release pattern and an acquire pattern, both of device scope.
TEST_F(History, AFlagOrdersKernelsByFencesOnBothSides) {
  begin(kFirst);
  write(1);
  fence();
  write_flag(Order::Relaxed);
  begin(kSecond);
  read_flag(Order::Relaxed);
  fence();
  read(2);
  EXPECT_EQ(found(), 0U);
}

TEST_F(History, AFlagOrdersKernelsByReleaseAndAcquire) {
  begin(kFirst);
  write(1);
  write_flag(Order::Release);
  begin(kSecond);
  read_flag(Order::Acquire);
  read(2);
  EXPECT_EQ(found(), 0U);
}

TEST_F(History, AFlagWithoutAFenceOrdersNothing) {
  for (int missing = 0; missing < 3; ++missing) {
    races_.clear();
    begin(kFirst);
    write(1);
    if (missing != 0) fence(Order::SeqCst, missing == 2 ? Scope::Block : Scope::Device);
    write_flag(Order::Relaxed);
    begin(kSecond);
    read_flag(Order::Relaxed);
    if (missing != 1) fence();
    read(2);
    EXPECT_EQ(found(), 1U) << missing;
    order_.host_waits_for_all();
  }
}

// A fence is in the wrong place: after the write of the flag, or before the read of the flag.
TEST_F(History, AFenceAtTheWrongPlaceOrdersNothing) {
  begin(kFirst);
  write(1);
  write_flag(Order::Relaxed);
  fence();
  begin(kSecond);
  fence();
  read_flag(Order::Relaxed);
  read(2);
  EXPECT_EQ(found(), 1U);
}

// If a read-modify-write is not a release, it continues the release sequence of the write that it reads from.
TEST_F(History, AReadModifyWriteHandsOnAFlag) {
  begin(kFirst);
  write(1);
  write_flag(Order::Release);
  begin(kSecond);
  access(virtual_gpu::AccessKind::ReadModifyWrite, 10, Order::Relaxed, 4, 64);
  begin(kApart);
  read_flag(Order::Acquire);
  read(2);
  EXPECT_EQ(found(), 0U);
}

}  // namespace
}  // namespace ambit::shadow
