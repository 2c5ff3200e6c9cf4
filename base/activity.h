#pragma once

#include <mutex>
#include <string>
#include <utility>

namespace ambit {

/// Describes the current work of a check for the user: "ptx: race query 3 of at most 9". The checking thread updates
/// the description, and another thread displays the description.
class Activity {
 public:
  /// Sets the model that the check now considers, and clears the part.
  void start(std::string model) {
    const std::lock_guard<std::mutex> lock(mutex_);
    model_ = std::move(model);
    part_.clear();
  }
  /// Sets the part of the check that now runs: "race query 3 of at most 9".
  void set_part(std::string part) {
    const std::lock_guard<std::mutex> lock(mutex_);
    part_ = std::move(part);
  }
  /// Returns the description; the text is empty before the first call of start().
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
