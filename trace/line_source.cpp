#include "trace/line_source.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ambit::trace {
namespace {

/// The largest line number for which a diagnostic quotes the line. To quote line n, a diagnostic needs a text that
/// begins with n - 1 empty lines. For a larger n, the text would be too large.
constexpr std::uint32_t kMaxQuotedLineNumber = 1U << 20U;
/// The size of the buffer. The buffer has space for more than the longest line, so that unread bytes are rarely moved
/// to the front.
constexpr std::size_t kBuffer = 4 * LineSource::kMaxLine;

std::string_view without_return(std::string_view line) {
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

}  // namespace

LineSource::LineSource(std::unique_ptr<std::istream> in, std::string name)
    : in_(std::move(in)), name_(std::move(name)), buffer_(kBuffer) {}

bool LineSource::fill() {
  if (has_failed_ || !*in_) return false;
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(at_), buffer_.begin() + static_cast<std::ptrdiff_t>(filled_),
            buffer_.begin());
  filled_ -= at_;
  at_ = 0;
  in_->read(buffer_.data() + filled_, static_cast<std::streamsize>(buffer_.size() - filled_));
  const auto count = static_cast<std::size_t>(in_->gcount());
  filled_ += count;
  has_failed_ = in_->bad();
  return count != 0;
}

LineSource::Line LineSource::next() {
  std::size_t searched = 0;
  line_ = {};
  ++line_number_;
  while (true) {
    const char* const begin = buffer_.data() + at_;
    const void* const end = std::memchr(begin + searched, '\n', filled_ - at_ - searched);
    const auto size = end == nullptr ? filled_ - at_ : static_cast<std::size_t>(static_cast<const char*>(end) - begin);
    if (end != nullptr || size > kMaxLine + 1) {  // one more byte, which may be '\r'
      line_ = without_return({begin, size});
      at_ += size + (end == nullptr ? 0 : 1);
      if (end != nullptr && line_.size() <= kMaxLine) return Line::Whole;
      line_ = line_.substr(0, kMaxLine);
      return Line::TooLong;
    }
    searched = size;
    if (fill()) continue;
    line_ = {buffer_.data() + at_, size};
    at_ = filled_;
    if (has_failed_) return Line::Failed;
    if (line_.size() > kMaxLine) return Line::TooLong;
    return line_.empty() ? Line::End : Line::Cut;
  }
}

std::string_view LineSource::describe(Line line) {
  switch (line) {
    case Line::Cut: return "the file ends in the middle of a line";
    case Line::TooLong: return "line too long";
    case Line::Failed: return "the rest of the file cannot be read";
    case Line::Whole:
    case Line::End: break;
  }
  return {};
}

Diagnostic LineSource::diagnose(std::uint32_t column, std::size_t length, std::string message, std::string hint) const {
  std::string text;
  if (line_number_ <= kMaxQuotedLineNumber) text = std::string(line_number_ - 1, '\n') + std::string(line_);
  return {std::make_shared<const SourceFile>(SourceFile{name_, std::move(text)}),
          {line_number_, column, static_cast<std::uint32_t>(length)},
          std::move(message),
          std::move(hint)};
}

}  // namespace ambit::trace
