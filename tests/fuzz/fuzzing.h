#pragma once

/// Code that the fuzzers share: options, the limit of CPU time, and the file that keeps a failing input.

#include <fmt/format.h>
#include <sys/time.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/slowdown.h"
#include "tests/support/tool_options.h"

namespace ambit::fuzz {

using Random = std::mt19937_64;

inline std::size_t below(Random& random, std::size_t limit) {
  return limit == 0 ? 0 : std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
}

/// Fragments of a text format. A mutation that inserts these fragments usually passes the lexer.
class Dictionary {
 public:
  /// `file` is a file of tests/fuzz with one quoted fragment per line. \\n means a newline.
  explicit Dictionary(const std::string& file) {
    std::ifstream in(test::project() / "tests/fuzz" / file);
    for (std::string line; std::getline(in, line);) {
      std::string& piece = pieces_.emplace_back();
      for (std::size_t i = 1; i + 1 < line.size(); ++i) {
        const bool is_escaped = line[i] == '\\';
        if (is_escaped) ++i;
        piece += is_escaped && line[i] == 'n' ? '\n' : line[i];
      }
    }
    if (pieces_.empty()) throw std::runtime_error("cannot read the pieces of tests/fuzz/" + file);
  }
  const std::string& any(Random& random) const { return pieces_[below(random, pieces_.size())]; }

 private:
  std::vector<std::string> pieces_;
};

struct Options {
  double seconds = 10;
  std::uint64_t seed = 1;
  std::vector<std::string> paths;
};

inline Options read_options(const char* usage, int argc, char** argv) {
  Options options;
  options.paths = test::read_tool_options(argc, argv, usage, {{"seconds", &options.seconds}, {"seed", &options.seed}});
  return options;
}

/// Globals for the signal handler, which must not allocate memory.
inline const char* failure_file = nullptr;
inline const std::string* current_input = nullptr;

extern "C" inline void on_signal(int signal) {
  if (std::FILE* file = std::fopen(failure_file, "wb"); file != nullptr && current_input != nullptr) {
    std::fwrite(current_input->data(), 1, current_input->size(), file);
    std::fclose(file);
  }
  std::fputs(signal == SIGPROF ? "FAILED: an input takes too much CPU time\n" : "FAILED: crash\n", stderr);
  std::_Exit(1);
}

/// After this call, a signal that ends the program writes the current input to `file`.
inline void catch_signals(const char* file) {
  failure_file = file;
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGPROF}) std::signal(signal, on_signal);
}

/// Limits the CPU time from now on; 0 means no limit. Unlike a limit on wall time, this limit does not depend on other
/// work on the machine.
inline void limit_time(unsigned seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = time_t{seconds} * test::kSlowdown;
  setitimer(ITIMER_PROF, &timer, nullptr);
}

/// Runs `attempt` on the input within `seconds` of CPU time. If the attempt returns false, throws, crashes or takes
/// longer, writes the input to the failure file. Returns whether the attempt succeeded.
template <typename Attempt>
bool survives(const std::string& input, unsigned seconds, const Attempt& attempt) {
  current_input = &input;
  limit_time(seconds);
  bool good = false;
  try {
    good = attempt();
  } catch (const std::exception& error) {
    fmt::print(stderr, "FAILED: exception: {}\n", error.what());
  }
  limit_time(0);
  if (!good) std::ofstream(failure_file, std::ios::binary) << input;
  return good;
}

/// Calls `attempt` until `seconds` have passed or a call returns false. Returns whether all calls returned true.
template <typename Attempt>
bool repeat(double seconds, const Attempt& attempt) {
  using Clock = std::chrono::steady_clock;
  for (const auto end = Clock::now() + std::chrono::duration<double>(seconds); Clock::now() < end;) {
    if (!attempt()) return false;
  }
  return true;
}

}  // namespace ambit::fuzz
