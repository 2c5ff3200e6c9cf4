#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ambit::server {

/// What a child process may use.
struct ChildLimits {
  std::chrono::milliseconds time{5000};           ///< by the clock, and twice as much of the processor: for two threads
  std::uint64_t memory = std::uint64_t{1} << 30;  ///< bytes of address space
  std::size_t output = std::size_t{8} << 20;      ///< bytes that it writes
};

/// How a child process ended.
struct ChildResult {
  enum class End : std::uint8_t {
    Exited,     ///< `status` is its exit status
    TimedOut,   ///< killed at its time limit
    TooLong,    ///< killed for what it wrote
    Crashed,    ///< by a signal, also when memory ran out
    Abandoned,  ///< killed because nobody waits for what it says (Waiter)
    NotStarted
  } end = End::NotStarted;
  int status = 0;
  std::string out;
};

/// Who waits for a child.
struct Waiter {
  int connection = -1;                ///< a socket: when its other end closes, nobody waits any more; negative: none
  std::function<void()> after_while;  ///< called when the child has run for kWhile, and so on; may be empty
};
/// What takes less is short for who waits.
inline constexpr std::chrono::milliseconds kWhile{250};

/// Runs a program with `input` on its standard input, takes its standard output, and kills it at its limits. Its
/// standard error is dropped. The child cannot write files, hears no interrupt of the terminal, and dies with the
/// calling thread. Safe for several threads.
ChildResult run_child(const std::vector<std::string>& arguments, const std::string& input, const ChildLimits& limits,
                      const Waiter& waiter = {});

/// Begins a program with `in` as its standard input and nothing else open; what it writes is dropped. Its process;
/// negative: the system has no room for it.
pid_t start_program(const std::vector<std::string>& arguments, int in);

/// For the child of a fork, and safe there (signal-safety(7)). From now on `in` and `out` are its standard streams,
/// what it writes to standard error is dropped, nothing else is open, and signals do what they do by default. Ends the
/// process where that cannot be.
void enter_child(int in, int out);
/// From now on this process uses no more than that, and cannot write files.
void take_limits(const ChildLimits& limits);
/// From now on this process opens nothing: no file, no socket. For children that answer strangers' requests.
void forbid_opening();

}  // namespace ambit::server
