#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/dice.h"
#include "tests/support/files.h"

/// Sends a signal to Ambit while it works on hard problems, at moments that a seed chooses. Times are measured in
/// processor time, so other work on the machine does not change the results.
namespace ambit::test {
namespace {

namespace fs = std::filesystem;

/// Ambit must end within this many seconds of processor time after the signal. The documentation promises half a second
/// on an otherwise idle machine.
constexpr double kLongestEnd = 1.5;

struct Problem {
  std::string name;
  std::string text;
  std::vector<std::string> arguments = {"check"};
};

/// GoogleTest lists tests with their parameters. By default, it prints raw bytes, which differ from run to run.
void PrintTo(const Problem& problem, std::ostream* out) { *out << problem.name; }

std::string kernel(const std::string& name, const std::string& globals, const std::string& parameters,
                   const std::string& body, const std::string& launch, const std::string& condition) {
  return fmt::format("CUDA {}\n{}\n__global__ void k({}) {{\n{}\n}}\nlaunch k{};\n\nexists ({})\n", name, globals,
                     parameters, body, launch, condition);
}

/// Each thread adds a different number, so that no two threads are interchangeable.
Problem counter(int threads) {
  const std::string name = fmt::format("counter-{}", threads);
  return {name, kernel(name, fmt::format("__device__ int x;\n__device__ int y[{}];", threads), "int *x, int *y",
                       "  atomicAdd(x, threadIdx.x + 1);\n  __syncthreads();\n  y[threadIdx.x] = *x;",
                       fmt::format("<<<1, {}>>>(&x, y)", threads), fmt::format("y[0] == {}", threads - 1))};
}

Problem lock(int blocks) {
  const std::string name = fmt::format("lock-{}", blocks);
  return {name, kernel(name, "__device__ int lock;\n__device__ int x;", "int *lock, int *x",
                       "  while (atomicCAS(lock, 0, 1) != 0);\n  __threadfence();\n  *x = *x + 1;\n"
                       "  __threadfence();\n  atomicExch(lock, 0);",
                       fmt::format("<<<{}, 1>>>(&lock, &x)", blocks), fmt::format("x != {}", blocks))};
}

Problem stores(int threads, const std::string& body) {
  const std::string name = fmt::format("stores-{}", threads);
  return {name, kernel(name, "__device__ int x;", "int *x", body, fmt::format("<<<1, {}>>>(&x)", threads), "x == 0")};
}

Problem loop(int iterations, int threads) {
  const std::string name = fmt::format("loop-{}", iterations);
  return {name, kernel(name, "__device__ int x[4];", "int *x",
                       fmt::format("  for (int i = 0; i < {}; ++i) atomicAdd(&x[i % 4], i + threadIdx.x);", iterations),
                       fmt::format("<<<1, {}>>>(x)", threads), "x[0] == 1")};
}

Problem array(int cells, int threads) {
  const std::string name = fmt::format("array-{}", cells);
  const std::string body = fmt::format(
      "  int j = atomicAdd(i, 1);\n  a[j] = a[(j * 7) % {0}] + threadIdx.x;\n  __syncthreads();\n  a[a[j] % {0}] = 1;",
      cells);
  return {name, kernel(name, fmt::format("__device__ int a[{}];\n__device__ int i;", cells), "int *a, int *i", body,
                       fmt::format("<<<1, {}>>>(a, &i)", threads), "a[1] == 1")};
}

Problem barriers(int threads, int phases) {
  std::string body;
  for (int p = 0; p < phases; ++p) {
    body += fmt::format("  x[(threadIdx.x + {}) % {}] += 1;\n  __syncthreads();\n", p, threads);
  }
  const std::string name = fmt::format("barriers-{}-{}", threads, phases);
  return {name, kernel(name, fmt::format("__device__ int x[{}];", threads), "int *x", body,
                       fmt::format("<<<1, {}>>>(x)", threads), fmt::format("x[0] == {}", phases))};
}

Problem values(int threads) {
  const std::string name = fmt::format("values-{}", threads);
  return {name, kernel(name, "__device__ int x;\n__device__ int y;", "int *x, int *y",
                       "  int r = atomicAdd(x, threadIdx.x * 3 + 1);\n  int s = atomicXor(y, r * r);\n"
                       "  atomicAdd(x, s & 1023);\n  int t = *y * *x;\n  atomicMax(y, t % 4099);",
                       fmt::format("<<<1, {}>>>(&x, &y)", threads), "x == 100")};
}

/// `last` is the number of arrivals that the last thread waits for.
Problem quorum(int threads, int count, int last) {
  std::vector<std::string> rows(4);
  for (int t = 0; t < threads; ++t) {
    const std::string between = t == 0 ? " " : " | ";
    rows[0] += between + fmt::format("P{}@cta 0,gpu 0", t);
    rows[1] += between + fmt::format("st.weak x{}, 1", t);
    rows[2] += between + fmt::format("bar.sync 1, {}", t + 1 == threads ? last : count);
    rows[3] += between + fmt::format("ld.weak r0, x{}", (t + 1) % threads);
  }
  std::string text = fmt::format("PTX quorum-{}-{}-{}\n{{", threads, count, last);
  for (int t = 0; t < threads; ++t) text += fmt::format(" x{}=0;", t);
  text += " }\n";
  for (const std::string& row : rows) text += row + " ;\n";
  return {fmt::format("quorum-{}-{}-{}", threads, count, last), text + "\nexists (P0:r0 == 0)\n"};
}

Problem with(Problem problem, std::vector<std::string> arguments, const std::string& suffix) {
  problem.name += suffix;
  problem.arguments = std::move(arguments);
  return problem;
}

std::vector<Problem> problems() {
  return {counter(12),
          counter(24),
          with(counter(16), {"check", "--engine", "explicit"}, "-explicit"),
          with(counter(16), {"check", "--engine", "smt"}, "-smt"),
          lock(16),
          lock(32),
          with(lock(16), {"check", "--property", "termination"}, "-termination"),
          stores(32, "  *x = *x + 1;"),
          stores(64, "  *x = 1;"),
          loop(40, 8),
          loop(200, 8),
          array(64, 8),
          array(512, 16),
          barriers(16, 8),
          barriers(32, 12),
          values(8),
          values(16),
          quorum(32, 2, 2),
          quorum(12, 2, 3),
          with(counter(12), {"explain", "--race"}, "-explain"),
          with(counter(12), {"explain"}, "-explain-outcome")};
}

struct End {
  int status = -1;  ///< exit status; -1 if a signal ended the program
  bool was_signalled = false;
  double seconds_after = 0;  ///< processor time from the signal to the end
  std::string out;
  std::string err;
};

/// Returns the seconds of processor time that the process has used; negative if it has ended.
double processor_time(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos || text.size() < name_end + 3 || text[name_end + 2] == 'Z') return -1;
  std::istringstream fields(text.substr(name_end + 2));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user = 0;
  double system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// Returns whether the process has a handler for the signal.
bool handles(pid_t process, int signal) {
  std::ifstream file(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("SigCgt:")) {
      return (std::stoull(line.substr(7), nullptr, 16) >> (static_cast<unsigned>(signal) - 1) & 1U) != 0;
    }
  }
  return false;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

class SignalTest : public testing::TestWithParam<Problem> {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("ambit-signal-{}-{}", GetParam().name, getpid());
    fs::create_directories(folder_);
    std::ofstream(file()) << GetParam().text;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path file() const { return folder_ / "test.litmus"; }

  pid_t start() const {
    const pid_t process = fork();
    if (process != 0) return process;
    redirect("out", STDOUT_FILENO);
    redirect("err", STDERR_FILENO);
    std::vector<std::string> words = {AMBIT_PROGRAM};
    words.insert(words.end(), GetParam().arguments.begin(), GetParam().arguments.end());
    words.push_back(file().string());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(AMBIT_PROGRAM, arguments.data());
    _exit(127);
  }

  void redirect(const char* name, int descriptor) const {
    const int file = open((folder_ / name).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || dup2(file, descriptor) < 0) _exit(126);
  }

  /// Runs the program and signals it after `moment` seconds of processor time. The time counts from the moment at which
  /// the program handles signals, because startup is slow under sanitizers.
  End run(double moment) const {
    End end;
    const pid_t process = start();
    double start_took = 0;
    bool has_started = false;
    double used = 0;
    while (used >= 0 && (!has_started || used - start_took < moment)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      used = processor_time(process);
      if (!has_started) start_took = used;
      has_started = has_started || handles(process, SIGTERM);
    }
    end.was_signalled = used >= 0;
    if (end.was_signalled) kill(process, SIGTERM);
    int status = 0;
    struct rusage usage = {};
    wait4(process, &status, 0, &usage);
    end.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    end.seconds_after = seconds(usage.ru_utime) + seconds(usage.ru_stime) - used;
    end.out = contents(folder_ / "out");
    end.err = contents(folder_ / "err");
    return end;
  }

  fs::path folder_;
};

TEST_P(SignalTest, EndsSoonAndReportsKnownResults) {
  Dice dice(static_cast<unsigned>(GetParam().text.size()));
  for (int i = 0; i < 2; ++i) {
    const double moment = 0.05 + static_cast<double>(dice.below(100)) / 100;
    const End end = run(moment);
    if (!end.was_signalled) continue;  // the program has ended
    const std::string what = fmt::format("signalled after {} s of processor time\n{}{}", moment, end.out, end.err);
    EXPECT_LE(end.seconds_after, kLongestEnd) << what;
    ASSERT_NE(end.status, -1) << what;
    if (end.status != 3) continue;  // the program answered before it noticed the signal
    EXPECT_THAT(end.out + end.err, testing::AnyOf(testing::HasSubstr("interrupted"), testing::HasSubstr("Unknown")));
  }
}

std::string name_of(const testing::TestParamInfo<Problem>& info) {
  std::string name = info.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(HardProblems, SignalTest, testing::ValuesIn(problems()), name_of);

}  // namespace
}  // namespace ambit::test
