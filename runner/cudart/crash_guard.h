#pragma once

#include <signal.h>

#include <array>
#include <cstdint>
#include <string>

#include "runner/virtual/memory.h"

namespace ambit::cudart {

/// While it lives, a signal of a fault in the calling thread is noted in the report as a crash of Ambit: the thread
/// executes this library's code, not the program's. The one exception is a fault at an address of host memory that the
/// program gave to its kernels and has freed since; the note says that. The signal then takes its course. Signals of
/// other threads and of other processes go where they went before. One at a time.
class CrashGuard {
 public:
  /// `report_file`: the descriptor that the note is written to; -1: none. What else the note says: the kernel and the
  /// number of its launch. `memory` must outlive this.
  CrashGuard(int report_file, const std::string& kernel, std::uint64_t launch, const virtual_gpu::Memory& memory);
  ~CrashGuard();
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;

 private:
  static constexpr std::array<int, 5> kNumbers = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  friend struct GuardState;
};

}  // namespace ambit::cudart
