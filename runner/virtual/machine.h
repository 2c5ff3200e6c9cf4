#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/context.h"
#include "runner/virtual/block.h"
#include "runner/virtual/launch.h"
#include "runner/virtual/memory.h"
#include "runner/virtual/scheduler.h"
#include "runner/virtual/stall_watch.h"

namespace ambit::virtual_gpu {

class Footprint;

/// The objects that a Machine uses. All objects must outlive the machine.
struct MachineParts {
  Memory& memory;
  const ExecutionOptions& options;
  Observer* observer = nullptr;
  KernelCode& code;
  const Launch& launch;
  const LaunchInfo& info;
  Context& context;
  std::uint64_t& generation;  ///< a number that increases whenever allocations change
  std::uint64_t& heap_in_use;
  std::uint64_t grid_workspace = 0;  ///< address of a cooperative launch's 8-byte grid barrier; otherwise 0
  /// The accesses of this host thread, if several threads execute the launch (spread.h). Null for a single thread.
  Footprint* footprint = nullptr;
};

/// Executes one launch. Instructions call the functions that follow `run`.
class Machine {
 public:
  explicit Machine(const MachineParts& parts);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine();

  LaunchReport run();

  Memory& memory() { return parts_.memory; }
  const ExecutionOptions& options() const { return parts_.options; }
  const Launch& launch() const { return parts_.launch; }
  const LaunchInfo& info() const { return parts_.info; }
  KernelCode& code() { return parts_.code; }
  Scheduler& scheduler() { return scheduler_; }
  Observer* observer() const { return parts_.observer; }
  bool wants_values() const { return wants_values_; }
  std::uint64_t generation() const { return parts_.generation; }
  void allocations_changed() { ++parts_.generation; }
  std::uint64_t& heap_in_use() { return parts_.heap_in_use; }
  std::uint32_t shared_bytes() const { return parts_.info.shared_bytes; }
  std::uint64_t local_bytes() const { return local_bytes_; }
  std::uint64_t grid_workspace() const { return parts_.grid_workspace; }
  /// Returns the number of warp instructions so far. Kernels read the number as the clock.
  std::uint64_t steps() const { return report_.statistics.warp_instructions; }
  bool has_ended() const { return end_.has_value(); }
  Footprint& footprint() { return *parts_.footprint; }
  /// Stops a launch on several host threads. Called at an instruction that requires a single thread.
  void give_up() { end_ = LaunchEnd::Interrupted; }

  /// Must be called when a value in memory changes, or when another event happens that a polling thread may observe.
  void note_change() { stalls_.changed(); }
  /// Returns the number of changes so far.
  std::uint64_t changes() const { return stalls_.changes(); }
  /// Counts a memory instruction of a warp.
  void count_access(Warp& warp) {
    if (++report_.statistics.accesses >= next_change_) must_change(warp);
  }
  /// Records a finding. Repeated findings of the same kind, site and allocation only increase the finding's count.
  void add_finding(const Finding& finding);
  /// Records a finding and ends the launch.
  void fault(Warp& warp, LaunchEnd end, const Finding& finding);
  /// Returns a finding about `lane`, with its thread and site filled in.
  static Finding finding(const Warp& warp, const Instruction& instruction, unsigned lane, FindingKind kind);

  /// Makes a frame for a function and fills in its constants. No lane has entered the frame yet.
  Frame* make_frame(FunctionCode& function, Warp& warp, Frame* parent);
  void drop_frame(Frame* frame);
  /// Returns the local memory of the warp's lanes: local_bytes() bytes for each lane.
  std::uint8_t* local_memory(Warp& warp);

  /// Ends the given lanes of the running group.
  void exit_lanes(Warp& warp, std::uint32_t lanes);
  /// Releases the barriers at which all threads have arrived.
  void complete_barriers(Block& block);
  void complete_cluster_barrier(Cluster& cluster);
  void print(const std::string& text);

 private:
  bool start_blocks();
  bool has_block();
  void start_block(std::uint32_t number);
  void start_cluster();
  void end_block(Block& block);
  void run_turn(Warp& warp);
  std::uint32_t execute(Warp& warp, std::uint32_t limit);
  void must_change(Warp& warp);
  void stop(LaunchEnd end);
  void report_deadlock();
  void collect_bank_conflicts();
  bool is_over_limit();
  /// Called at the end of the turn of `warp`. Returns whether all running threads poll memory that no running thread
  /// changes.
  bool is_stalled(const Warp& warp);
  void report_stall();
  std::vector<UnfinishedThreads> unfinished_threads() const;

  MachineParts parts_;
  Scheduler scheduler_;
  StallWatch stalls_;
  LaunchReport report_;
  std::optional<LaunchEnd> end_;
  bool wants_values_ = false;
  bool must_yield_ = false;
  std::uint64_t turn_steps_ = 0;  ///< instructions of the last turn
  std::uint64_t next_change_ = 0;
  std::uint64_t local_bytes_ = 0;
  std::uint32_t threads_of_block_ = 0;
  std::uint32_t resident_limit_ = 1;  ///< limit on the number of resident blocks
  std::uint64_t next_block_ = 0;
  /// The number after the last block that this thread executes. If several host threads execute the launch, a thread
  /// executes the blocks that it has taken, otherwise all blocks of the grid.
  std::uint64_t end_block_ = 0;
  std::uint64_t block_begin_ = 0;               ///< value of steps() when the last block started
  std::vector<std::unique_ptr<Block>> blocks_;  ///< resident blocks
  std::vector<std::unique_ptr<Block>> spare_blocks_;
  std::vector<std::unique_ptr<Cluster>> clusters_;
  std::vector<std::vector<Frame*>> spare_frames_;  ///< unused frames, indexed by FunctionCode::index
  std::vector<Frame*> frames_;                     ///< all frames, for the destructor
  std::map<std::tuple<FindingKind, std::uint32_t, std::uint32_t>, std::size_t> known_findings_;
};

}  // namespace ambit::virtual_gpu
