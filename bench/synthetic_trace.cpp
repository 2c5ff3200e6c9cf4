#include "bench/synthetic_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ambit::bench {

std::string_view to_string(Shape shape) {
  constexpr std::array<std::string_view, kShapes> kNames = {"locks", "cas-locks",  "barriers",
                                                            "flags", "warp-locks", "lane-locks"};
  return kNames[static_cast<std::size_t>(shape)];
}

SyntheticTrace::SyntheticTrace(Shape shape, std::uint32_t threads, std::uint64_t events)
    : shape_(shape), threads_(threads), length_(events), threads_per_block_(std::min(threads, 256U)) {
  if (threads == 64) threads_per_block_ = 32;  // two blocks, so that device scope matters
  tables_.launch.grid = {threads / threads_per_block_, 1, 1};
  tables_.launch.block = {threads_per_block_, 1, 1};
  for (std::uint32_t t = 0; t < threads; ++t) tables_.thread(0, t / threads_per_block_, t % threads_per_block_);
  for (int line = 0; line < 16; ++line) tables_.site(fmt::format("k.cu:{}", line));
  add_locations();
}

void SyntheticTrace::add_locations() {
  const auto add = [&](std::string_view object, std::uint32_t count) {
    const std::uint32_t first = tables_.location(fmt::format("{}[0]", object));
    for (std::uint32_t i = 1; i < count; ++i) tables_.location(fmt::format("{}[{}]", object, i));
    return first;
  };
  switch (shape_) {
    case Shape::Locks:
    case Shape::CasLocks:
      add("lock", kLocks);
      variables_ = add("data", 2 * kLocks);
      break;
    case Shape::Barriers:
      for (std::uint32_t t = 0; t < threads_; ++t) {
        tables_.location(fmt::format("b{}:s[{}]", t / threads_per_block_, t % threads_per_block_));
      }
      break;
    case Shape::Flags:
      add("flag", threads_);
      variables_ = add("data", threads_);
      break;
    case Shape::WarpLocks:
      add("lock", (threads_ + 31) / 32);
      variables_ = add("data", 2 * ((threads_ + 31) / 32));
      break;
    case Shape::LaneLocks:
      add("lock", threads_);
      variables_ = add("data", 2 * threads_);
      break;
  }
}

void SyntheticTrace::rewind() {
  buffer_.clear();
  next_ = 0;
  handed_out_ = 0;
  thread_ = 0;
  round_ = 0;
}

TraceEvent& SyntheticTrace::add(TraceOp op, std::uint32_t object) {
  TraceEvent event;
  event.op = op;
  event.thread = thread_;
  event.object = object;
  event.site = static_cast<std::uint32_t>(buffer_.size()) % 16;
  return buffer_.emplace_back(event);
}

TraceEvent& SyntheticTrace::add_atomic(TraceOp op, std::uint32_t object) {
  TraceEvent& event = add(op, object);
  event.order = Order::Relaxed;
  event.scope = Scope::Device;
  event.has_value = true;
  event.has_old_value = op == TraceOp::Rmw;
  return event;
}

void SyntheticTrace::add_fence() {
  TraceEvent& fence = add(TraceOp::Fence, kNoName);
  fence.order = Order::SeqCst;
  fence.scope = Scope::Device;
}

void SyntheticTrace::critical_section(std::uint32_t lock, std::uint32_t variables) {
  add(TraceOp::LockAcquire, lock).scope = Scope::Device;
  add(TraceOp::Read, variables);
  add(TraceOp::Write, variables);
  add(TraceOp::Read, variables + 1);
  add(TraceOp::Write, variables + 1);
  add(TraceOp::LockRelease, lock).scope = Scope::Device;
}

void SyntheticTrace::cas_section(std::uint32_t lock, std::uint32_t variables) {
  TraceEvent& take = add_atomic(TraceOp::Rmw, lock);
  take.rmw = TraceRmw::CompareExchange;
  take.value = 1;
  add_fence();
  add(TraceOp::Read, variables);
  add(TraceOp::Write, variables);
  add_fence();
  TraceEvent& give = add_atomic(TraceOp::Rmw, lock);
  give.rmw = TraceRmw::Exchange;
  give.old_value = 1;
}

void SyntheticTrace::barrier_phase() {
  // In each round, all threads of a block write and arrive at a barrier; then all threads read and arrive again.
  const bool writes = round_ % 2 == 0;
  const std::uint32_t begin = thread_ / threads_per_block_ * threads_per_block_;
  const std::uint32_t neighbour = begin + (thread_ - begin + 1) % threads_per_block_;
  add(writes ? TraceOp::Write : TraceOp::Read, writes ? thread_ : neighbour);
  add(TraceOp::Barrier, 0).scope = Scope::Block;
}

void SyntheticTrace::pass_flag() {
  const std::uint32_t before = (thread_ + threads_ - 1) % threads_;
  add_atomic(TraceOp::Read, before).value = round_ - (thread_ == 0 ? 1 : 0);
  add_fence();
  add(TraceOp::Read, variables_ + before);
  add(TraceOp::Write, variables_ + thread_);
  add_fence();
  add_atomic(TraceOp::Write, thread_).value = round_;
}

void SyntheticTrace::go_on() {
  switch (shape_) {
    case Shape::Locks:
    case Shape::CasLocks: {
      const std::uint32_t lock = (thread_ * 7 + round_) % kLocks;
      shape_ == Shape::Locks ? critical_section(lock, variables_ + 2 * lock) : cas_section(lock, variables_ + 2 * lock);
      break;
    }
    case Shape::Barriers: barrier_phase(); break;
    case Shape::Flags: pass_flag(); break;
    case Shape::WarpLocks: critical_section(thread_ / 32, variables_ + 2 * (thread_ / 32)); break;
    case Shape::LaneLocks: {
      const std::uint32_t lock = (thread_ + 37 * round_) % threads_;
      critical_section(lock, variables_ + 2 * lock);
      break;
    }
  }
  if (++thread_ == threads_) {
    thread_ = 0;
    ++round_;
  }
}

Result<std::size_t> SyntheticTrace::read(std::span<TraceEvent> events) {
  if (handed_out_ >= length_) return std::size_t{0};
  std::size_t count = 0;
  while (count < events.size()) {
    if (next_ == buffer_.size()) {
      buffer_.clear();
      next_ = 0;
      go_on();
    }
    const std::size_t some = std::min(events.size() - count, buffer_.size() - next_);
    std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(next_), some,
                events.begin() + static_cast<std::ptrdiff_t>(count));
    next_ += some;
    count += some;
  }
  handed_out_ += count;
  return count;
}

}  // namespace ambit::bench
