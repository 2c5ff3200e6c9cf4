#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "apps/server/fork_server.h"
#include "base/child_process.h"
#include "base/descriptor.h"
#include "tests/server/served.h"
#include "tests/support/files.h"
#include "tests/support/slowdown.h"
#include "tests/unit/server/support.h"

namespace ambit::server {
namespace {

using serving::children_of;
using serving::worker_of;
namespace fs = std::filesystem;
using Json = nlohmann::json;
using End = ChildResult::End;

std::vector<std::string> worker() { return {AMBIT_PROGRAM, "serve-worker"}; }

std::string models_request() { return Json{{"do", "models"}}.dump(); }

/// Returns a request for a list of outcomes that is too long to compute.
std::string endless_request() {
  return Json{{"do", "outcomes"}, {"text", manifold(24)}, {"seconds", 60}, {"models", {"ptx"}}}.dump();
}

TEST(ForkServer, AnswersInCopies) {
  ForkServer server(worker());
  ASSERT_TRUE(server.start());
  const pid_t process = worker_of(getpid());
  for (int i = 0; i < 3; ++i) {
    const ChildResult result = server.run(models_request(), {});
    ASSERT_EQ(result.end, End::Exited);
    EXPECT_TRUE(Json::parse(result.out).contains("models"));
  }
  EXPECT_EQ(worker_of(getpid()), process) << "the worker is the same process as before";
  EXPECT_TRUE(comes_true([&] { return children_of(process).empty(); })) << "all copies end";
}

TEST(ForkServer, KillsCopiesAtTheirLimits) {
  ForkServer server(worker());
  ChildLimits limits;
  limits.time = std::chrono::seconds(2);
  // A copy normally stops at its time limit. This test suspends the copy by SIGSTOP, so the copy cannot stop itself at
  // the limit.
  Waiter waiter;
  waiter.after_long_run = [] {
    for (const pid_t copy : children_of(worker_of(getpid()))) kill(copy, SIGSTOP);
  };
  EXPECT_EQ(server.run(endless_request(), limits, waiter).end, End::TimedOut);
  EXPECT_TRUE(comes_true([] { return children_of(worker_of(getpid())).empty(); }));
  limits = {};
  limits.output = 100;
  EXPECT_EQ(server.run(models_request(), limits).end, End::TooLong);
#ifndef __SANITIZE_ADDRESS__  // under this sanitizer, copies have no memory limit
  limits = {};
  limits.memory = std::uint64_t{1} << 20U;  // the process already uses more memory than this
  const std::string huge(std::size_t{256} << 20U, ' ');
  EXPECT_EQ(server.run(huge, limits).end, End::Crashed) << "the input does not fit in memory";
#endif
}

TEST(ForkServer, KillsACopyWithoutAClient) {
  ForkServer server(worker());
  Pipe connection;
  ASSERT_TRUE(make_socket(connection));
  Waiter waiter{connection.read.number(), [&] { connection.write.reset(); }};
  ChildLimits limits;
  limits.time = std::chrono::minutes(1);
  EXPECT_EQ(server.run(endless_request(), limits, waiter).end, End::Abandoned);
  EXPECT_TRUE(comes_true([] { return children_of(worker_of(getpid())).empty(); }));
}

/// Tests the rights of a copy while it computes. The copy has three open streams and cannot open files. After a while,
/// its priority is low.
TEST(ForkServer, TakesRightsFromCopies) {
  ForkServer server(worker());
  std::optional<std::size_t> open;
  std::string limits;
  int niceness = 0;
  Waiter waiter;
  waiter.after_long_run = [&] {
    const std::vector<pid_t> copies = children_of(worker_of(getpid()));
    ASSERT_EQ(copies.size(), 1U);
    const std::string folder = "/proc/" + std::to_string(copies.front());
    std::error_code gone;
    open = std::distance(fs::directory_iterator(folder + "/fd", gone), {});
    limits = test::contents(folder + "/limits");
    niceness = getpriority(PRIO_PROCESS, static_cast<id_t>(copies.front()));
  };
  ChildLimits given;
  // The copy stops two seconds before this limit to send its answer. Two seconds are enough on a busy machine.
  given.time = std::chrono::seconds(10) * test::kSlowdown;
  const ChildResult result = server.run(endless_request(), given, waiter);
  EXPECT_EQ(result.end, End::Exited) << "the copy observes its time limit";
  EXPECT_THAT(result.out, testing::HasSubstr(R"("limited":true)"));
  EXPECT_EQ(open, 3U);
  EXPECT_EQ(niceness, 10);
  const auto most = [&](const std::string& what) {
    std::istringstream line(limits.substr(std::min(limits.size(), limits.find(what) + what.size())));
    std::uint64_t value = 1;
    line >> value;
    return value;
  };
  for (const char* what : {"Max file size", "Max core file size"}) {
    EXPECT_EQ(most(what), 0U) << what << " in\n" << limits;
  }
#ifndef __SANITIZE_ADDRESS__  // with this sanitizer, copies may open files
  EXPECT_EQ(most("Max open files"), 0U) << limits;
#endif
  EXPECT_GE(most("Max cpu time"), 10U) << "two threads for five seconds";
}

TEST(ForkServer, StartsAgain) {
  ForkServer server(worker());
  ASSERT_TRUE(server.start());
  const pid_t first = worker_of(getpid());
  ASSERT_GT(first, 0);
  kill(first, SIGKILL);
  // If the test sends a request before the server notices the worker's end, the request may be lost.
  EXPECT_TRUE(comes_true([&] { return server.run(models_request(), {}).end == End::Exited; }));
  EXPECT_NE(worker_of(getpid()), first);
  EXPECT_FALSE(ForkServer({"/no/such/program"}).start());
  EXPECT_EQ(ForkServer({"/no/such/program"}).run("", {}).end, End::NotStarted);
}

TEST(ForkServer, TakesItsCopiesWithIt) {
  pid_t process = -1;
  pid_t copy = -1;
  {
    ForkServer server(worker());
    ASSERT_TRUE(server.start());
    process = worker_of(getpid());
    Waiter waiter;
    waiter.after_long_run = [&] {
      copy = children_of(process).front();
      kill(process, SIGKILL);
    };
    EXPECT_EQ(server.run(endless_request(), {}, waiter).end, End::Crashed);
  }
  const auto is_gone = [](pid_t one) { return kill(one, 0) != 0; };
  EXPECT_TRUE(is_gone(process)) << "the server has also reaped the process";
  EXPECT_TRUE(comes_true([&] { return is_gone(copy); }));
}

}  // namespace
}  // namespace ambit::server
