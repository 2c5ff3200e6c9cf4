#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ambit::server {

/// What a child process may use.
struct ChildLimits {
  std::chrono::milliseconds time{5000};           ///< by the clock, and as much of the processor
  std::uint64_t memory = std::uint64_t{1} << 30;  ///< bytes of address space
  std::size_t output = std::size_t{8} << 20;      ///< bytes on its standard output
};

/// How a child process ended.
struct ChildResult {
  enum class End : std::uint8_t {
    Exited,    ///< `status` is its exit status
    TimedOut,  ///< killed at its time limit
    TooLong,   ///< killed for what it wrote
    Crashed,   ///< by a signal, also when memory ran out
    NotStarted
  } end = End::NotStarted;
  int status = 0;
  std::string out;
};

/// Runs a program with `input` on its standard input, takes its standard output, and kills it at its limits. Its
/// standard error is dropped. The child cannot write files, and dies with the calling process. Safe for several
/// threads.
ChildResult run_child(const std::vector<std::string>& arguments, const std::string& input, const ChildLimits& limits);

/// From now on this process opens nothing: no file, no socket. For children that answer strangers' requests, called
/// once all that they need is open.
void forbid_opening();

}  // namespace ambit::server
