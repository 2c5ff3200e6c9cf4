#include "api/campaign/work_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/campaign/campaign_folder.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class Queue : public testing::Test {
 protected:
  void make(std::uint64_t chunks) const { ASSERT_FALSE(WorkQueue::create(folder_.campaign(), chunks)); }
  WorkQueue worker(const std::string& name) const { return {folder_.campaign(), name}; }

  CampaignFolder folder_;
};

TEST_F(Queue, NamesOfTicketsAndLeasesCanBeRead) {
  EXPECT_EQ((Ticket{12, 1}.name()), "000012.1");
  EXPECT_EQ(Ticket::read("000012.1"), (Ticket{12, 1}));
  EXPECT_EQ(Ticket::read("1234567.0"), (Ticket{1234567, 0}));
  for (const char* wrong : {"", "12.1", "000012", "000012.", "000012.x", "000012.1.w", ".part-x", "notes"}) {
    EXPECT_FALSE(Ticket::read(wrong)) << wrong;
  }
  const auto lease = Lease::read("000012.1.host-7-ab");
  ASSERT_TRUE(lease);
  EXPECT_EQ(lease->ticket, (Ticket{12, 1}));
  EXPECT_EQ(lease->worker, "host-7-ab");
  EXPECT_FALSE(Lease::read("000012.1"));
  EXPECT_FALSE(Lease::read("000012.1."));
}

TEST_F(Queue, ATicketIsWithOneWorkerUntilItComesBack) {
  make(1);
  WorkQueue one = worker("one");
  WorkQueue two = worker("two");
  const auto ticket = one.take();
  ASSERT_TRUE(ticket);
  EXPECT_TRUE(one.holds(*ticket));
  EXPECT_FALSE(two.take());
  EXPECT_TRUE(one.give_back(*ticket));
  EXPECT_FALSE(one.holds(*ticket));
  EXPECT_EQ(two.take(), ticket);
  EXPECT_FALSE(one.give_back(*ticket)) << "another worker has this ticket now";
  two.finish(*ticket);
  EXPECT_THAT(two.queued(), IsEmpty());
  EXPECT_THAT(two.leases(), IsEmpty());
}

TEST_F(Queue, ManyWorkersTakeEachTicketOnce) {
  constexpr std::uint64_t kChunks = 500;
  make(kChunks);
  std::mutex mutex;
  std::map<std::uint64_t, int> taken;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      WorkQueue queue = worker("worker-" + std::to_string(i));
      bool gives_back = true;
      while (const auto ticket = queue.take()) {
        gives_back = !gives_back;
        if (gives_back && ticket->chunk % 3 == 0) {
          queue.give_back(*ticket);
          continue;
        }
        const std::lock_guard<std::mutex> lock(mutex);
        ++taken[ticket->chunk];
        queue.finish(*ticket);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  // Another worker may return a ticket after a worker has found the queue empty.
  WorkQueue last = worker("last");
  while (const auto ticket = last.take()) ++taken[ticket->chunk];
  EXPECT_THAT(taken, SizeIs(kChunks));
  for (const auto& [chunk, times] : taken) EXPECT_EQ(times, 1) << chunk;
}

TEST_F(Queue, ATicketOfADeadWorkerComesBackAfterAllOthers) {
  make(3);
  WorkQueue dead = worker("dead");
  const auto ticket = dead.take();
  ASSERT_TRUE(ticket);
  WorkQueue other = worker("other");
  const auto leases = other.leases();
  ASSERT_THAT(leases, SizeIs(1));
  EXPECT_EQ(leases[0].worker, "dead");
  EXPECT_TRUE(other.expire(leases[0]));
  EXPECT_FALSE(dead.holds(*ticket));
  std::vector<std::uint64_t> returns;
  while (const auto next = other.take()) returns.push_back(next->returns);
  EXPECT_THAT(returns, ElementsAre(0, 0, 1));
}

TEST_F(Queue, OtherFilesAreIgnored) {
  make(1);
  std::ofstream(folder_.campaign() + "/queue/notes") << "not a ticket";
  std::ofstream(folder_.campaign() + "/queue/000000.0") << "the content of a ticket has no meaning";
  std::ofstream(folder_.campaign() + "/leases/.nfs000001") << "";
  WorkQueue queue = worker("one");
  EXPECT_THAT(queue.queued(), SizeIs(1));
  EXPECT_THAT(queue.leases(), IsEmpty());
  EXPECT_TRUE(queue.take());
  EXPECT_FALSE(queue.take());
}

TEST_F(Queue, HeartbeatsChange) {
  make(1);
  WorkQueue one = worker("one");
  EXPECT_EQ(one.heartbeat_of("one"), "");
  one.beat();
  const std::string first = one.heartbeat_of("one");
  one.beat();
  EXPECT_NE(one.heartbeat_of("one"), first);
  one.forget("one");
  EXPECT_EQ(one.heartbeat_of("one"), "");
}

TEST(LeaseWatch, ExpiresALeaseWhoseHeartbeatDoesNotChange) {
  using std::chrono::seconds;
  const LeaseWatch::Clock::time_point begin{};
  const Lease lease{{7, 0}, "one"};
  LeaseWatch watch(seconds(10));
  EXPECT_FALSE(watch.has_expired(lease, "1", begin));
  EXPECT_FALSE(watch.has_expired(lease, "1", begin + seconds(9)));
  EXPECT_FALSE(watch.has_expired(lease, "2", begin + seconds(12))) << "the heartbeat changed after the last call";
  EXPECT_FALSE(watch.has_expired(lease, "2", begin + seconds(21)));
  EXPECT_TRUE(watch.has_expired(lease, "2", begin + seconds(22)));
}

TEST(LeaseWatch, CountsFromItsOwnFirstLook) {
  using std::chrono::seconds;
  const LeaseWatch::Clock::time_point late{seconds(1000000)};  // the worker's clock has no effect
  const Lease lease{{7, 0}, "one"};
  LeaseWatch watch(seconds(10));
  EXPECT_FALSE(watch.has_expired(lease, "", late));
  watch.keep_only({});
  EXPECT_FALSE(watch.has_expired(lease, "", late + seconds(30))) << "the watch has forgotten the lease";
  watch.keep_only({lease});
  EXPECT_TRUE(watch.has_expired(lease, "", late + seconds(40)));
}

}  // namespace
}  // namespace ambit::api
