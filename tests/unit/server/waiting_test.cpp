#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "apps/server/answer_cache.h"
#include "apps/server/gate.h"

namespace ambit::server {
namespace {

using namespace std::chrono_literals;

TEST(Gate, LetsSoManyIn) {
  Gate gate(2, 0);
  const Gate::Visit one(gate, 0ms);
  {
    const Gate::Visit two(gate, 0ms);
    EXPECT_TRUE(two.is_in());
    EXPECT_FALSE(Gate::Visit(gate, 10ms).is_in());
  }
  EXPECT_TRUE(Gate::Visit(gate, 0ms).is_in()) << "the second visit has ended";
}

TEST(Gate, SlowVisitsContinueBeside) {
  Gate gate(1, 1);
  Gate::Visit first(gate, 0ms);
  EXPECT_FALSE(Gate::Visit(gate, 0ms).is_in());
  first.give_way();
  first.give_way();  // a second call has no effect
  Gate::Visit second(gate, 0ms);
  EXPECT_TRUE(second.is_in());
  second.give_way();
  EXPECT_FALSE(Gate::Visit(gate, 0ms).is_in()) << "the side queue is full, so the second visit keeps its place";
}

TEST(Gate, ThePlaceBesideIsGivenBack) {
  Gate gate(1, 1);
  for (int i = 0; i < 3; ++i) {
    Gate::Visit visit(gate, 0ms);
    ASSERT_TRUE(visit.is_in());
    visit.give_way();
    ASSERT_TRUE(Gate::Visit(gate, 0ms).is_in());
  }
}

/// Each visit starts after the previous visit has begun to wait. The visits must enter in the order of their starts.
TEST(Gate, ServesInOrder) {
  Gate gate(1, 0);
  std::mutex mutex;
  std::vector<int> order;
  std::vector<std::thread> threads;
  {
    const Gate::Visit visit(gate, 0ms);
    for (int i = 0; i < 5; ++i) {
      threads.emplace_back([&, i] {
        const Gate::Visit mine(gate, 60s);
        const std::lock_guard<std::mutex> lock(mutex);
        order.push_back(mine.is_in() ? i : -1);
      });
      while (gate.waiting() != static_cast<std::size_t>(i) + 1) std::this_thread::yield();
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(AnswerCache, ForgetsTheLeastRecentlyUsed) {
  AnswerCache cache(4 * AnswerCache::kGrain);  // fits four answers of this size, but not five
  cache.keep("a", std::string(90, 'a'));
  cache.keep("b", std::string(90, 'b'));
  cache.keep("c", std::string(90, 'c'));
  EXPECT_TRUE(cache.find("a"));
  cache.keep("d", std::string(90, 'd'));
  cache.keep("e", std::string(90, 'e'));
  EXPECT_TRUE(cache.find("a")) << "this answer was requested again";
  EXPECT_FALSE(cache.find("b"));
  cache.keep("huge", std::string(AnswerCache::kGrain, 'x'));
  EXPECT_FALSE(cache.find("huge")) << "this answer takes more than a quarter of the cache";
}

/// Compares the cache with a map of all answers. The cache may have dropped an answer, but must not return an answer to
/// another request.
TEST(AnswerCache, GivesEachRequestItsOwnAnswer) {
  AnswerCache cache(64 * AnswerCache::kGrain);
  std::map<std::string, std::string> kept;
  std::mt19937 random(1);
  std::size_t hits = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string request = "request " + std::to_string(random() % 60);
    const auto found = cache.find(request);
    if (found) {
      ++hits;
      ASSERT_EQ(*found, kept.at(request));
    } else {
      kept[request] = std::to_string(i) + std::string(random() % (8 * AnswerCache::kGrain), 'x');
      cache.keep(request, kept[request]);
      ASSERT_EQ(cache.find(request), kept[request]) << "the cache must have the newest answer";
    }
  }
  EXPECT_GT(hits, 1000U);
}

}  // namespace
}  // namespace ambit::server
