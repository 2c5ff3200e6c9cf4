#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ambit::sim {

/// The simulated memory.
enum class MemoryKind : std::uint8_t {
  Sc,   ///< one memory; each access takes effect immediately
  Gpu,  ///< store buffers, an L1 per multiprocessor, an L2 per gpu, system memory (docs/reference/simulator.md)
};

enum class ScheduleKind : std::uint8_t {
  Random,      ///< each thread that can take a step is equally likely
  RoundRobin,  ///< the threads take turns
  Pct,         ///< runs the thread of highest priority; priorities change a few times (Burckhardt et al., ASPLOS 2010)
  Exhaustive,  ///< all schedules
};

/// The way in which the lanes of one warp execute.
enum class WarpKind : std::uint8_t {
  Independent,  ///< each lane executes on its own (Volta and later)
  Lockstep,     ///< all lanes execute together, with a reconvergence stack (before Volta)
};

/// The time when a conflict restarts a transaction.
enum class ConflictKind : std::uint8_t {
  Lazy,  ///< at a commit, which restarts conflicting transactions
  /// At an access: a transaction restarts if it accesses a cell that another transaction has written, or writes a cell
  /// that another transaction has read.
  Eager,
};

/// Returns "sc" or "gpu".
std::string_view to_string(MemoryKind kind);
/// Returns "random", "rr", "pct" or "exhaustive".
std::string_view to_string(ScheduleKind kind);
/// Returns "independent" or "lockstep".
std::string_view to_string(WarpKind kind);
std::optional<MemoryKind> memory_from_string(std::string_view name);
std::optional<ScheduleKind> schedule_from_string(std::string_view name);
std::optional<WarpKind> warps_from_string(std::string_view name);

/// Options for the runs of a program. Equal options give equal results.
struct Options {
  MemoryKind memory = MemoryKind::Gpu;
  ScheduleKind schedule = ScheduleKind::Random;
  WarpKind warps = WarpKind::Independent;
  ConflictKind conflicts = ConflictKind::Lazy;
  std::uint64_t seed = 1;
  std::uint64_t runs = 1000;               ///< number of runs (Random, RoundRobin, Pct)
  std::uint64_t max_runs = 100000;         ///< Exhaustive: limit on schedules, including incomplete ones
  std::uint64_t max_states = 2000000;      ///< Exhaustive without `on_run`: limit on the number of distinct states
  std::uint64_t max_steps = 10000;         ///< limit on the steps of one run
  unsigned change_points = 3;              ///< Pct: number of priority changes; d - 1 for bugs of depth d
  unsigned blocks_per_multiprocessor = 1;  ///< Gpu: blocks that share an L1
  unsigned store_buffer = 4;               ///< Gpu: entries of a thread's store buffer; 0 for no buffer
  bool warm_caches = true;                 ///< Gpu: the L1s hold the initial values at the start
};

}  // namespace ambit::sim
