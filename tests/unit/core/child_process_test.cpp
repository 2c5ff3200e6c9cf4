#include "base/child_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

#include "base/descriptor.h"

namespace ambit {
namespace {

using End = ChildResult::End;

TEST(Child, TakesInputAndGivesOutput) {
  const std::string input(300000, 'x');  // more bytes than the buffer of a pipe
  const ChildResult result = run_child({"/bin/cat"}, input, {});
  EXPECT_EQ(result.end, End::Exited);
  EXPECT_EQ(result.out, input);
  EXPECT_EQ(run_child({"/bin/sh", "-c", "exit 7"}, "", {}).status, 7);
  EXPECT_EQ(run_child({"/bin/sh", "-c", "exit 0"}, input, {}).status, 0) << "the child does not read the input";
}

TEST(Child, IsKilledAtItsLimits) {
  ChildLimits limits;
  limits.time = std::chrono::milliseconds(300);
  limits.output = 10000;
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(run_child({"/bin/sleep", "60"}, "", limits).end, End::TimedOut);
  EXPECT_EQ(run_child({"/bin/cat", "/dev/zero"}, "", limits).end, End::TooLong);
  EXPECT_EQ(run_child({"/bin/sh", "-c", "exec >&-; sleep 60"}, "", limits).end, End::Crashed)
      << "the child closes its output, but does not end";
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  EXPECT_NE(run_child({"/no/such/program"}, "", limits).status, 0);
}

TEST(Child, CannotWriteFiles) {
  const std::string path = testing::TempDir() + "ambit-child-wrote";
  run_child({"/bin/sh", "-c", "echo text > " + path}, "", {});
  struct stat about = {};
  const bool exists = stat(path.c_str(), &about) == 0;
  EXPECT_TRUE(!exists || about.st_size == 0);
  std::remove(path.c_str());
}

// Ctrl-C in the terminal must not interrupt neato. An interrupted neato writes a partial picture and ends with status
// 0, so a page would contain the partial picture.
TEST(Child, IsNotInTheGroupThatTheTerminalInterrupts) {
  const std::string is_own_group =
      "read -r process name state parent group rest </proc/$$/stat; test $process = $group";
  EXPECT_EQ(run_child({"/bin/sh", "-c", is_own_group}, "", {}).status, 0);
}

/// Returns whether a process still runs. Waits at most one second until the process ends.
bool still_runs(pid_t process) {
  for (int i = 0; i < 100 && kill(process, 0) == 0; ++i) {
    std::string state;
    std::string word;
    std::ifstream about("/proc/" + std::to_string(process) + "/stat");
    about >> word >> word >> state;
    if (state == "Z") return false;  // ended, but no process has read the exit status
    usleep(10000);
  }
  return kill(process, 0) == 0;
}

TEST(Child, KillsItsGroup) {
  const ChildResult result = run_child({"/bin/sh", "-c", "sleep 60 >&- & echo $!"}, "", {});
  EXPECT_EQ(result.end, End::Exited);
  EXPECT_FALSE(still_runs(std::stoi(result.out))) << "the children of the child must end, too";
}

TEST(Child, EndsSoonAfterACancellation) {
  std::atomic<bool> cancelled = false;
  const auto begin = std::chrono::steady_clock::now();
  std::thread user([&] { cancelled = true; });
  EXPECT_EQ(run_child({"/bin/sleep", "60"}, "", {}, {.cancelled = &cancelled}).end, End::Abandoned);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10))
      << "must take less than kLongRun, even on a busy machine";
  user.join();
}

TEST(Child, KeepsErrorsOnRequest) {
  const std::vector<std::string> program = {"/bin/sh", "-c", "echo out; echo error >&2"};
  EXPECT_EQ(run_child(program, "", {}).out, "out\n");
  EXPECT_EQ(run_child(program, "", {}, {}, Errors::Kept).out, "out\nerror\n");
}

TEST(ChildProcess, IsACopyOfThisProcess) {
  Pipe pipe;
  ASSERT_TRUE(make_pipe(pipe));
  ChildProcess child([&] { write_all(pipe.write.number(), "line\n"); });
  ASSERT_TRUE(child.is_started());
  pipe.write.reset();
  std::string text;
  while (read_some(pipe.read.number(), text)) {}
  EXPECT_EQ(text, "line\n");
  while (!child.has_ended()) usleep(1000);
  EXPECT_EQ(child.kill(), 0) << "the exit status";
}

TEST(ChildProcess, IsKilledWithItsOwnerAndLeavesNoZombie) {
  pid_t id = 0;
  {
    const ChildProcess child([] { sleep(60); });
    id = child.id();
    EXPECT_FALSE(child.has_ended());
  }
  EXPECT_EQ(kill(id, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

}  // namespace
}  // namespace ambit
