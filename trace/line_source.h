#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/source.h"

namespace ambit::trace {

/// Hands out the lines of a file that is not held in memory, and the errors that point into it.
class LineSource {
 public:
  enum class Line : std::uint8_t {
    Whole,
    Cut,      ///< the file ends in it
    TooLong,  ///< longer than kMaxLine: its beginning
    Failed,   ///< the file cannot be read on
    End
  };

  /// Bytes. Nothing longer is a line of a trace.
  static constexpr std::size_t kMaxLine = std::size_t{1} << 16U;

  /// `name` is the file's in error messages.
  LineSource(std::unique_ptr<std::istream> in, std::string name);

  /// The next line becomes line(), without its end ("\n" or "\r\n").
  Line next();
  /// Until the next call of next().
  std::string_view line() const { return line_; }
  std::uint32_t line_number() const { return line_number_; }

  /// What is wrong with a line that is not Whole; empty at the end of the file.
  static std::string_view describe(Line line);
  /// An error at `length` characters of the line from `column` (1-based) on.
  Diagnostic diagnose(std::uint32_t column, std::size_t length, std::string message, std::string hint = "") const;

 private:
  /// More of the file behind what is not handed out yet. False: there is no more, or it cannot be read.
  bool fill();

  std::unique_ptr<std::istream> in_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;
  std::size_t filled_ = 0;
  bool has_failed_ = false;
  std::string_view line_;
  std::uint32_t line_number_ = 0;
};

}  // namespace ambit::trace
