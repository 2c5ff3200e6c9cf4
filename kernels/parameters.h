// The parameters and buffers of one launch of a kernel. Both the host's compiler and NVRTC compile this file, so its
// types are plain.
#pragma once

namespace ambit_kernel {

/// The number of multipliers that permute copies of cells. If there are more cells, they share multipliers.
constexpr unsigned kMultipliers = 8;

struct Parameters {
  unsigned long long seed;
  unsigned rounds;            ///< rounds in this launch
  unsigned groups;            ///< number of copies of the test's whole scope tree that run concurrently
  unsigned batch;             ///< number of instances that a thread runs one after the other in a round
  unsigned warp_groups;       ///< number of copies of the test's warps in a block
  unsigned slots;             ///< number of instances in which a block takes part at the same time
  unsigned is_reset;          ///< not 0 if all cells already have their initial values at the launch
  unsigned slot_mask;         ///< a power of two minus 1; the power is at least the number of instances of a round
  unsigned stride;            ///< bytes from a cell's copy in one instance to the copy in the next
  unsigned long long region;  ///< bytes from the copies of one cell to the copies of the next cell
  unsigned location_multiplier[kMultipliers];  ///< odd: i -> i*m & slot_mask is a bijection
  unsigned slot_multiplier[kMultipliers];      ///< coprime to the number of slots of a block
  unsigned group_multiplier[kMultipliers];     ///< coprime to `groups`
  unsigned max_steps;                          ///< limit on a thread's backward jumps; beyond it, the run is given up
  unsigned alignment_spins;     ///< longest wait, in polls, for the start of the other blocks of a group; 0 for no wait
  unsigned shuffle_percent;     ///< share of the rounds in which a group's blocks are not adjacent
  unsigned scatter_percent;     ///< share of the rounds in which the lanes of a warp belong to different groups
  unsigned preload_percent;     ///< share of the rounds in which a thread reads its cells before the test
  unsigned pre_stress_percent;  ///< share of the rounds in which testing threads stress memory before the test
  unsigned pre_stress_iterations;
  unsigned pre_stress_pattern;  ///< 0 store-store, 1 store-load, 2 load-store, 3 load-load
  unsigned stress_percent;      ///< share of the rounds in which blocks that run no test stress memory
  unsigned stress_iterations;
  unsigned stress_pattern;
  unsigned stress_lines;  ///< number of scratchpad lines that the stress accesses
  unsigned stress_line_bytes;
  unsigned delay_ticks;           ///< longest random delay of a warp before its test, in clock ticks
  unsigned long long alias_span;  ///< if the test has aliases: bytes from one virtual mapping of all cells to the next
  unsigned keep;           ///< always 0; the compiler does not know this and cannot remove code that depends on it
  unsigned gpu;            ///< index of this grid's GPU among the GPUs of the test
  unsigned first_cluster;  ///< index of the first of the test's clusters on this GPU
  unsigned clusters;       ///< number of the test's clusters on this GPU
  unsigned first_block;    ///< number of this grid's first block among the blocks of all grids
  unsigned blocks;         ///< number of blocks of all grids
};

/// One access or fence of a recorded run.
struct LogEntry {
  unsigned ticket;       ///< value of a device-wide counter; the thread increments the counter before the access
  unsigned instruction;  ///< number of the instruction in its thread
  long long value;       ///< value that the access read; 0 for a store, a reduction or a fence
};

/// The buffers of a kernel that contains a detector.
struct Detection {
  char* memory;  ///< the detector's state for all instances (detectors/memory.h); 0 at the start
  /// For each instance: the lower half is the number of finished turns, the upper half the number of requested turns. 0
  /// at the start.
  unsigned long long* turns;
  unsigned long long* races;   ///< kRaceTableSize entries of type Race (detectors/events.h); 0 means free
  unsigned long long* counts;  ///< kRaceTableSize entries: the number of instances in which the race was reported
  /// Numbers of instances: [0] without a verdict, [1] with a race, [3] left out. [2] is the number of reports that
  /// found no free place in the table of races.
  unsigned long long* totals;
};

struct Buffers {
  char* cells;        ///< cells of all GPUs
  char* results;      ///< 8 bytes for each instance and observable
  unsigned* flags;    ///< for each instance, kDropped and the other flags
  char* tensor_maps;  ///< 128 bytes for each map of the test and each copy of the map's array
  unsigned* scratchpad;
  unsigned* grid_barrier;      ///< arrivals of blocks; 0 at the start of the launch
  unsigned* alignment;         ///< for each group, arrivals of blocks; 0 at the start of the launch
  unsigned long long* keys;    ///< kTableSize entries; 0 means free
  unsigned long long* counts;  ///< kTableSize entries
  long long* values;           ///< kTableSize outcomes: the observables, then the flags
  LogEntry* log;               ///< log of a recording kernel; indices: entry, thread of the test, instance
  unsigned* log_lengths;       ///< indices: thread, instance; kNoLog if the log cannot hold the run
  unsigned* tickets;           ///< the counter that LogEntry::ticket is taken from
  unsigned long long* totals;  ///< [0] finished rounds, [1] instances without a place in the table
  Detection detection;
};

/// The length of the log of a run that was given up.
constexpr unsigned kNoLog = 0xffffffffU;

/// The number of places in the device's table of outcomes.
constexpr unsigned kTableSize = 128;

/// The number of places in the device's table of races.
constexpr unsigned kRaceTableSize = 1024;

/// Flags of an instance.
constexpr unsigned kDropped = 1;      ///< an assume() was not met
constexpr unsigned kAsserted = 2;     ///< an assert() failed
constexpr unsigned kOutOfBounds = 4;  ///< an access was out of bounds and was not performed
constexpr unsigned kStepBound = 8;    ///< a thread reached max_steps

}  // namespace ambit_kernel
