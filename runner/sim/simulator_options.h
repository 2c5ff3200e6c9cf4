#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ambit::sim {

/// The simulated memory.
enum class MemoryKind : std::uint8_t {
  Sc,   ///< one memory, every access takes effect at once
  Gpu,  ///< store buffers, an L1 a multiprocessor, an L2 a gpu, system memory (docs/simulator.md)
};

enum class ScheduleKind : std::uint8_t {
  Random,      ///< any thread that can take a step, uniformly
  RoundRobin,  ///< each in turn
  Pct,         ///< the highest priority, with a few random changes (Burckhardt et al., ASPLOS 2010)
  Exhaustive,  ///< all schedules
};

/// How the lanes of one warp execute.
enum class WarpKind : std::uint8_t {
  Independent,  ///< each on its own (Volta and later)
  Lockstep,     ///< together, with a reconvergence stack (before Volta)
};

/// When a conflict restarts a transaction.
enum class ConflictKind : std::uint8_t {
  Lazy,   ///< at a commit: it restarts the others
  Eager,  ///< at the access: a transaction restarts if it accesses a cell that another has written, or writes one that
          ///< another has read
};

/// "sc", "gpu".
std::string_view to_string(MemoryKind kind);
/// "random", "rr", "pct", "exhaustive".
std::string_view to_string(ScheduleKind kind);
/// "independent", "lockstep".
std::string_view to_string(WarpKind kind);
std::optional<MemoryKind> memory_from_string(std::string_view name);
std::optional<ScheduleKind> schedule_from_string(std::string_view name);
std::optional<WarpKind> warps_from_string(std::string_view name);

/// How to run a program. Equal options give equal results.
struct Options {
  MemoryKind memory = MemoryKind::Gpu;
  ScheduleKind schedule = ScheduleKind::Random;
  WarpKind warps = WarpKind::Independent;
  ConflictKind conflicts = ConflictKind::Lazy;
  std::uint64_t seed = 1;
  std::uint64_t runs = 1000;               ///< Random, RoundRobin, Pct
  std::uint64_t max_runs = 100000;         ///< Exhaustive: the most complete or cut schedules
  std::uint64_t max_states = 2000000;      ///< Exhaustive without `on_run`: the most distinct states
  std::uint64_t max_steps = 10000;         ///< of one run
  unsigned change_points = 3;              ///< Pct: d - 1 changes of priority for bugs of depth d
  unsigned blocks_per_multiprocessor = 1;  ///< Gpu: blocks that share an L1
  unsigned store_buffer = 4;               ///< Gpu: entries a thread; 0: stores take effect in the cache at once
  bool warm_caches = true;                 ///< Gpu: the L1s hold the initial values at the start
};

}  // namespace ambit::sim
