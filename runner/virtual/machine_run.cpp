#include "runner/virtual/machine.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include "runner/virtual/async_copies.h"
#include "runner/virtual/control.h"
#include "runner/virtual/exchange.h"
#include "runner/virtual/groups.h"
#include "runner/virtual/memory_operations.h"
#include "runner/virtual/occupancy.h"
#include "runner/virtual/special_registers.h"
#include "runner/virtual/spread.h"

namespace ambit::virtual_gpu {
namespace {

/// Limit on the number of different findings. Further findings are dropped.
constexpr std::size_t kMaximumFindings = 1000;

/// Number of warp instructions without a change after which StallWatch compares states. The number is large, because a
/// stale copy is read some hundred times before it is fetched again.
constexpr std::uint64_t kQuietSteps = std::uint64_t{1} << 20U;

/// Only for launches on several host threads: limit on the warp instructions of a block. If a block exceeds the limit,
/// the launch gives up, because the block may wait for another block that cannot run.
constexpr std::uint64_t kMostStepsOfBlock = std::uint64_t{1} << 28U;

/// Fills the first `used` bytes of each lane's local memory with kFreshByte. Uses a loop, which is faster than a
/// function call per lane, because there are few bytes.
void clear_local(std::uint8_t* local, std::uint64_t bytes_of_lane, std::uint64_t used) {
  constexpr std::uint64_t kStep = 16;  // the bytes of a lane are a multiple of this number
  for (unsigned lane = 0; lane < kLanes; ++lane, local += bytes_of_lane) {
    std::uint8_t* const end = local + used;
    for (std::uint8_t* at = local; at < end; at += kStep) std::memset(at, kFreshByte, kStep);
  }
}

std::uint32_t warps_for(std::uint32_t threads) { return (threads + kLanes - 1) / kLanes; }

}  // namespace

Machine::Machine(const MachineParts& parts)
    : parts_(parts),
      scheduler_(parts.options.schedule, parts.launch.is_cooperative),
      stalls_(parts.options.memory == MemoryMode::Gpu ? 64 * kQuietSteps : kQuietSteps) {
  wants_values_ = parts.observer != nullptr && parts.observer->wants_values();
  next_change_ = scheduler_.next_change();
  threads_of_block_ = static_cast<std::uint32_t>(parts.launch.block.count());
  local_bytes_ = (parts.code.local_bytes + parts.options.stack_bytes + 15) / 16 * 16;
  spare_frames_.resize(parts.code.functions.size());
  const auto cluster = static_cast<std::uint32_t>(parts.info.cluster.count());
  const std::uint64_t most =
      blocks_of_device(parts.options.resident_threads, threads_of_block_, parts.info.shared_bytes);
  resident_limit_ = std::max({cluster, 1U, static_cast<std::uint32_t>(most)});
  end_block_ = parts.launch.grid.count();
  if (parts.footprint == nullptr) return;
  resident_limit_ = 1;
  end_block_ = 0;
}

Machine::~Machine() {
  for (Frame* frame : frames_) std::free(frame);
}

LaunchReport Machine::run() {
  const auto begin = std::chrono::steady_clock::now();
  start_blocks();
  while (!end_ && !blocks_.empty()) {
    Warp* warp = scheduler_.pick();
    if (start_blocks()) continue;
    if (warp == nullptr) {
      report_deadlock();
      break;
    }
    run_turn(*warp);
  }
  for (const auto& block : blocks_) block->copies.drop_all(memory());
  if (options().counts_bank_conflicts) collect_bank_conflicts();
  report_.end = end_.value_or(LaunchEnd::Completed);
  report_.statistics.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return std::move(report_);
}

void Machine::collect_bank_conflicts() {
  for (const auto& function : parts_.code.functions) {
    for (const Instruction& instruction : function->instructions) {
      if (instruction.extra >= function->memory.size()) continue;
      MemoryOperation& operation = function->memory[instruction.extra];
      if (operation.site != instruction.site || operation.bank_accesses == 0) continue;
      report_.bank_conflicts.push_back({instruction.site, operation.bank_accesses, operation.bank_passes});
      operation.bank_accesses = 0;
      operation.bank_passes = 0;
    }
  }
}

bool Machine::has_block() {
  if (next_block_ < end_block_) return true;
  return parts_.footprint != nullptr && footprint().take(next_block_, end_block_);
}

/// Starts blocks as long as the device can hold them and the scheduler wants more. Returns false if no block was
/// started.
bool Machine::start_blocks() {
  const std::uint64_t together = parts_.info.cluster.count();
  bool has_started = false;
  while (blocks_.size() + together <= resident_limit_ && scheduler_.wants_block() && has_block()) {
    has_started = true;
    if (together > 1 || parts_.code.uses_clusters) {
      start_cluster();
    } else {
      start_block(static_cast<std::uint32_t>(next_block_++));
    }
    scheduler_.block_started();
  }
  return has_started;
}

/// Starts the blocks of a cluster. The blocks of a cluster are adjacent in all three dimensions of the grid.
void Machine::start_cluster() {
  const Extent& grid = parts_.launch.grid;
  const Extent& size = parts_.info.cluster;
  const std::uint64_t number = next_block_ / size.count();
  const std::uint64_t row = grid.x / size.x;
  const std::uint64_t column = grid.y / size.y;
  const std::uint64_t x = number % row * size.x;
  const std::uint64_t y = number / row % column * size.y;
  const std::uint64_t z = number / row / column * size.z;
  clusters_.push_back(std::make_unique<Cluster>());
  Cluster& cluster = *clusters_.back();
  cluster.first_block = static_cast<std::uint32_t>((z * grid.y + y) * grid.x + x);
  cluster.phase = 1;  // 0 in Warp::cluster_phases means that the lane has not arrived
  for (std::uint32_t rank = 0; rank < size.count(); ++rank) {
    const std::uint64_t in_x = x + rank % size.x;
    const std::uint64_t in_y = y + rank / size.x % size.y;
    const std::uint64_t in_z = z + rank / size.x / size.y;
    start_block(static_cast<std::uint32_t>((in_z * grid.y + in_y) * grid.x + in_x));
    blocks_.back()->cluster = &cluster;
    blocks_.back()->rank = rank;
    cluster.blocks.push_back(blocks_.back().get());
  }
  next_block_ += size.count();
}

void Machine::start_block(std::uint32_t number) {
  std::unique_ptr<Block> block;
  if (spare_blocks_.empty()) {
    block = std::make_unique<Block>();
    for (std::uint32_t i = 0; i < warps_for(threads_of_block_); ++i) {
      block->warps.push_back(std::make_unique<Warp>());
    }
  } else {
    block = std::move(spare_blocks_.back());
    spare_blocks_.pop_back();
  }
  const Extent& grid = parts_.launch.grid;
  note_change();
  block_begin_ = steps();
  block->number = number;
  block->place = {number % grid.x, number / grid.x % grid.y, static_cast<std::uint32_t>(number / grid.x / grid.y)};
  block->cluster = nullptr;
  block->rank = 0;
  block->alive = threads_of_block_;
  block->barriers = {};
  block->has_ended = false;
  block->deferred.clear();
  const std::size_t bytes = shared_bytes() + (parts_.code.uses_reserved_shared ? kReservedShared : 0);
  const std::size_t padded = (bytes + 15) / 16 * 16;
  block->shared_bytes = static_cast<std::uint32_t>(bytes);
  block->shared.assign(padded, kFreshByte);
  if (options().checks_initialised) block->shared_stored.assign(padded / 8, 0);
  for (std::uint32_t i = 0; i < block->warps.size(); ++i) {
    Warp& warp = *block->warps[i];
    const std::uint32_t threads = std::min(threads_of_block_ - i * kLanes, kLanes);
    std::unique_ptr<std::uint8_t[]> local = std::move(warp.local);
    if (warp.local_used != 0) clear_local(local.get(), local_bytes_, warp.local_used);
    warp = Warp{};
    warp.local = std::move(local);
    warp.machine = this;
    warp.block = block.get();
    warp.number = i;
    warp.existing = threads == kLanes ? kAllLanes : (1U << threads) - 1;
    warp.alive = warp.existing;
    warp.active = warp.existing;
    FunctionCode& kernel = *parts_.code.functions[0];
    warp.running_frame = make_frame(kernel, warp, nullptr);
    warp.running_frame->lanes = warp.existing;
    warp.frame = warp.running_frame->data();
    warp.next = kernel.instructions.data();
  }
  blocks_.push_back(std::move(block));
  blocks_.back()->slot = static_cast<std::uint32_t>(blocks_.size()) - 1;
  scheduler_.add_block(*blocks_.back());
  if (observer() != nullptr) observer()->block_begin(number);
}

/// Ends a block. A block of a cluster stays resident until all blocks of the cluster have ended, because running blocks
/// may still access shared memory of ended blocks.
void Machine::end_block(Block& block) {
  if (observer() != nullptr) observer()->block_end(block.number);
  block.has_ended = true;
  if (!block.copies.is_empty()) block.copies.drop_all(memory());
  if (parts_.footprint != nullptr && !footprint().end_block()) give_up();
  std::vector<Block*> gone{&block};
  if (block.cluster != nullptr) {
    Cluster& cluster = *block.cluster;
    if (++cluster.ended_blocks < cluster.blocks.size()) return;
    gone = cluster.blocks;
    std::erase_if(clusters_, [&](const auto& other) { return other.get() == &cluster; });
  }
  for (Block* ended : gone) {
    scheduler_.remove_block(*ended);
    const std::uint32_t slot = ended->slot;
    spare_blocks_.push_back(std::move(blocks_[slot]));
    if (slot + 1 != blocks_.size()) {
      blocks_[slot] = std::move(blocks_.back());
      blocks_[slot]->slot = slot;
    }
    blocks_.pop_back();
  }
  start_blocks();
}

Frame* Machine::make_frame(FunctionCode& function, Warp& warp, Frame* parent) {
  std::vector<Frame*>& spare = spare_frames_[function.index];
  Frame* frame = nullptr;
  const bool is_fresh = spare.empty();
  if (is_fresh) {
    const std::size_t bytes = (sizeof(Frame) + function.frame_bytes + 63) / 64 * 64;
    void* place = std::aligned_alloc(64, bytes);
    if (place == nullptr) throw Stopped{UnknownReason::Memory};
    std::memset(place, kFreshByte, bytes);
    frame = new (place) Frame;
    frame->function = &function;
    frames_.push_back(frame);
  } else {
    frame = spare.back();
    spare.pop_back();
    for (const FrameRange& range : function.undefined) {
      std::memset(frame->data() + range.offset, kFreshByte, range.bytes);
    }
  }
  frame->parent = parent;
  frame->lanes = 0;
  frame->depth = parent == nullptr ? 0 : parent->depth + 1;
  frame->local_base = parent == nullptr ? 0 : parent->local_base + slot_stride(parent->function->local_bytes);
  fill_constants(*frame, warp, is_fresh);
  return frame;
}

void Machine::drop_frame(Frame* frame) { spare_frames_[frame->function->index].push_back(frame); }

std::uint8_t* Machine::local_memory(Warp& warp) {
  if (warp.local == nullptr) {
    warp.local = std::make_unique_for_overwrite<std::uint8_t[]>(local_bytes_ * kLanes);
    std::memset(warp.local.get(), kFreshByte, local_bytes_ * kLanes);
  }
  return warp.local.get();
}

void Machine::run_turn(Warp& warp) {
  std::uint32_t left = scheduler_.quantum();
  const std::uint64_t begin = steps();
  warp.polls_of_turn = 0;
  warp.repeats_poll = false;
  must_yield_ = false;
  bool has_polled = false;
  Block& block = *warp.block;
  while (left > 0 && !end_) {
    if ((warp.active == 0 || warp.is_interrupted || warp.next == warp.meet) && !choose_group(warp)) {
      scheduler_.remove(warp);
      break;
    }
    if (must_yield_) break;
    left -= execute(warp, left);
    has_polled = warp.polls_of_turn >= kPollsOfTurn || warp.repeats_poll;
    if (has_polled) break;
  }
  // Adds up the polls of several turns, because a short turn ends before the warp has polled kPollsOfTurn times.
  warp.polls_for_block += warp.repeats_poll ? kPollsOfTurn / 2 : warp.polls_of_turn;
  if (warp.polls_for_block >= kPollsOfTurn) {
    warp.polls_for_block = 0;
    scheduler_.note_polls();
  }
  if (!warp.has_runnable()) scheduler_.remove(warp);
  turn_steps_ = steps() - begin;
  scheduler_.end_turn(warp, warp.is_ready, has_polled);
  if (is_over_limit() || end_) return;
  if (is_stalled(warp)) return report_stall();
  if (block.alive == 0 && !block.has_ended) end_block(block);
}

/// Executes at most `limit` instructions of the running lanes; stops early if the lanes are interrupted. Returns the
/// number of executed instructions, at least 1.
std::uint32_t Machine::execute(Warp& warp, std::uint32_t limit) {
  const std::uint32_t lanes = warp.active;
  const Instruction* at = warp.next;
  std::uint32_t left = limit;
  do {
    const Instruction& instruction = *at;
    std::uint32_t guard = 0;
    std::memcpy(&guard, warp.frame + instruction.guard, sizeof guard);
    warp.mask = lanes & (guard ^ instruction.invert);
    warp.next = at + 1;
    if (warp.mask != 0) instruction.execute(warp, instruction);
    at = warp.next;
    --left;
  } while (left != 0 && !warp.is_interrupted && at != warp.meet);
  const std::uint32_t done = limit - left;
  report_.statistics.warp_instructions += done;
  report_.statistics.lane_instructions += std::uint64_t{done} * static_cast<unsigned>(__builtin_popcount(lanes));
  return done;
}

void Machine::must_change(Warp& warp) {
  scheduler_.change_priority(warp);
  next_change_ = scheduler_.next_change();
  must_yield_ = true;
  warp.is_interrupted = true;
}

bool Machine::is_over_limit() {
  if (end_) return true;
  const std::uint64_t budget = options().step_budget;
  if (budget != 0 && steps() >= budget) {
    stop(LaunchEnd::StepBudget);
    return true;
  }
  if (parts_.footprint != nullptr && steps() - block_begin_ > kMostStepsOfBlock) {
    give_up();
    return true;
  }
  // A turn of a warp takes at most a few milliseconds. The argument of should_stop() is an estimate of the duration of
  // the turn in units of 0.1 microseconds.
  const auto reason = parts_.context.should_stop(1 + turn_steps_ / 2);
  if (!reason) return false;
  stop(*reason == UnknownReason::Interrupted ? LaunchEnd::Interrupted : LaunchEnd::Timeout);
  return true;
}

bool Machine::is_stalled(const Warp& warp) {
  if (parts_.footprint != nullptr || !warp.has_runnable() || !stalls_.repeats(warp, steps())) return false;
  // Blocks that are not resident may change the polled memory.
  const bool can_start = blocks_.size() + parts_.info.cluster.count() <= resident_limit_ && has_block();
  if (can_start) return false;
  for (const auto& block : blocks_) {
    for (const auto& one : block->warps) {
      if (one->has_runnable() && !stalls_.is_repeating(*one)) return false;
    }
  }
  return true;
}

void Machine::stop(LaunchEnd end) {
  end_ = end;
  report_.unfinished = unfinished_threads();
  const std::uint64_t waiting = parts_.launch.grid.count() - next_block_;
  const bool is_full = blocks_.size() + parts_.info.cluster.count() > resident_limit_;
  if (waiting == 0 || !is_full) return;
  UnfinishedThreads unstarted;
  unstarted.block = next_block_;
  unstarted.threads = static_cast<std::uint32_t>(std::min<std::uint64_t>(waiting * threads_of_block_, UINT32_MAX));
  unstarted.what =
      fmt::format("have not started: only {} blocks fit on the device, and none of them has ended", blocks_.size());
  report_.unfinished.push_back(unstarted);
}

void Machine::add_finding(const Finding& finding) {
  if (parts_.footprint != nullptr) return give_up();  // the order of the blocks determines which finding is first
  const auto key = std::make_tuple(finding.kind, finding.site, finding.allocation);
  const auto [known, is_new] = known_findings_.try_emplace(key, report_.findings.size());
  if (!is_new) {
    if (known->second < report_.findings.size()) report_.findings[known->second].count += finding.count;
    return;
  }
  if (report_.findings.size() < kMaximumFindings) report_.findings.push_back(finding);
}

void Machine::fault(Warp& warp, LaunchEnd end, const Finding& finding) {
  warp.is_interrupted = true;
  if (end_) return;
  end_ = end;
  report_.findings.push_back(finding);
}

Finding Machine::finding(const Warp& warp, const Instruction& instruction, unsigned lane, FindingKind kind) {
  Finding made;
  made.kind = kind;
  made.site = instruction.site;
  made.block = warp.block->number;
  made.thread = warp.number * kLanes + lane;
  return made;
}

void Machine::exit_lanes(Warp& warp, std::uint32_t lanes) {
  warp.mask = lanes;
  note_change();
  complete_copies(warp);
  for (Frame* frame = warp.running_frame; frame != nullptr;) {
    Frame* parent = frame->parent;
    frame->lanes &= ~lanes;
    if (frame->lanes == 0) drop_frame(frame);
    frame = parent;
  }
  warp.active &= ~lanes;
  warp.alive &= ~lanes;
  warp.is_interrupted = true;
  Block& block = *warp.block;
  block.alive -= static_cast<std::uint32_t>(__builtin_popcount(lanes));
  complete_exchanges(warp);
  complete_barriers(block);
  if (block.cluster == nullptr) return;
  // The barrier waits for lanes that have not exited, so the arrival of an exited lane must not count.
  for_each_lane(lanes, [&](unsigned lane) {
    if (warp.cluster_phases[lane] == block.cluster->phase) --block.cluster->arrived;
  });
  complete_cluster_barrier(*block.cluster);
}

void Machine::print(const std::string& text) {
  note_change();
  if (options().print) {
    options().print(text);
    return;
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace ambit::virtual_gpu
