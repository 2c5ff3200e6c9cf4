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

/// Answers to earlier requests; drops the least recently used answers first. One ring buffer of fixed size holds them:
/// the server's memory does not grow, and its heap does not fragment. Thread-safe.
class AnswerCache {
 public:
  /// The number of bytes is a multiple of kGrain.
  explicit AnswerCache(std::size_t bytes);

  /// An answer with its request takes a multiple of kGrain bytes, which limits the number of entries.
  static constexpr std::size_t kGrain = 1024;

  std::optional<std::string> find(const std::string& request);
  /// Keeps no answer that takes more than a quarter of the memory.
  void keep(const std::string& request, const std::string& answer);

 private:
  struct Entry {
    std::size_t begin;
    std::size_t request;  ///< bytes
    std::size_t answer;   ///< bytes, after the request
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
  std::size_t next_ = 0;       ///< where to write the next one
  std::deque<Entry> entries_;  ///< the oldest first; from `next_` to the end, then from the beginning to `next_`
  std::uint64_t dropped_ = 0;  ///< number of dropped entries
  std::unordered_map<std::string_view, std::uint64_t> numbers_;  ///< requests: the number of the entry, counted from
                                                                 ///< the first ever
};

}  // namespace ambit::server
