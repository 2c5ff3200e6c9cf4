#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ambit::shadow {

/// A kernel or a copy that a program has issued to a stream.
struct StreamWork {
  std::uint32_t line = 0;  ///< number of the stream in StreamOrder
  std::uint32_t time = 0;  ///< number of the work in its stream, from 1; 0 for no work
};

/// The order of a program's work. Streams, events and the waits of the host determine this order (CUDA C++ Programming
/// Guide, "Asynchronous Concurrent Execution"; Runtime API, "Stream synchronization behavior"). The order is stored as
/// vector clocks with a component for each stream. The legacy default stream waits for all blocking streams, and
/// blocking streams wait for the default stream.
class StreamOrder {
 public:
  /// The numbers of the two default streams. The streams that the program creates have other numbers.
  static constexpr std::uint64_t kDefault = 0;
  static constexpr std::uint64_t kThreadDefault = 1;

  StreamOrder();

  /// `is_blocking` means that the stream was created without cudaStreamNonBlocking.
  void add_stream(std::uint64_t stream, bool is_blocking);
  /// Returns whether the program has created a stream.
  bool has_streams() const { return clocks_.size() > 2; }
  /// Issues the next work of a stream. The new work is ordered after the stream's earlier work and after the work for
  /// which the host has waited.
  StreamWork issue(std::uint64_t stream);
  /// Returns whether `work` precedes the last work of the stream `line`.
  bool is_before(StreamWork work, std::uint32_t line) const { return part(clocks_[line], work.line) >= work.time; }
  /// Orders the last work of the stream `line` after `work` and after all work that precedes `work`. Called if the last
  /// work has observed a release by `work`.
  void follow(std::uint32_t line, StreamWork work);

  void record(const void* event, std::uint64_t stream);
  void wait(std::uint64_t stream, const void* event);
  void forget(const void* event) { events_.erase(event); }
  void host_waits_for(std::uint64_t stream);
  void host_waits_for(const void* event);
  void host_waits_for_all();

  /// Must be called when work in the stream frees memory. Later work of any stream may reuse the memory.
  void free_on(std::uint64_t stream);
  void allocate_on(std::uint64_t stream);

 private:
  using Clock = std::vector<std::uint32_t>;
  static std::uint32_t part(const Clock& clock, std::uint32_t line) { return line < clock.size() ? clock[line] : 0; }
  static void join(Clock& clock, const Clock& other);
  Clock& clock_of(std::uint64_t stream) { return clocks_[line_of(stream)]; }
  std::uint32_t line_of(std::uint64_t stream);

  std::vector<Clock> clocks_;  ///< for each stream, its last work and all work that precedes the last work
  std::vector<bool> is_blocking_;
  std::unordered_map<std::uint64_t, std::uint32_t> lines_;
  std::unordered_map<const void*, Clock> events_;
  Clock host_;
  Clock freed_;
};

}  // namespace ambit::shadow
