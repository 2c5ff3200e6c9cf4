#pragma once

#include <array>
#include <atomic>
#include <streambuf>
#include <string>
#include <utility>

#include "base/descriptor.h"

namespace ambit {

/// Waits until a descriptor has input or its input has ended. Returns false if `stopped` became true. If `stopped` is
/// null, the wait cannot be stopped.
bool wait_for_input(int descriptor, const std::atomic<bool>* stopped);

/// Opens a file, a pipe or a device for reading, without waiting for a pipe's writer. On failure, the descriptor is not
/// open and errno has the reason.
Descriptor open_input(const std::string& path);
/// Returns the standard input, at the position where its last reader stopped.
Descriptor standard_input();

/// Provides the bytes of a descriptor to a std::istream. The bytes end when `stopped` becomes true, even while the
/// buffer waits for the writer of a pipe. A read error throws, which sets the stream's bad bit.
class StoppableInput : public std::streambuf {
 public:
  /// `stopped` must outlive this object. If it is null, the input cannot be stopped.
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
