#pragma once

#include <signal.h>

#include <array>
#include <cstdint>
#include <string>

#include "runner/virtual/memory.h"

namespace ambit::cudart {

/// Writes a note to the report if a fault signal occurs. While a guard exists, the calling thread executes this
/// library's code, so a fault in this thread is reported as a crash of Ambit. A fault can also be at host memory that
/// the program passed to its kernels and then freed. In this case, the note reports this error of the program. After
/// the note, the signal has its usual effect. Signals of other threads and processes are not affected. At most one
/// guard exists at a time.
class CrashGuard {
 public:
  /// The note is written to the file descriptor `report_file`; -1 means no note. The note contains the kernel and the
  /// number of its launch. `memory` must outlive this object.
  CrashGuard(int report_file, const std::string& kernel, std::uint64_t launch, const virtual_gpu::Memory& memory);
  ~CrashGuard();
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;

 private:
  static constexpr std::array<int, 5> kNumbers = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  friend struct GuardState;
};

}  // namespace ambit::cudart
