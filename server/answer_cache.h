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

  std::optional<std::string> find(const std::string& request) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = places_.find(request);
    if (found == places_.end()) return std::nullopt;
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->second;
  }

  void keep(const std::string& request, const std::string& answer) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (request.size() + answer.size() > limit_ / 4 || places_.contains(request)) return;
    entries_.emplace_front(request, answer);
    places_[entries_.front().first] = entries_.begin();
    bytes_ += request.size() + answer.size();
    while (bytes_ > limit_) {
      const auto& [old_request, old_answer] = entries_.back();
      bytes_ -= old_request.size() + old_answer.size();
      places_.erase(old_request);
      entries_.pop_back();
    }
  }

 private:
  using Entry = std::pair<std::string, std::string>;
  std::mutex mutex_;
  std::size_t limit_;
  std::size_t bytes_ = 0;
  std::list<Entry> entries_;
  std::unordered_map<std::string_view, std::list<Entry>::iterator> places_;
};

}  // namespace ambit::server
