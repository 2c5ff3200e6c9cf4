#include "random_trace.h"

#include <algorithm>
#include <random>
#include <string>

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
  struct ThreadState {
    std::vector<Held> held;
    bool waits = false;
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
    event.site = trace_.tables.site("s" + std::to_string(trace_.events.size()));
    return trace_.events.emplace_back(event);
  }

  void step() {
    const std::uint32_t thread = below(static_cast<std::uint32_t>(threads_.size()));
    if (threads_[thread].waits || threads_[thread].exited) return;
    const int total = options_.access + options_.lock + options_.barrier + options_.flag + options_.inferred;
    int pick = static_cast<int>(below(static_cast<std::uint32_t>(total)));
    if ((pick -= options_.access) < 0) return access(thread);
    if ((pick -= options_.lock) < 0) return lock(thread);
    if ((pick -= options_.barrier) < 0) return barrier(thread);
    if ((pick -= options_.flag) < 0) return flag(thread);
    inferred(thread);
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
    // Sections should end, and be nested now and then.
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
        // One holder at a time, whichever reading of overlap is tested.
        if (h.lock == lock && (other == thread || options_.one_holder ||
                               same_instance(threads[thread].place, threads[other].place, std::max(wanted, h.scope)))) {
          return;
        }
      }
    }
    emit(thread, TraceOp::LockAcquire, lock).scope = wanted;
    held.push_back({lock, wanted});
  }

  void barrier(std::uint32_t thread) {
    threads_[thread].waits = true;
    emit(thread, TraceOp::Barrier, 0).scope = Scope::Block;
    const int block = trace_.tables.threads()[thread].place.block;
    bool is_complete = true;
    for (std::uint32_t t = 0; t < threads_.size(); ++t) {
      const bool is_member = trace_.tables.threads()[t].place.block == block;
      is_complete &= !is_member || threads_[t].waits || threads_[t].exited;
    }
    if (!is_complete) return;
    for (std::uint32_t t = 0; t < threads_.size(); ++t) {
      if (trace_.tables.threads()[t].place.block == block) threads_[t].waits = false;
    }
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

}  // namespace ambit::detector
