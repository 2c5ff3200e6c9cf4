#include "apps/server/answer_cache.h"

#include <algorithm>

namespace ambit::server {

AnswerCache::AnswerCache(std::size_t bytes) : bytes_(bytes), memory_(std::make_unique<char[]>(bytes)) {}

std::optional<std::string> AnswerCache::find(const std::string& request) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = numbers_.find(request);
  if (found == numbers_.end()) return std::nullopt;
  const std::size_t at = found->second - dropped_;
  std::string answer(answer_of(entries_[at]));
  if (at < entries_.size() / 2) {  // a used entry moves to the end, so that unused entries are dropped first
    numbers_.erase(found);
    append(request, answer);
  }
  return answer;
}

void AnswerCache::keep(const std::string& request, const std::string& answer) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (request.size() + answer.size() > bytes_ / 4 || numbers_.contains(request)) return;
  append(request, answer);
}

void AnswerCache::append(std::string_view request, std::string_view answer) {
  const std::size_t size = (request.size() + answer.size() + kGrain - 1) / kGrain * kGrain;
  make_room(size);
  const Entry entry{next_, request.size(), answer.size()};
  std::copy(answer.begin(), answer.end(), std::copy(request.begin(), request.end(), memory_.get() + next_));
  next_ += size;
  numbers_[request_of(entry)] = dropped_ + entries_.size();
  entries_.push_back(entry);
}

void AnswerCache::make_room(std::size_t size) {
  if (next_ + size > bytes_) {
    while (!entries_.empty() && entries_.front().begin >= next_) drop_oldest();
    next_ = 0;
  }
  const auto is_in_the_way = [&](const Entry& entry) { return entry.begin >= next_ && entry.begin < next_ + size; };
  while (!entries_.empty() && is_in_the_way(entries_.front())) drop_oldest();
}

void AnswerCache::drop_oldest() {
  const auto found = numbers_.find(request_of(entries_.front()));
  if (found != numbers_.end() && found->second == dropped_) numbers_.erase(found);
  entries_.pop_front();
  ++dropped_;
}

}  // namespace ambit::server
