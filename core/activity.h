#pragma once

#include <mutex>
#include <string>
#include <utility>

namespace ambit {

/// What a check does at the moment, in words for a user: "ptx: race query 3 of at most 9". The thread that checks
/// writes it, another thread shows it.
class Activity {
 public:
  /// A question about another model begins.
  void start(std::string model) {
    const std::lock_guard<std::mutex> lock(mutex_);
    model_ = std::move(model);
    part_.clear();
  }
  /// A part of the question begins.
  void set_part(std::string part) {
    const std::lock_guard<std::mutex> lock(mutex_);
    part_ = std::move(part);
  }
  /// Empty: nothing was asked yet.
  std::string words() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return part_.empty() ? model_ : model_ + ": " + part_;
  }

 private:
  mutable std::mutex mutex_;
  std::string model_;
  std::string part_;
};

}  // namespace ambit
