// The parameters and buffers of one launch of a kernel. The host compiles this file, and NVRTC compiles its text; hence
// the plain types.
#pragma once

namespace ambit_kernel {

/// The number of multipliers for the permutation of locations; further cells reuse them in turn.
constexpr unsigned kMultipliers = 8;

struct Parameters {
  unsigned long long seed;
  unsigned rounds;            ///< in this launch
  unsigned groups;            ///< copies of the test's whole scope tree that run at a time
  unsigned batch;             ///< instances that a thread runs one after the other in a round
  unsigned warp_groups;       ///< copies of the test's warps in a block
  unsigned slots;             ///< instances whose part a block plays at the same time
  unsigned is_reset;          ///< not 0: all cells hold their initial values when the launch begins
  unsigned slot_mask;         ///< a power of two, at least the number of instances of a round, less one
  unsigned stride;            ///< bytes from one instance's copy of a cell to the next
  unsigned long long region;  ///< bytes from one cell's copies to those of the next cell
  unsigned location_multiplier[kMultipliers];  ///< odd: i -> i*m & slot_mask is a bijection
  unsigned slot_multiplier[kMultipliers];      ///< coprime to the slots of a block
  unsigned group_multiplier[kMultipliers];     ///< coprime to `groups`
  unsigned max_steps;                          ///< backward jumps of one thread before its run is given up
  unsigned alignment_spins;     ///< longest wait, in polls, for the other blocks of a group to start; 0: none
  unsigned shuffle_percent;     ///< share of the rounds in which groups are not neighbouring blocks
  unsigned scatter_percent;     ///< share of the rounds in which the lanes of a warp belong to different groups
  unsigned preload_percent;     ///< share of the rounds in which a thread reads its cells beforehand
  unsigned pre_stress_percent;  ///< share of the rounds in which testing threads stress memory beforehand
  unsigned pre_stress_iterations;
  unsigned pre_stress_pattern;  ///< 0 store-store, 1 store-load, 2 load-store, 3 load-load
  unsigned stress_percent;      ///< share of the rounds in which the other blocks stress memory
  unsigned stress_iterations;
  unsigned stress_pattern;
  unsigned stress_lines;  ///< lines of the scratchpad that the stress accesses
  unsigned stress_line_bytes;
  unsigned delay_ticks;           ///< longest random delay of a warp before its test, in clock ticks
  unsigned long long alias_span;  ///< bytes from one virtual address of all cells to the next, where a test has aliases
  unsigned keep;                  ///< 0, but opaque to the compiler: it cannot remove code that depends on it
  unsigned gpu;                   ///< the place of this grid's GPU among the GPUs of the test
  unsigned first_cluster;         ///< of the test's clusters on this GPU
  unsigned clusters;              ///< of the test on this GPU
  unsigned first_block;           ///< the number of this grid's first block among the blocks of all grids
  unsigned blocks;                ///< of all grids
};

/// One access or fence of a recorded run.
struct LogEntry {
  unsigned ticket;       ///< taken before it from one counter of the device
  unsigned instruction;  ///< of its thread
  long long value;       ///< read; 0 for a store, a reduction and a fence
};

/// The buffers of a kernel with a detector inside.
struct Detection {
  char* memory;                ///< the detector's state for all instances (detectors/memory.h); 0 at the start
  unsigned long long* turns;   ///< by instance, 0 at the start: lower half finished turns, upper half requested turns
  unsigned long long* races;   ///< kRaceTableSize, 0: free (detectors/events.h: Race)
  unsigned long long* counts;  ///< kRaceTableSize: instances in which the race was reported
  /// Instances: [0] without a verdict, [1] with a race, [3] that do not count; [2] reports without a place.
  unsigned long long* totals;
};

struct Buffers {
  char* cells;        ///< of all GPUs
  char* results;      ///< 8 * instances bytes for each observable
  unsigned* flags;    ///< by instance: kDropped ...
  char* tensor_maps;  ///< by map of the test and place of a copy of its array: 128 bytes
  unsigned* scratchpad;
  unsigned* grid_barrier;      ///< arrivals of blocks; 0 at launch
  unsigned* alignment;         ///< by group: arrivals of blocks; 0 at launch
  unsigned long long* keys;    ///< kTableSize, 0: free
  unsigned long long* counts;  ///< kTableSize
  long long* values;           ///< kTableSize outcome tuples: the observables, then the flags
  LogEntry* log;               ///< of a recording kernel: by entry, thread of the test, instance
  unsigned* log_lengths;       ///< by thread and instance; kNoLog: the log does not hold the run
  unsigned* tickets;           ///< the counter
  unsigned long long* totals;  ///< [0] rounds done, [1] instances without a place in the table
  Detection detection;
};

/// Length of the log of a run that was given up.
constexpr unsigned kNoLog = 0xffffffffU;

/// Places in the device's table of outcomes.
constexpr unsigned kTableSize = 128;

/// Places in the device's table of races.
constexpr unsigned kRaceTableSize = 1024;

/// Flags of an instance.
constexpr unsigned kDropped = 1;      ///< an assume() was not met
constexpr unsigned kAsserted = 2;     ///< an assert() failed
constexpr unsigned kOutOfBounds = 4;  ///< an access was out of bounds and did not take place
constexpr unsigned kStepBound = 8;    ///< max_steps was reached

}  // namespace ambit_kernel
