#include "base/parallel_for.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace ambit {
namespace {

TEST(ParallelFor, ProcessesEveryItemOnceAndFinishesInOrder) {
  std::vector<int> count(100);
  std::vector<std::size_t> order;
  std::atomic<int> workers = 0;
  const auto make_worker = [&] {
    ++workers;
    return [&](std::size_t item) { ++count[item]; };
  };
  parallel_for(count.size(), make_worker, {.threads = 4, .finished = [&](std::size_t item) { order.push_back(item); }});
  EXPECT_EQ(workers, 4);
  EXPECT_EQ(count, std::vector<int>(100, 1));
  ASSERT_EQ(order.size(), 100U);
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);
}

TEST(ParallelFor, RethrowsAnExceptionOfAWorkerAndOfTheCallingThread) {
  const auto make_worker = [] {
    return [](std::size_t item) {
      if (item == 7) throw std::runtime_error("item 7");
    };
  };
  EXPECT_THROW(parallel_for(1000, make_worker, {.threads = 3}), std::runtime_error);
  const auto make_idle = [] { return [](std::size_t) {}; };
  const auto fail = [](std::size_t) { throw std::logic_error("cannot print"); };
  EXPECT_THROW(parallel_for(1000, make_idle, {.threads = 3, .finished = fail}), std::logic_error);
  parallel_for(0, make_idle);
}

}  // namespace
}  // namespace ambit
