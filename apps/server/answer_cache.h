#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ambit::server {

/// Answers to requests that came before; those not asked for longest go first. They lie in one piece of memory, taken
/// at the start and written round and round: however long a server runs it needs no more, and its heap gets no holes of
/// their many sizes. Safe for several threads.
class AnswerCache {
 public:
  /// The number of bytes is a multiple of kGrain.
  explicit AnswerCache(std::size_t bytes);

  /// An answer takes, with its request, a multiple of so many bytes. So there are not too many.
  static constexpr std::size_t kGrain = 1024;

  std::optional<std::string> find(const std::string& request);
  /// Nothing where the answer would take more than a quarter of the memory.
  void keep(const std::string& request, const std::string& answer);

 private:
  struct Entry {
    std::size_t begin;
    std::size_t request;  ///< bytes
    std::size_t answer;   ///< bytes, behind
  };

  std::string_view request_of(const Entry& entry) const { return {memory_.get() + entry.begin, entry.request}; }
  std::string_view answer_of(const Entry& entry) const {
    return {memory_.get() + entry.begin + entry.request, entry.answer};
  }
  void make_room(std::size_t size);
  void drop_oldest();
  void append(std::string_view request, std::string_view answer);

  std::mutex mutex_;
  std::size_t bytes_;
  std::unique_ptr<char[]> memory_;
  std::size_t next_ = 0;       ///< where the next one is written
  std::deque<Entry> entries_;  ///< the oldest first; from `next_` on to the end and from the beginning to `next_`
  std::uint64_t dropped_ = 0;  ///< entries in front of these
  std::unordered_map<std::string_view, std::uint64_t> numbers_;  ///< requests: entry, counted from the first ever
};

}  // namespace ambit::server
