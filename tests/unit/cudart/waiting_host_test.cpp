#include "runner/cudart/waiting_host.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>

namespace ambit::cudart {
namespace {

TEST(WaitingHost, IsEndedOnceWhenItCallsNothing) {
  std::promise<void> ended;
  // The object is static, so that it exists longer than the thread that it starts.
  static WaitingHost host(std::chrono::milliseconds(1));
  host.note_call();
  host.watch([&] { ended.set_value(); });
  host.watch([] { FAIL() << "watched twice"; });
  ended.get_future().wait();
}

}  // namespace
}  // namespace ambit::cudart
