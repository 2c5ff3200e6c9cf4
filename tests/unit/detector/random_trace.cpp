#include "tests/unit/detector/random_trace.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace ambit::detector {
namespace {

class Generator {
 public:
  Generator(std::uint64_t seed, const RandomTraceOptions& options) : random_(seed), options_(options) {
    trace_.tables.launch.grid = {options.blocks, 1, 1};
    trace_.tables.launch.block = {options.threads_per_block, 1, 1};
    trace_.tables.launch.warp = options.warp;
    for (std::uint32_t b = 0; b < options.blocks; ++b) {
      for (std::uint32_t t = 0; t < options.threads_per_block; ++t) trace_.tables.thread(0, b, t);
    }
    threads_.resize(trace_.tables.threads().size());
    for (std::uint32_t i = 0; i < options.variables; ++i) variables_.push_back(location("x", i));
    for (std::uint32_t i = 0; i < options.locks; ++i) {
      locks_.push_back(location("l", i));
      words_.push_back(location("m", i));
      flags_.push_back(location("f", i));
    }
    word_holder_.assign(options.locks, kNoName);
    word_value_.assign(options.locks, 0);
    flag_value_.assign(options.locks, 0);
  }

  Trace run() {
    if (options_.forks) {
      for (std::uint32_t t = 1; t < threads_.size(); ++t) emit(0, TraceOp::Fork, t);
    }
    for (std::size_t i = 0; i < options_.steps; ++i) step();
    if (options_.forks) {
      for (std::uint32_t t = 1; t < threads_.size(); ++t) {
        if (below(2) == 0) emit(0, TraceOp::Join, t);
      }
      access(0);
    }
    return std::move(trace_);
  }

 private:
  struct Held {
    std::uint32_t lock;
    Scope scope;
  };
  enum class Wait : std::uint8_t { None, Block, Warp, Named };
  struct ThreadState {
    std::vector<Held> held;
    Wait waits = Wait::None;
    std::uint32_t mask = 0;    ///< the mask of the warp barrier where the thread waits
    bool has_arrived = false;  ///< the thread has arrived at its block's named barrier and has not waited
    bool exited = false;
  };

  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  std::uint32_t location(const char* name, std::uint32_t i) { return trace_.tables.location(name + std::to_string(i)); }
  Scope scope() { return options_.scopes && below(2) == 0 ? Scope::Block : Scope::Device; }

  TraceEvent& emit(std::uint32_t thread, TraceOp op, std::uint32_t object) {
    TraceEvent event;
    event.op = op;
    event.thread = thread;
    event.object = object;
    const std::size_t site = options_.sites == 0 ? trace_.events.size() : below(options_.sites);
    event.site = trace_.tables.site("s" + std::to_string(site));
    return trace_.events.emplace_back(event);
  }

  void step() {
    const std::uint32_t thread = below(static_cast<std::uint32_t>(threads_.size()));
    if (threads_[thread].waits != Wait::None || threads_[thread].exited) return;
    using Step = void (Generator::*)(std::uint32_t);
    const std::array<std::pair<int, Step>, 8> steps = {{{options_.access, &Generator::access},
                                                        {options_.lock, &Generator::lock},
                                                        {options_.barrier, &Generator::barrier},
                                                        {options_.flag, &Generator::flag},
                                                        {options_.warp_barrier, &Generator::warp_barrier},
                                                        {options_.named_barrier, &Generator::named_barrier},
                                                        {options_.exit, &Generator::exit},
                                                        {options_.inferred, &Generator::inferred}}};
    int total = 0;
    for (const auto& [weight, step] : steps) total += weight;
    int pick = static_cast<int>(below(static_cast<std::uint32_t>(total)));
    for (const auto& [weight, step] : steps) {
      if (pick < weight) return (this->*step)(thread);
      pick -= weight;
    }
  }

  void access(std::uint32_t thread) {
    const bool is_atomic = below(8) == 0;
    TraceEvent& event = emit(thread, below(2) == 0 ? TraceOp::Read : TraceOp::Write,
                             variables_[below(static_cast<std::uint32_t>(variables_.size()))]);
    if (!is_atomic) return;
    event.order = Order::Relaxed;
    event.scope = scope();
  }

  void lock(std::uint32_t thread) {
    auto& held = threads_[thread].held;
    // Usually ends the innermost critical section. Sometimes begins a nested section instead.
    if (!held.empty() && (below(3) != 0 || held.size() > 1)) {
      emit(thread, TraceOp::LockRelease, held.back().lock).scope = held.back().scope;
      held.pop_back();
      return;
    }
    const std::uint32_t lock = locks_[below(options_.locks)];
    const Scope wanted = scope();
    const auto& threads = trace_.tables.threads();
    for (std::uint32_t other = 0; other < threads_.size(); ++other) {
      for (const Held& h : threads_[other].held) {
        // Under each tested definition of overlap, at most one thread holds a lock at a time.
        if (h.lock == lock && (other == thread || options_.one_holder ||
                               same_instance(threads[thread].place, threads[other].place, std::max(wanted, h.scope)))) {
          return;
        }
      }
    }
    emit(thread, TraceOp::LockAcquire, lock).scope = wanted;
    held.push_back({lock, wanted});
  }

  const ThreadPlace& place(std::uint32_t thread) const { return trace_.tables.threads()[thread].place; }
  /// Returns the range of threads in `thread`'s block. The threads of a block have consecutive numbers.
  std::pair<std::uint32_t, std::uint32_t> block_of(std::uint32_t thread) const {
    const std::uint32_t begin = thread / options_.threads_per_block * options_.threads_per_block;
    return {begin, begin + options_.threads_per_block};
  }

  bool others_wait(std::uint32_t thread, Wait elsewhere) const {
    if (!options_.one_kind_of_barrier_at_a_time) return false;
    const auto [begin, end] = block_of(thread);
    for (std::uint32_t t = begin; t < end; ++t) {
      if (threads_[t].waits != Wait::None && threads_[t].waits != elsewhere) return true;
    }
    return false;
  }

  void barrier(std::uint32_t thread) {
    if (others_wait(thread, Wait::Block)) return;
    threads_[thread].waits = Wait::Block;
    emit(thread, TraceOp::Barrier, 0).scope = Scope::Block;
    complete_barriers(thread);
  }

  void warp_barrier(std::uint32_t thread) {
    if (others_wait(thread, Wait::Warp)) return;
    const std::uint32_t lane = 1U << static_cast<std::uint32_t>(place(thread).lane);
    std::uint32_t mask = kAllLanes;
    const auto [begin, end] = block_of(thread);
    for (std::uint32_t t = begin; t < end; ++t) {
      if (place(t).warp != place(thread).warp || t == thread) continue;
      const std::uint32_t other = 1U << static_cast<std::uint32_t>(place(t).lane);
      if (threads_[t].waits == Wait::Warp && (threads_[t].mask & lane) != 0) {
        mask = threads_[t].mask;
        break;
      }
      if (options_.one_kind_of_barrier_at_a_time && threads_[t].waits == Wait::Warp) return;
      if (below(3) == 0) mask = lane | other;
    }
    threads_[thread].waits = Wait::Warp;
    threads_[thread].mask = mask;
    emit(thread, TraceOp::WarpBarrier, kNoName).count = mask;
    complete_barriers(thread);
  }

  /// Barrier 1 of a block is complete after two threads have arrived.
  void named_barrier(std::uint32_t thread) {
    if (threads_[thread].has_arrived) return;
    bool completes = false;
    const auto [begin, end] = block_of(thread);
    for (std::uint32_t t = begin; t < end; ++t) {
      if (!threads_[t].has_arrived && threads_[t].waits != Wait::Named) continue;
      completes = true;
      threads_[t].has_arrived = false;
      if (threads_[t].waits == Wait::Named) threads_[t].waits = Wait::None;
    }
    TraceEvent& event = emit(thread, TraceOp::Barrier, 1);
    event.scope = Scope::Block;
    event.count = 2;
    event.arrive_only = below(2) == 0;
    if (completes) return;
    if (event.arrive_only) {
      threads_[thread].has_arrived = true;
    } else {
      threads_[thread].waits = Wait::Named;
    }
  }

  void exit(std::uint32_t thread) {
    if (!threads_[thread].held.empty()) return;
    threads_[thread].exited = true;
    emit(thread, TraceOp::Exit, kNoName);
    complete_barriers(thread);
  }

  /// If a barrier is complete, lets its threads continue.
  void complete_barriers(std::uint32_t thread) {
    const auto [begin, end] = block_of(thread);
    bool is_complete = true;
    for (std::uint32_t t = begin; t < end; ++t) is_complete &= threads_[t].exited || threads_[t].waits == Wait::Block;
    for (std::uint32_t t = begin; t < end && is_complete; ++t) threads_[t].waits = Wait::None;
    for (std::uint32_t t = begin; t < end; ++t) {
      if (threads_[t].waits == Wait::Warp) complete_warp_barrier(t);
    }
  }

  void complete_warp_barrier(std::uint32_t thread) {
    const std::uint32_t mask = threads_[thread].mask;
    const auto [begin, end] = block_of(thread);
    std::vector<std::uint32_t> members;
    for (std::uint32_t t = begin; t < end; ++t) {
      const bool is_member =
          place(t).warp == place(thread).warp && ((mask >> static_cast<std::uint32_t>(place(t).lane)) & 1U) != 0;
      if (!is_member || threads_[t].exited) continue;
      if (threads_[t].waits != Wait::Warp || threads_[t].mask != mask) return;
      members.push_back(t);
    }
    for (const std::uint32_t t : members) threads_[t].waits = Wait::None;
  }

  void fence(std::uint32_t thread) {
    TraceEvent& event = emit(thread, TraceOp::Fence, kNoName);
    event.order = Order::SeqCst;
    event.scope = scope();
  }

  void flag(std::uint32_t thread) {
    const std::uint32_t i = below(options_.locks);
    const std::uint32_t kind = below(8);
    if (kind < 3) return fence(thread);
    const bool is_update = kind == 3;
    const bool writes = kind != 4 && kind != 5;
    TraceEvent& event = emit(thread, is_update ? TraceOp::Rmw : writes ? TraceOp::Write : TraceOp::Read, flags_[i]);
    constexpr std::array<Order, 4> kUpdate = {Order::Relaxed, Order::AcqRel, Order::Acquire, Order::Release};
    event.order = is_update       ? kUpdate[below(4)]
                  : below(2) == 0 ? Order::Relaxed
                  : writes        ? Order::Release
                                  : Order::Acquire;
    if (is_update) event.rmw = TraceRmw::Add;
    event.scope = scope();
    event.has_old_value = is_update;
    event.old_value = flag_value_[i];
    if (writes) ++flag_value_[i];
    event.has_value = true;
    event.value = flag_value_[i];
  }

  void inferred(std::uint32_t thread) {
    if (below(2) == 0) return fence(thread);
    const std::uint32_t i = below(options_.locks);
    const bool unlocks = word_holder_[i] == thread;
    if (word_holder_[i] != kNoName && !unlocks && below(3) != 0) return;
    TraceEvent& event = emit(thread, TraceOp::Rmw, words_[i]);
    event.order = Order::Relaxed;
    event.scope = scope();
    event.has_old_value = true;
    event.old_value = word_value_[i];
    if (unlocks) {
      event.rmw = TraceRmw::Exchange;
      event.has_value = true;
      word_value_[i] = 0;
      word_holder_[i] = kNoName;
      return;
    }
    event.rmw = TraceRmw::CompareExchange;
    event.is_failed = word_holder_[i] != kNoName;
    if (event.is_failed) return;
    event.has_value = true;
    event.value = 1;
    word_value_[i] = 1;
    word_holder_[i] = thread;
  }

  std::mt19937_64 random_;
  RandomTraceOptions options_;
  Trace trace_;
  std::vector<ThreadState> threads_;
  std::vector<std::uint32_t> variables_, locks_, words_, flags_, word_holder_;
  std::vector<Value> word_value_, flag_value_;
};

}  // namespace

Trace random_trace(std::uint64_t seed, const RandomTraceOptions& options) { return Generator(seed, options).run(); }

std::uint64_t wanted_traces(std::uint64_t by_default) {
  const char* wanted = std::getenv("AMBIT_RANDOM_TRACES");
  return wanted == nullptr ? by_default : std::strtoull(wanted, nullptr, 10);
}

}  // namespace ambit::detector
