#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace ambit::trace {

/// Reads a file line by line, and creates errors with places in the file. The file need not fit into memory.
class LineSource {
 public:
  enum class Line : std::uint8_t {
    Whole,
    Cut,      ///< the file ends inside the line
    TooLong,  ///< the line is longer than kMaxLine; line() returns the beginning of the line
    Failed,   ///< the rest of the file cannot be read
    End
  };

  /// The longest line of a trace, in bytes.
  static constexpr std::size_t kMaxLine = std::size_t{1} << 16U;

  /// `name` is the file's name in error messages.
  LineSource(std::unique_ptr<std::istream> in, std::string name);

  /// Reads the next line. line() then returns this line without its end ("\n" or "\r\n").
  Line next();
  /// Returns the current line. The result is valid until the next call of next().
  std::string_view line() const { return line_; }

  /// Returns the error message for a line that is not Whole; an empty text for End.
  static std::string_view describe(Line line);
  /// Returns an error whose place is `length` characters of the current line. The first has the number `column`.
  Diagnostic diagnose(std::uint32_t column, std::size_t length, std::string message, std::string hint = "") const;

 private:
  /// Reads more bytes of the file into the buffer. Returns false at the end of the file or after an error.
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
