// The parameters and buffers of one launch of a kernel. Both the host's compiler and NVRTC compile this file, so its
// types are simple.
#pragma once

namespace ambit_kernel {

/// The number of multipliers that permute copies of cells. If there are more cells, they share multipliers.
constexpr unsigned kMultipliers = 8;

struct Parameters {
  unsigned long long seed;
  unsigned rounds;            ///< number of rounds in this launch
  unsigned groups;            ///< number of copies of the test's whole scope tree that run concurrently
  unsigned batch;             ///< number of instances that a thread runs one after the other in a round
  unsigned warp_groups;       ///< number of copies of the test's warps in a block
  unsigned slots;             ///< number of instances in which a block takes part at the same time
  unsigned is_reset;          ///< nonzero if all cells have their initial values at the launch
  unsigned slot_mask;         ///< a power of two minus 1; at least the number of instances of a round minus 1
  unsigned stride;            ///< distance in bytes between two adjacent copies of a cell
  unsigned long long region;  ///< distance in bytes between the regions of two adjacent cells
  unsigned location_multiplier[kMultipliers];  ///< odd numbers m, so that i -> i*m & slot_mask is a bijection
  unsigned slot_multiplier[kMultipliers];      ///< numbers coprime to the number of slots in a block
  unsigned group_multiplier[kMultipliers];     ///< numbers coprime to `groups`
  unsigned max_steps;                          ///< limit on a thread's backward jumps; beyond it, the run ends
  unsigned alignment_spins;                    ///< maximum polls until the other blocks of a group start; 0: no wait
  unsigned shuffle_percent;                    ///< percentage of rounds in which a group's blocks are not adjacent
  unsigned scatter_percent;     ///< percentage of rounds in which the lanes of a warp belong to different groups
  unsigned preload_percent;     ///< percentage of rounds in which a thread reads its cells before the test
  unsigned pre_stress_percent;  ///< percentage of rounds in which testing threads stress memory before the test
  unsigned pre_stress_iterations;
  unsigned pre_stress_pattern;  ///< 0 store-store, 1 store-load, 2 load-store, 3 load-load
  unsigned stress_percent;      ///< percentage of rounds in which blocks without a test stress memory
  unsigned stress_iterations;
  unsigned stress_pattern;
  unsigned stress_lines;  ///< number of scratchpad lines that the stress accesses
  unsigned stress_line_bytes;
  unsigned delay_ticks;           ///< longest random delay of a warp before its test, in clock ticks
  unsigned long long alias_span;  ///< with aliases: bytes between two virtual mappings of all cells
  unsigned keep;           ///< always 0; the compiler does not know the value, so it keeps code that depends on it
  unsigned gpu;            ///< index of this grid's GPU among the GPUs of the test
  unsigned first_cluster;  ///< index of the first of the test's clusters on this GPU
  unsigned clusters;       ///< number of the test's clusters on this GPU
  unsigned first_block;    ///< index of this grid's first block among the blocks of all grids
  unsigned blocks;         ///< number of blocks of all grids
};

/// One access or fence of a recorded run.
struct LogEntry {
  unsigned ticket;       ///< value of a device-wide counter, which the thread incremented before the access
  unsigned instruction;  ///< index of the instruction in its thread
  long long value;       ///< value that the access read; 0 for a store, a reduction or a fence
};

/// The buffers of a kernel that contains a detector.
struct Detection {
  char* memory;  ///< the detector's state for all instances (detectors/memory.h); 0 at the start
  /// For each instance: the number of finished turns (lower half) and of requested turns (upper half). 0 at the
  /// start.
  unsigned long long* turns;
  unsigned long long* races;   ///< kRaceTableSize entries of type Race (detectors/events.h); 0 in a free entry
  unsigned long long* counts;  ///< kRaceTableSize entries: the number of instances that reported the race
  /// Numbers of instances: [0] without a verdict, [1] with a race, [3] left out. [2] is the number of reports that were
  /// lost because the table of races was full.
  unsigned long long* totals;
};

struct Buffers {
  char* cells;        ///< the cells that all GPUs share
  char* results;      ///< 8 bytes for each instance and observable
  unsigned* flags;    ///< for each instance, its flags (kDropped, ...)
  char* tensor_maps;  ///< 128 bytes for each copy of the array of each of the test's maps
  unsigned* scratchpad;
  unsigned* grid_barrier;      ///< number of arrived blocks; 0 at the start of the launch
  unsigned* alignment;         ///< for each group, the number of arrived blocks; 0 at the start
  unsigned long long* keys;    ///< kTableSize keys of outcomes; 0 in a free entry
  unsigned long long* counts;  ///< kTableSize entries
  long long* values;           ///< kTableSize outcomes: the observables, then the flags
  LogEntry* log;               ///< log of a recording kernel, indexed by entry, thread of the test, instance
  unsigned* log_lengths;       ///< indexed by thread, instance; kNoLog if the log was too short
  unsigned* tickets;           ///< the counter for LogEntry::ticket
  unsigned long long* totals;  ///< [0] finished rounds, [1] instances that found the table full
  Detection detection;
};

/// The log length that denotes a run without a usable log.
constexpr unsigned kNoLog = 0xffffffffU;

/// The number of entries in the device's table of outcomes.
constexpr unsigned kTableSize = 128;

/// The number of entries in the device's table of races.
constexpr unsigned kRaceTableSize = 1024;

/// Flags of an instance.
constexpr unsigned kDropped = 1;      ///< an assume() was not met
constexpr unsigned kAsserted = 2;     ///< an assert() failed
constexpr unsigned kOutOfBounds = 4;  ///< an access was out of bounds and was not performed
constexpr unsigned kStepBound = 8;    ///< a thread reached max_steps

}  // namespace ambit_kernel
