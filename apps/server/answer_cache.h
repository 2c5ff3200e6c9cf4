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

/// Answers to earlier requests. Drops the least recently used answers first. A ring buffer of fixed size holds the
/// answers, so that the server's memory does not grow and its heap does not fragment. Thread-safe.
class AnswerCache {
 public:
  /// `bytes` must be a multiple of kGrain.
  explicit AnswerCache(std::size_t bytes);

  /// A request and its answer take a multiple of kGrain bytes. This limits the number of entries.
  static constexpr std::size_t kGrain = 1024;

  std::optional<std::string> find(const std::string& request);
  /// Keeps an answer, unless it takes more than a quarter of the memory.
  void keep(const std::string& request, const std::string& answer);

 private:
  struct Entry {
    std::size_t begin;
    std::size_t request;  ///< bytes of the request
    std::size_t answer;   ///< bytes of the answer, which follows the request
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
  std::size_t next_ = 0;  ///< where the next entry is written
  /// Oldest first: the entries from `next_` to the end, then those from the beginning to `next_`.
  std::deque<Entry> entries_;
  std::uint64_t dropped_ = 0;  ///< number of dropped entries
  /// the number of each request's entry, counted from the first entry ever
  std::unordered_map<std::string_view, std::uint64_t> numbers_;
};

}  // namespace ambit::server
