#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>

namespace ambit::server {

/// Limits the number of requests ("visits") that run at the same time, and admits visits in the order of arrival. A
/// visit that takes long moves to an extra place, and its place becomes free for the next visit. While an extra place
/// is free, short visits do not wait for long visits. Thread-safe.
class Gate {
 public:
  /// `places`: number of places for new visits; `beside`: number of extra places for long visits.
  Gate(unsigned places, unsigned beside) : places_(places), beside_(beside) {}

  /// A visit begins in the constructor and ends in the destructor.
  class Visit {
   public:
    /// Waits for a place, at most for `longest`.
    Visit(Gate& gate, std::chrono::milliseconds longest) : gate_(gate) {
      if (gate_.enter(longest)) where_ = Where::In;
    }
    ~Visit() {
      if (where_ == Where::In) gate_.leave(gate_.places_);
      if (where_ == Where::Beside) gate_.leave(gate_.beside_);
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

    bool is_in() const { return where_ != Where::Out; }
    /// Moves the visit to an extra place. If no extra place is free, the visit keeps its place.
    void give_way() {
      if (where_ == Where::In && gate_.give_way()) where_ = Where::Beside;
    }

   private:
    enum class Where : std::uint8_t { Out, In, Beside };
    Gate& gate_;
    Where where_ = Where::Out;
  };

  /// Returns the number of waiting visits.
  std::size_t waiting() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return queue_.size();
  }

 private:
  struct Waiting {
    std::condition_variable woken;
    bool has_place = false;
  };

  bool enter(std::chrono::milliseconds longest) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (places_ > 0) {  // a place is free only if no visit waits
      --places_;
      return true;
    }
    Waiting me;
    const auto at = queue_.insert(queue_.end(), &me);
    if (!me.woken.wait_for(lock, longest, [&] { return me.has_place; })) queue_.erase(at);
    return me.has_place;
  }
  bool give_way() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (beside_ == 0) return false;
    --beside_;
    ++places_;
    pass_on();
    return true;
  }
  void leave(unsigned& freed) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++freed;
    pass_on();
  }
  /// Gives a free place to the visit that has waited longest.
  void pass_on() {
    if (places_ == 0 || queue_.empty()) return;
    --places_;
    queue_.front()->has_place = true;
    queue_.front()->woken.notify_one();
    queue_.pop_front();
  }

  mutable std::mutex mutex_;
  unsigned places_;
  unsigned beside_;
  std::list<Waiting*> queue_;
};

}  // namespace ambit::server
