#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/virtual/observer.h"

namespace ambit::virtual_gpu {

/// The order in which warps take their turns.
enum class ScheduleKind : std::uint8_t {
  RoundRobin,  ///< runs each warp in turn for a long time; the fastest schedule
  Random,      ///< runs a random warp for 1 to `quantum` instructions
  Pct,         ///< runs warps by priorities, which change at some memory instructions (Burckhardt et al., ASPLOS 2010)
};

struct Schedule {
  ScheduleKind kind = ScheduleKind::RoundRobin;
  std::uint64_t seed = 1;
  std::uint32_t quantum = 0;        ///< instructions in a turn; 0 means the default (RoundRobin 10000, Random 100)
  std::uint32_t change_points = 3;  ///< Pct: number of change points
  /// Pct: number of memory instructions of warps in an earlier run of the same launch. The change points are random
  /// numbers up to this number.
  std::uint64_t expected_accesses = 100'000;
};

/// The rules by which stores become visible.
enum class MemoryMode : std::uint8_t {
  SequentiallyConsistent,
  Gpu,  ///< plain loads may read stale copies of their block; plain stores wait in a buffer
};

/// A launch of a kernel.
struct Launch {
  std::uint32_t module = 0;  ///< number that Device::load returned
  std::string kernel;        ///< mangled name
  Extent grid;
  Extent block;
  Extent cluster;  ///< cluster size in blocks; the kernel's own requirement has priority
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::uint8_t> parameters;  ///< bytes in the layout of KernelInfo::parameters
  bool is_cooperative = false;           ///< all blocks must be resident at once
  std::uint64_t stream = 0;              ///< number that the observer receives
};

/// Options of execution. The options apply to all launches of a device until the options change.
struct ExecutionOptions {
  Schedule schedule;
  MemoryMode memory = MemoryMode::SequentiallyConsistent;
  /// Limit on the warp instructions of a launch; 0 for no limit. A launch that reaches the limit ends with StepBudget.
  std::uint64_t step_budget = 0;
  bool checks_initialised = true;  ///< reports reads of bytes that have not been written
  bool counts_bank_conflicts = false;
  /// Limit on the number of threads in all resident blocks. At least one block is always resident.
  std::uint32_t resident_threads = 132 * 2048;
  std::uint64_t stack_bytes = 1024;      ///< bytes of a thread's stack, in addition to the needs of the call graph
  std::uint64_t heap_bytes = 8U << 20U;  ///< bytes that malloc in kernels can use
  /// Number of host threads that may execute the blocks of a launch. The number does not affect the result.
  unsigned threads = 1;
  /// A launch runs on one host thread if Ambit expects it to execute fewer warp instructions than this number. For a
  /// short launch, starting more threads costs more time than it saves.
  std::uint64_t spread_from = 200'000;
  /// Returns whether pending work of the host or of other streams could store into memory that a kernel polls. May be
  /// null if no such work exists.
  std::function<bool()> others_can_store;
  /// Receives the output of kernels; null for this process's standard output.
  std::function<void(std::string_view)> print;
};

/// The end of a launch.
enum class LaunchEnd : std::uint8_t {
  Completed,
  IllegalAddress,  ///< out of bounds, use after free, not a device address, a store to constant memory
  MisalignedAddress,
  Assertion,  ///< assert() failed
  Trap,
  IllegalInstruction,  ///< a call through a bad pointer, a lane outside its own member mask, or a stack overflow
  Deadlock,            ///< no thread can continue
  /// All threads poll memory that no thread of the launch changes. The host or another stream might change this memory.
  Stalled,
  StepBudget,
  Timeout,  ///< the context's deadline has passed
  Interrupted,
};
std::string_view to_string(LaunchEnd end);

/// The kind of a finding.
enum class FindingKind : std::uint8_t {
  OutOfBounds,
  UseAfterFree,
  Misaligned,
  ReadOnly,   ///< a store to constant or parameter memory
  NotDevice,  ///< an address of the host
  Uninitialised,
  BarrierDivergence,  ///< lanes of a warp meet at different barrier instructions
  Deadlock,
  Assertion,
  Trap,
  IllegalInstruction,
};
std::string_view to_string(FindingKind kind);

inline constexpr std::uint32_t kNoSite = 0xffffffff;
inline constexpr std::uint32_t kNoAllocation = 0xffffffff;

/// An error in a kernel's execution. All errors of the same kind at the same instruction and allocation are one finding
/// with a count.
struct Finding {
  FindingKind kind = FindingKind::OutOfBounds;
  std::uint32_t site = kNoSite;
  std::uint64_t block = 0;   ///< linear number of the block that contains the first thread with the error
  std::uint32_t thread = 0;  ///< linear number of this thread in its block
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  std::uint32_t allocation = kNoAllocation;  ///< for global memory: the accessed or nearest allocation
  std::uint64_t count = 1;                   ///< number of erroneous accesses by threads
  /// One sentence without a place: "reads 4 bytes 8 bytes after the end of allocation 3 (400 bytes, app.cu:12)".
  std::string message;
};

/// Conflicts of shared memory banks at one instruction (32 banks of 4 bytes).
struct BankConflicts {
  std::uint32_t site = 0;
  std::uint64_t accesses = 0;  ///< number of warp instructions
  std::uint64_t passes = 0;    ///< number of transactions; equal to `accesses` if there are no conflicts
};

struct LaunchStatistics {
  std::uint64_t warp_instructions = 0;
  std::uint64_t lane_instructions = 0;
  std::uint64_t accesses = 0;  ///< number of executions of memory instructions by warps, for global and shared memory
  double seconds = 0;
  unsigned threads = 1;  ///< number of host threads that executed the launch
};

/// Threads that are at one instruction and have not exited when the launch ends.
struct UnfinishedThreads {
  std::uint32_t site = kNoSite;  ///< kNoSite for threads of blocks that have not started
  std::uint64_t block = 0;       ///< block of the first of these threads
  std::uint32_t thread = 0;      ///< number of the first of these threads
  std::uint32_t threads = 0;     ///< number of these threads
  std::string what;              ///< "wait at barrier 0, where 31 of 64 threads have arrived"; empty if the threads run
};

/// The result of a launch.
struct LaunchReport {
  LaunchEnd end = LaunchEnd::Completed;
  /// If the launch completed, all findings are warnings (uninitialised reads, barrier divergence). Otherwise, the last
  /// finding is the error that ended the launch.
  std::vector<Finding> findings;
  /// For the ends Deadlock, Stalled, StepBudget, Timeout and Interrupted: the threads that wait or spin, at no more
  /// than 40 places.
  std::vector<UnfinishedThreads> unfinished;
  std::vector<BankConflicts> bank_conflicts;  ///< bank conflicts, sorted by site
  LaunchStatistics statistics;
};

}  // namespace ambit::virtual_gpu
