// After a crash, the report says where the signal occurred: in the code of the library, or in the program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

#include "runner/cudart/crash_guard.h"
#include "runner/shadow/report_file.h"

namespace ambit::cudart {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Crashes : public testing::Test {
 protected:
  ~Crashes() override { fs::remove(file_); }

  /// Runs `act` under a guard in a child process, and returns the child's report. Sets `signal_` to the signal that
  /// ended the child.
  ProgramReport after(const std::function<void(virtual_gpu::Memory&)>& act) {
    fs::remove(file_);
    const pid_t child = fork();
    if (child == 0) {
      virtual_gpu::Memory memory(1 << 20);
      shadow::ReportWriter writer(file_);
      writer.begin();
      for (const int number : {SIGSEGV, SIGFPE, SIGABRT}) signal(number, SIG_DFL);
      const CrashGuard guard(writer.file(), "k(int*)", 3, memory);
      act(memory);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    signal_ = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    auto report = shadow::read_report(file_);
    EXPECT_TRUE(report.ok());
    return report.ok() ? report.value() : ProgramReport();
  }

  std::string file_ = (fs::temp_directory_path() / ("ambit-crash-" + std::to_string(getpid()))).string();
  int signal_ = 0;
};

TEST_F(Crashes, OfTheLibraryAreNotedAndTakeTheirCourse) {
  const ProgramReport report = after([](virtual_gpu::Memory&) { std::abort(); });
  EXPECT_EQ(signal_, SIGABRT);
  EXPECT_THAT(report.crashes, ElementsAre(HasSubstr("in the code of Ambit, in k(int*), launch 3")));
  EXPECT_THAT(report.crashes, ElementsAre(HasSubstr("signal 6 ")));
  EXPECT_FALSE(report.is_complete);
}

TEST_F(Crashes, OfOtherThreadsAndProcessesAreTheProgramsOwn) {
  const ProgramReport of_thread = after([](virtual_gpu::Memory&) { std::thread([] { std::abort(); }).join(); });
  EXPECT_EQ(signal_, SIGABRT);
  EXPECT_THAT(of_thread.crashes, IsEmpty());
  const ProgramReport sent = after([](virtual_gpu::Memory&) {
    kill(getpid(), SIGFPE);
    pause();
  });
  EXPECT_EQ(signal_, SIGFPE);
  EXPECT_THAT(sent.crashes, IsEmpty());
}

// A sanitizer's signal handlers would run before the handlers under test.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(Crashes, AtFreedHostMemoryAreTheProgramsFault) {
  const auto touch = [](virtual_gpu::Memory& memory, bool is_given) {
    // An address without mapped memory.
    auto* gone = reinterpret_cast<volatile char*>(std::uintptr_t{64} << 10U);  // NOLINT(performance-no-int-to-ptr)
    if (is_given) memory.adopt(const_cast<char*>(gone), 64, "test");
    *gone = 1;
  };
  const ProgramReport of_program = after([&](virtual_gpu::Memory& memory) { touch(memory, true); });
  EXPECT_EQ(signal_, SIGSEGV);
  EXPECT_THAT(of_program.crashes, IsEmpty());
  EXPECT_THAT(of_program.errors, ElementsAre(HasSubstr("host memory that the program had freed")));
  const ProgramReport own = after([&](virtual_gpu::Memory& memory) { touch(memory, false); });
  EXPECT_EQ(signal_, SIGSEGV);
  EXPECT_EQ(own.crashes.size(), 1U);
}
#endif

}  // namespace
}  // namespace ambit::cudart
