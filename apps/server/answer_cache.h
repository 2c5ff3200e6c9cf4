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

/// A cache of answers to earlier requests. Drops the least recently used answers first. Stores the answers in a ring
/// buffer of fixed size, so that the server's memory does not grow and the heap does not fragment. Thread-safe.
class AnswerCache {
 public:
  /// `bytes` must be a multiple of kGrain.
  explicit AnswerCache(std::size_t bytes);

  /// The size of an entry (a request and its answer) is rounded up to a multiple of this number of bytes. The rounding
  /// limits the number of entries.
  static constexpr std::size_t kGrain = 1024;

  std::optional<std::string> find(const std::string& request);
  /// Keeps an answer unless its entry takes more than a quarter of the memory.
  void keep(const std::string& request, const std::string& answer);

 private:
  struct Entry {
    std::size_t begin;
    std::size_t request;  ///< length of the request in bytes
    std::size_t answer;   ///< length of the answer in bytes; the answer follows the request
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
  std::size_t next_ = 0;  ///< where the next entry is written.
  /// The entries from the oldest to the newest. In the buffer, the oldest entry is the first entry after
  /// `next_`.
  std::deque<Entry> entries_;
  std::uint64_t dropped_ = 0;  ///< number of dropped entries.
  /// Maps each request to the number of its entry. Entries are numbered from the start, including dropped entries.
  std::unordered_map<std::string_view, std::uint64_t> numbers_;
};

}  // namespace ambit::server
