#pragma once

#include <array>
#include <atomic>
#include <streambuf>
#include <string>
#include <utility>

#include "base/descriptor.h"

namespace ambit {

/// Waits until a descriptor has input or the end of its input. Returns false if `*stopped` becomes true. If `stopped`
/// is null, nothing stops the wait.
bool wait_for_input(int descriptor, const std::atomic<bool>* stopped);

/// Opens a file, a pipe or a device for reading. Does not wait for the writer of a pipe. On failure, the descriptor is
/// not open and errno has the reason.
Descriptor open_input(const std::string& path);
/// Returns the standard input, at the position where its last reader stopped.
Descriptor standard_input();

/// Provides the bytes of a descriptor to a std::istream. The input ends when `*stopped` becomes true, even while the
/// buffer waits for the writer of a pipe. A read error throws an exception, and the stream then sets its bad bit.
class StoppableInput : public std::streambuf {
 public:
  /// `stopped` must outlive this object. If `stopped` is null, nothing stops the input.
  explicit StoppableInput(Descriptor input, const std::atomic<bool>* stopped = nullptr)
      : input_(std::move(input)), stopped_(stopped) {}

 protected:
  int_type underflow() override;

 private:
  Descriptor input_;
  const std::atomic<bool>* stopped_;
  std::array<char, 65536> buffer_{};
};

}  // namespace ambit
