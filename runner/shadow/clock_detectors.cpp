#include "runner/shadow/clock_detectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "runner/shadow/event_of_access.h"
#include "runner/shadow/race_numbers.h"

namespace ambit::shadow {

using detector::Action;
using virtual_gpu::AccessSpace;

namespace {

/// Visits the cells of the 32 consecutive words from `address` on, which a warp accesses.
template <typename Words, typename Visit>
void visit_run(Words& words, std::uint64_t address, const Visit& visit) {
  const auto in_page = static_cast<unsigned>(std::min<std::uint64_t>(128, 4096 - address % 4096));
  words.visit(address, in_page, false, visit);
  if (in_page < 128) words.visit(address + in_page, 128 - in_page, false, visit);
}

}  // namespace

bool ClockDetectors::has(const std::string& name) { return make_launch_checker(name) != nullptr; }

ClockDetectors::ClockDetectors(const std::vector<Choice>& choices, RaceSink& sink, std::size_t history_limit)
    : sink_(sink), choices_(choices) {
  for (const Choice& choice : choices_) {
    checkers_.push_back(make_launch_checker(choice.name));
    checkers_.back()->set_history_limit(history_limit);
  }
  // If a word is split into bytes, each byte of data becomes a location; the bytes of a lock remain one location.
  const auto separate = [this](void* cell) {
    auto& number = *static_cast<std::uint32_t*>(cell);
    if (number != 0 && !inference_->is_lock(number - 1)) number = 0;
  };
  locations_.on_copied = separate;
  shared_locations_.on_copied = separate;
}

ClockDetectors::~ClockDetectors() = default;

void ClockDetectors::begin_launch(const virtual_gpu::LaunchInfo& info) {
  tables_ = TraceTables();
  set_launch(tables_, info);
  threads_of_block_ = static_cast<std::uint32_t>(info.block.count());
  cluster_ = tables_.launch.cluster;
  blocks_.clear();
  last_state_ = nullptr;
  sites_.clear();
  places_.clear();
  locations_.begin_launch();
  shared_locations_.begin_launch();
  using detector::SyncInference;
  inference_.emplace(tables_, SyncInference::Depth::All, SyncInference::Rules::Ptx);
  inference_->join_flags();
  const LaunchView view{tables_,
                        *inference_,
                        places_,
                        [this](const WordPlace& place) { return location_of(place); },
                        [this](const WordPlace& place) { return is_lock(place); },
                        [this](const WordPlace& place) { return has_locks(place); }};
  for (const auto& one : checkers_) one->begin_launch(view);
}

void ClockDetectors::end_launch() {
  if (!inference_) return;
  apply(inference_->finish());
  for (std::size_t i = 0; i < checkers_.size(); ++i) {
    const std::uint64_t forgotten = checkers_[i]->forgotten();
    report(checkers_[i]->races(), choices_[i].number);
    if (forgotten == 0) continue;
    sink_.incomplete(
        fmt::format("{}: the history of accesses reached its memory limit and dropped {} accesses, so races with them "
                    "may be missing. A smaller input, --kernel or --sample needs less memory",
                    choices_[i].name, forgotten));
  }
  inference_.reset();
}

void ClockDetectors::report(const std::vector<RaceReport>& races, std::uint32_t number) {
  report_races(races, number, sink_,
               {[&](std::uint32_t thread) -> std::pair<std::uint32_t, std::uint32_t> {
                  const TraceThread& one = tables_.threads()[thread];
                  return {static_cast<std::uint32_t>(one.place.block), one.index_in_block};
                },
                [&](std::uint32_t site) { return sites_.instruction(site); },
                [&](std::uint32_t location) -> std::pair<AccessSpace, std::uint64_t> {
                  return {places_[location].space, places_[location].address};
                }});
}

// ---- locations and sites ----

ClockDetectors::BlockState& ClockDetectors::state_of(std::uint32_t block) {
  if (last_state_ != nullptr && block == last_block_) return *last_state_;
  BlockState& state = blocks_[block];
  if (state.warps.empty()) {
    const std::size_t warps = (threads_of_block_ + 31) / 32;
    state.warps.resize(warps);
    state.acted.resize(warps);
    state.exited.resize(warps);
    state.met.resize(warps);
  }
  last_block_ = block;
  last_state_ = &state;
  return state;
}

std::uint32_t ClockDetectors::lanes_of(std::uint32_t warp) const {
  const std::uint32_t threads = std::min(32U, threads_of_block_ - 32 * warp);
  return threads == 32 ? ~0U : (1U << threads) - 1;
}

std::uint32_t ClockDetectors::first_thread(BlockState& state, std::uint32_t block, std::uint32_t warp) {
  std::uint32_t& first = state.warps[warp];
  if (first == 0) {
    first = static_cast<std::uint32_t>(tables_.threads().size()) + 1;
    const auto count = static_cast<std::uint32_t>(std::popcount(lanes_of(warp)));
    for (std::uint32_t lane = 0; lane < count; ++lane) tables_.append_thread(0, block, 32 * warp + lane);
  }
  return first - 1;
}

std::uint32_t& ClockDetectors::number_at(const WordPlace& place) {
  std::uint32_t* number = nullptr;
  const auto take = [&](void* cell, std::uint64_t /*address*/) { number = static_cast<std::uint32_t*>(cell); };
  if (place.space == AccessSpace::Shared) {
    shared_locations_.of(place.block).visit(place.address, 4, true, take);
  } else {
    locations_.visit(place.address, 4, true, take);
  }
  return *number;
}

std::uint32_t ClockDetectors::add_place(const WordPlace& place) {
  detector::reserve_for(places_, places_.size() + 1);
  places_.push_back(place);
  return static_cast<std::uint32_t>(places_.size());
}

std::uint32_t ClockDetectors::location_of(const WordPlace& place) {
  std::uint32_t& number = number_at(place);
  if (number == 0) {
    number = add_place(place);
  }
  return number - 1;
}

bool ClockDetectors::is_lock(const WordPlace& place) {
  const std::uint32_t number = number_at(place);
  return number != 0 && inference_->is_lock(number - 1);
}

bool ClockDetectors::has_locks(const WordPlace& place) {
  bool has = false;
  const auto look = [&](const void* cell, std::uint64_t /*address*/) {
    const std::uint32_t number = *static_cast<const std::uint32_t*>(cell);
    has |= number != 0 && inference_->is_lock(number - 1);
  };
  const auto look_at_run = [&](auto& locations) {
    if (locations.is_expanded(place.address)) visit_run(locations, place.address, look);
  };
  if (place.space == AccessSpace::Shared) {
    look_at_run(shared_locations_.of(place.block));
  } else {
    look_at_run(locations_);
  }
  return has;
}

// ---- events ----

void ClockDetectors::apply(std::span<const Action> actions) {
  if (actions.empty()) return;
  for (const auto& one : checkers_) one->apply(actions);
}

template <typename Act>
void ClockDetectors::act_as_warp(const Act& act) {
  for (const auto& one : checkers_) one->set_acting_as_warp(true);
  act();
  for (const auto& one : checkers_) one->set_acting_as_warp(false);
}

void ClockDetectors::interpret(const TraceEvent& event) { apply(inference_->on_meaning(event)); }

void ClockDetectors::access(const virtual_gpu::WarpAccess& access) {
  if (access.is_constant) return;
  BlockState& state = state_of(access.block);
  const std::uint32_t first = first_thread(state, access.block, access.warp);
  state.note_action(access.warp, access.lanes);
  TraceEvent event = event_of(access);
  event.site = sites_.number(access.site, tables_);
  const bool is_plain = !event.is_update() && !inference_->is_atomic(event);
  if (access.bytes < 4) use_bytes(access);
  if (access.is_run() && !has_bytes(access) && (!is_plain || are_all_busy(first))) {
    act_as_warp([&] { access_run(access, first, event); });
    return;
  }
  const std::uint32_t only = is_plain ? inference_->access_only_lanes(first, access.lanes) : 0;
  if (only == access.lanes) return show_data(access, only, first, event.site);
  const bool is_relaxed = !is_plain && inference_->is_relaxed(event);
  if (is_relaxed) find_numbers(access, first);
  std::uint32_t data = 0;
  for (std::uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    if ((only >> lane & 1U) != 0 || (is_relaxed && takes_relaxed(access, lane, first + lane, event))) {
      data |= 1U << lane;
      continue;
    }
    show_data(access, std::exchange(data, 0), first, event.site);
    interpret_access(access, lane, first + lane, event);
  }
  show_data(access, data, first, event.site);
}

/// Makes the inference and the checkers use one cell per byte for the accessed words.
void ClockDetectors::use_bytes(const virtual_gpu::WarpAccess& access) {
  for (std::uint32_t lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
    const std::uint64_t address = access.addresses[std::countr_zero(lanes)];
    if (access.space == AccessSpace::Shared) {
      shared_locations_.of(access.target_block).use_bytes(address);
    } else {
      locations_.use_bytes(address);
    }
    for (const auto& one : checkers_) one->use_bytes({access.space, access.target_block, address});
  }
}

bool ClockDetectors::has_bytes(const virtual_gpu::WarpAccess& access) {
  if (access.space == AccessSpace::Shared)
    return shared_locations_.of(access.target_block).has_bytes(access.addresses[0]);
  return locations_.has_bytes(access.addresses[0]);
}

void ClockDetectors::show_data(const virtual_gpu::WarpAccess& access, std::uint32_t lanes, std::uint32_t first,
                               std::uint32_t site) {
  if (lanes == 0) return;
  for (const auto& one : checkers_) one->data(access, lanes, first, site);
}

bool ClockDetectors::are_all_busy(std::uint32_t first) const {
  for (std::uint32_t thread = first; thread < first + 32; ++thread) {
    if (!inference_->is_busy(thread)) return false;
  }
  return true;
}

/// Handles an access to 32 words that the inference may need. Looks up the locations of all words together.
void ClockDetectors::access_run(const virtual_gpu::WarpAccess& access, std::uint32_t first, TraceEvent& event) {
  locations_of_run(access);
  if (takes_relaxed_run(access, first, event)) return show_data(access, access.lanes, first, event.site);
  if (acts_as_one(access, first, event)) return;
  std::uint32_t data = 0;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    set_lane(event, access, lane);
    event.thread = first + lane;
    event.object = objects_[lane];
    event.value = WordValues(event, access, lane, true).next();
    if (inference_->takes_relaxed(event)) {
      data |= 1U << lane;
      continue;
    }
    show_data(access, std::exchange(data, 0), first, event.site);
    interpret(event);
  }
  show_data(access, data, first, event.site);
}

/// Finds the locations of the lanes whose relaxed accesses may be plain data accesses. Stores pointers to the numbers
/// of these locations in numbers_. The numbers and the locations' data are far apart in memory, so the function
/// prefetches both for all lanes at once.
void ClockDetectors::find_numbers(const virtual_gpu::WarpAccess& access, std::uint32_t first) {
  for (std::uint32_t lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
    numbers_[lane] = nullptr;
    if (!inference_->may_take_relaxed(first + lane)) continue;
    numbers_[lane] = &number_at({access.space, access.target_block, access.addresses[lane]});
    __builtin_prefetch(numbers_[lane]);
  }
  for (std::uint32_t lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
    const std::uint32_t* number = numbers_[static_cast<std::size_t>(std::countr_zero(lanes))];
    if (number != nullptr && *number != 0) inference_->fetch_location(*number - 1);
  }
}

/// If possible, treats a lane's relaxed access as a data access and returns true; otherwise, returns false. Must be
/// called after find_numbers().
bool ClockDetectors::takes_relaxed(const virtual_gpu::WarpAccess& access, std::uint32_t lane, std::uint32_t thread,
                                   TraceEvent& event) {
  if (numbers_[lane] == nullptr) return false;
  std::uint32_t& number = *numbers_[lane];
  if (number == 0) number = add_place({access.space, access.target_block, access.addresses[lane]});
  event.object = number - 1;
  if (!inference_->may_take_relaxed(thread, event.object)) return false;
  set_lane(event, access, lane);
  event.thread = thread;
  event.value = WordValues(event, access, lane, true).next();
  inference_->take_relaxed(event);
  return true;
}

/// Stores the location numbers of 32 consecutive words in objects_.
void ClockDetectors::locations_of_run(const virtual_gpu::WarpAccess& access) {
  std::uint32_t count = 0;
  const auto note = [&](void* cell, std::uint64_t address) {
    if (address % 4 != 0) return;
    auto& number = *static_cast<std::uint32_t*>(cell);
    if (number == 0) number = add_place({access.space, access.target_block, address});
    objects_[count++] = number - 1;
  };
  if (access.space == AccessSpace::Shared) {
    visit_run(shared_locations_.of(access.target_block), access.addresses[0], note);
  } else {
    visit_run(locations_, access.addresses[0], note);
  }
}

/// If possible for all lanes, treats their relaxed accesses as data accesses and returns true; otherwise, returns
/// false. Must be called after locations_of_run().
bool ClockDetectors::takes_relaxed_run(const virtual_gpu::WarpAccess& access, std::uint32_t first, TraceEvent& event) {
  if (!inference_->is_relaxed(event)) return false;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if (!inference_->may_take_relaxed(first + lane, objects_[lane])) return false;
  }
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    set_lane(event, access, lane);
    event.thread = first + lane;
    event.object = objects_[lane];
    event.value = WordValues(event, access, lane, true).next();
    inference_->take_relaxed(event);
  }
  return true;
}

/// If all lanes act alike, the inference processes the accesses of all lanes as one event of the warp, and the function
/// returns true. Must be called after locations_of_run().
bool ClockDetectors::acts_as_one(const virtual_gpu::WarpAccess& access, std::uint32_t first, TraceEvent& event) {
  if (access.failed != 0 && access.failed != ~0U) return false;
  for (std::uint32_t lane = 1; lane < 32; ++lane) {
    if (objects_[lane] != objects_[0] + lane) return false;
  }
  const auto is_one = [](const std::uint64_t* values) { return std::equal(values + 1, values + 32, values); };
  if (event.has_old_value && !is_one(access.old_values)) return false;
  set_lane(event, access, 0);
  event.thread = first;
  event.object = objects_[0];
  event.value = WordValues(event, access, 0, true).next();
  const auto actions = inference_->on_access_of_warp(event, !event.has_value || is_one(access.values));
  if (actions) apply(*actions);
  return actions.has_value();
}

void ClockDetectors::interpret_access(const virtual_gpu::WarpAccess& access, std::uint32_t lane, std::uint32_t thread,
                                      TraceEvent& event) {
  // An atomic access of 64 or 128 bits is one event. If each word had an event, the second word's event would separate
  // an access that takes a lock from the fence that follows.
  const bool is_first_only = access.order != Order::Weak || event.is_update();
  set_lane(event, access, lane);
  event.thread = thread;
  WordValues values(event, access, lane, is_first_only);
  const auto show = [&](void* cell, std::uint64_t address) {
    auto& number = *static_cast<std::uint32_t*>(cell);
    if (number == 0) {
      number = add_place({access.space, access.target_block, address});
    }
    event.object = number - 1;
    event.value = values.next();
    interpret(event);
  };
  if (access.space == AccessSpace::Shared) {
    shared_locations_.of(access.target_block).visit(access.addresses[lane], access.bytes, is_first_only, show);
  } else {
    locations_.visit(access.addresses[lane], access.bytes, is_first_only, show);
  }
}

void ClockDetectors::fence(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes,
                           Order order, Scope scope) {
  BlockState& state = state_of(block);
  const std::uint32_t first = first_thread(state, block, warp);
  state.note_action(warp, lanes);
  TraceEvent event;
  event.op = TraceOp::Fence;
  event.order = order;
  event.scope = scope;
  event.site = sites_.number(site, tables_);
  if (lanes == ~0U) {
    event.thread = first;
    return act_as_warp([&] { apply(inference_->on_fence_of_warp(event)); });
  }
  for (; lanes != 0; lanes &= lanes - 1) {
    event.thread = first + static_cast<std::uint32_t>(std::countr_zero(lanes));
    interpret(event);
  }
}

// ---- barriers ----

void ClockDetectors::barrier(const virtual_gpu::BarrierArrival& arrival) {
  if (arrival.is_wait_only) return;  // the lanes arrived earlier, by a different instruction
  BlockState& state = state_of(arrival.block);
  const std::uint32_t first = first_thread(state, arrival.block, arrival.warp);
  state.note_action(arrival.warp, arrival.lanes);
  const bool is_cluster = arrival.barrier == virtual_gpu::kClusterBarrier;
  Waiting& at = state.barriers[arrival.barrier];
  at.waiting.resize(state.warps.size());
  at.is_of_all = arrival.count == 0 || arrival.count == threads_of_block_;
  at.is_open = true;
  if (!arrival.is_arrive_only || is_cluster) {
    at.waiting[arrival.warp] |= arrival.lanes;
    return;
  }
  at.arrived_only.resize(state.warps.size());
  at.arrived_only[arrival.warp] |= arrival.lanes;
  TraceEvent event;
  event.op = TraceOp::Barrier;
  event.scope = Scope::Block;
  event.object = arrival.barrier;
  event.count = at.is_of_all ? 0 : arrival.count;
  event.arrive_only = true;
  event.site = sites_.number(arrival.site, tables_);
  for (std::uint32_t lanes = arrival.lanes; lanes != 0; lanes &= lanes - 1) {
    event.thread = first + static_cast<std::uint32_t>(std::countr_zero(lanes));
    interpret(event);
  }
}

void ClockDetectors::exit(BlockState& state, std::uint32_t warp, std::uint32_t lane) {
  const std::uint32_t bit = 1U << lane;
  if ((state.exited[warp] & bit) != 0) return;
  state.exited[warp] |= bit;
  state.met[warp] = 0;
  if ((state.acted[warp] & bit) == 0) return;
  const std::uint32_t thread = state.warps[warp] - 1 + lane;
  TraceEvent event;
  event.op = TraceOp::Exit;
  event.thread = thread;
  interpret(event);
}

void ClockDetectors::barrier_complete(std::uint32_t block, std::uint32_t barrier) {
  const bool is_cluster = barrier == virtual_gpu::kClusterBarrier;
  done_.op = TraceOp::Barrier;
  done_.level = is_cluster ? Scope::Cluster : Scope::Block;
  done_.waiting.clear();
  done_.arrived_only.clear();
  const std::uint32_t blocks = is_cluster ? cluster_ : 1;
  for (std::uint32_t i = 0; i < blocks; ++i) {
    BlockState& state = state_of(block + i);
    Waiting& at = state.barriers[barrier];
    if (!at.is_open) continue;
    at.is_open = false;
    done_.is_of_all = at.is_of_all;
    at.arrived_only.resize(state.warps.size());
    for (std::uint32_t warp = 0; warp < state.warps.size(); ++warp) {
      const std::uint32_t waiting = std::exchange(at.waiting[warp], 0);
      const std::uint32_t early = std::exchange(at.arrived_only[warp], 0);
      if ((waiting | early) != 0) state.met[warp] = 0;
      const std::uint32_t gone = at.is_of_all ? lanes_of(warp) & ~(waiting | early | state.exited[warp]) : 0;
      // When a barrier of all threads completes, threads that did not arrive must have exited.
      for (std::uint32_t rest = gone; rest != 0; rest &= rest - 1) {
        exit(state, warp, static_cast<std::uint32_t>(std::countr_zero(rest)));
      }
      const auto add = [&](std::vector<std::uint32_t>& to, std::uint32_t lanes) {
        for (; lanes != 0; lanes &= lanes - 1) {
          to.push_back(state.warps[warp] - 1 + static_cast<std::uint32_t>(std::countr_zero(lanes)));
        }
      };
      add(done_.waiting, waiting);
      add(done_.arrived_only, early);
    }
  }
  apply(inference_->on_completion(done_));
}

void ClockDetectors::warp_barrier(std::uint32_t /*site*/, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes,
                                  bool orders_memory) {
  if (!orders_memory) return;
  BlockState& state = state_of(block);
  if (state.met[warp] == lanes) return;
  const std::uint32_t first = first_thread(state, block, warp);
  state.note_action(warp, lanes);
  state.met[warp] = lanes;
  done_.op = TraceOp::WarpBarrier;
  done_.level = Scope::Block;
  done_.is_of_all = lanes == lanes_of(warp);
  done_.arrived_only.clear();
  // Inside a critical section, a repeated barrier does have an effect: earlier accesses by other lanes become ordered
  // before the section's accesses.
  if (inference_->has_busy_lane(first, lanes)) state.met[warp] = 0;
  done_.waiting.resize(static_cast<std::size_t>(std::popcount(lanes)));
  if (lanes == ~0U) {
    std::iota(done_.waiting.begin(), done_.waiting.end(), first);
  } else {
    for (std::uint32_t& thread : done_.waiting) {
      thread = first + static_cast<std::uint32_t>(std::countr_zero(lanes));
      lanes &= lanes - 1;
    }
  }
  apply(inference_->on_completion(done_));
}

void ClockDetectors::block_end(std::uint32_t block) {
  const auto found = blocks_.find(block);
  if (found != blocks_.end()) {
    BlockState& state = found->second;
    for (std::uint32_t warp = 0; warp < state.warps.size(); ++warp) {
      for (std::uint32_t rest = state.acted[warp] & ~state.exited[warp]; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint32_t thread = state.warps[warp] - 1 + lane;
        if (cluster_ > 1 || !inference_->accesses_only(thread)) {
          exit(state, warp, lane);
        } else {
          for (const auto& one : checkers_) one->retire(thread);
        }
      }
    }
    blocks_.erase(found);
  }
  shared_locations_.end_block(block);
  for (const auto& one : checkers_) one->end_block(block);
  last_state_ = nullptr;
}

}  // namespace ambit::shadow
