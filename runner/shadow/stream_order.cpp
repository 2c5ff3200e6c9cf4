#include "runner/shadow/stream_order.h"

#include <algorithm>

namespace ambit::shadow {

StreamOrder::StreamOrder() {
  add_stream(kDefault, true);
  add_stream(kThreadDefault, true);
}

void StreamOrder::join(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

void StreamOrder::add_stream(std::uint64_t stream, bool is_blocking) {
  lines_[stream] = static_cast<std::uint32_t>(clocks_.size());
  clocks_.emplace_back();
  is_blocking_.push_back(is_blocking);
}

std::uint32_t StreamOrder::line_of(std::uint64_t stream) {
  const auto found = lines_.find(stream);
  return found == lines_.end() ? 0 : found->second;
}

StreamWork StreamOrder::issue(std::uint64_t stream) {
  const std::uint32_t line = line_of(stream);
  Clock& clock = clocks_[line];
  join(clock, host_);
  if (stream == kDefault) {
    for (std::size_t i = 1; i < clocks_.size(); ++i) {
      if (is_blocking_[i]) join(clock, clocks_[i]);
    }
  } else if (is_blocking_[line]) {
    join(clock, clocks_[0]);
  }
  if (clock.size() <= line) clock.resize(line + 1);
  return {line, ++clock[line]};
}

void StreamOrder::follow(std::uint32_t line, StreamWork work) {
  Clock known = clocks_[work.line];
  if (known.size() <= work.line) known.resize(work.line + 1);
  known[work.line] = work.time;
  join(clocks_[line], known);
}

void StreamOrder::record(const void* event, std::uint64_t stream) {
  Clock moment = clock_of(stream);
  join(moment, host_);
  events_[event] = std::move(moment);
}
void StreamOrder::wait(std::uint64_t stream, const void* event) {
  const auto found = events_.find(event);
  if (found != events_.end()) join(clock_of(stream), found->second);
}

void StreamOrder::host_waits_for(std::uint64_t stream) { join(host_, clock_of(stream)); }
void StreamOrder::host_waits_for(const void* event) {
  const auto found = events_.find(event);
  if (found != events_.end()) join(host_, found->second);
}
void StreamOrder::host_waits_for_all() {
  for (const Clock& clock : clocks_) join(host_, clock);
}

void StreamOrder::free_on(std::uint64_t stream) { join(freed_, clock_of(stream)); }
void StreamOrder::allocate_on(std::uint64_t stream) { join(clock_of(stream), freed_); }

}  // namespace ambit::shadow
