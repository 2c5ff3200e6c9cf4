#pragma once

#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace ambit::server {

/// Answers to requests that came before, up to a number of bytes; those not asked for longest go first. Answers depend
/// on nothing but the request. Safe for several threads.
class AnswerCache {
 public:
  explicit AnswerCache(std::size_t bytes) : limit_(bytes) {}

  /// Bytes that an answer takes beside its text and its request's: an entry of a list and one of a map.
  static constexpr std::size_t kOverhead = 256;

  std::optional<std::string> find(const std::string& request) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = places_.find(request);
    if (found == places_.end()) return std::nullopt;
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->second;
  }

  void keep(const std::string& request, const std::string& answer) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::size_t size = size_of(request, answer);
    if (size > limit_ / 4 || places_.contains(request)) return;
    entries_.emplace_front(request, answer);
    places_[entries_.front().first] = entries_.begin();
    bytes_ += size;
    while (bytes_ > limit_) {
      const auto& [old_request, old_answer] = entries_.back();
      bytes_ -= size_of(old_request, old_answer);
      places_.erase(old_request);
      entries_.pop_back();
    }
  }

 private:
  using Entry = std::pair<std::string, std::string>;
  static std::size_t size_of(const std::string& request, const std::string& answer) {
    return request.size() + answer.size() + kOverhead;
  }

  std::mutex mutex_;
  std::size_t limit_;
  std::size_t bytes_ = 0;
  std::list<Entry> entries_;
  std::unordered_map<std::string_view, std::list<Entry>::iterator> places_;
};

}  // namespace ambit::server
