#pragma once

#include <signal.h>

#include <array>
#include <cstdint>
#include <string>

#include "runner/virtual/memory.h"

namespace ambit::cudart {

/// While a guard exists, the calling thread executes this library's code. A fault signal in the thread is therefore
/// reported as a crash of Ambit. One exception is a fault at host memory that the program gave to its kernels and has
/// freed since; the note then mentions it. After the note, the signal has its usual effect. Signals of other threads
/// and processes are not affected. At most one guard exists at a time.
class CrashGuard {
 public:
  /// `report_file` is the descriptor for the note; -1 for no note. The note contains the kernel and the number of its
  /// launch. `memory` must outlive this object.
  CrashGuard(int report_file, const std::string& kernel, std::uint64_t launch, const virtual_gpu::Memory& memory);
  ~CrashGuard();
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;

 private:
  static constexpr std::array<int, 5> kNumbers = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  friend struct GuardState;
};

}  // namespace ambit::cudart
