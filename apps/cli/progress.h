#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace ambit::cli {

/// Shows the progress of a long run on standard error. On a terminal, updates one line; otherwise, prints a line every
/// ten seconds.
class Progress {
 public:
  enum class Mode { Silent, Plain, Live };

  /// Returns Silent if `quiet` is true; otherwise Live if standard error is a terminal, and Plain if it is not.
  static Mode mode_of(bool quiet);

  Progress(Mode mode, std::size_t total) : mode_(mode), total_(total) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done`: number of finished tests; `current`: the next test; `question`: the current question about the next test.
  void show(std::size_t done, const std::string& current, const std::string& question = "");
  /// Erases the progress line, so that other text can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  Mode mode_;
  std::size_t total_;
  bool shown_ = false;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
};

}  // namespace ambit::cli
