#include "runner/virtual/printf_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>

namespace ambit::virtual_gpu {
namespace {

/// Limit on widths and precisions. Larger numbers are a mistake, or an attempt to exhaust the host's memory.
constexpr int kWidest = 4096;

template <class T>
std::string formatted(const std::string& format, T value) {
  std::array<char, 256> small{};
  const int length = std::snprintf(small.data(), small.size(), format.c_str(), value);
  if (length < 0) return {};
  if (static_cast<std::size_t>(length) < small.size()) return {small.data(), static_cast<std::size_t>(length)};
  std::string large(static_cast<std::size_t>(length) + 1, '\0');
  std::snprintf(large.data(), large.size(), format.c_str(), value);
  large.pop_back();
  return large;
}

/// One conversion specification. `head` consists of the percent sign, flags, width and precision, such as "%-8.3".
/// `letter` is the conversion.
struct Conversion {
  std::string head = "%";
  unsigned longs = 0;  ///< number of "l" characters; 1 or more means 64 bits
  unsigned shorts = 0;
  char letter = 0;
};

class Reader {
 public:
  Reader(std::string_view format, const std::function<std::uint64_t(unsigned)>& read) : format_(format), read_(read) {}

  bool at_end() const { return at_ >= format_.size(); }
  char next() { return at_end() ? '\0' : format_[at_++]; }

  /// Parses the text after the percent sign.
  Conversion conversion() {
    Conversion found;
    while (!at_end() && std::string_view("-+ #0").find(format_[at_]) != std::string_view::npos) found.head += next();
    number(found.head);
    if (!at_end() && format_[at_] == '.') {
      found.head += next();
      number(found.head);
    }
    for (; !at_end(); ++at_) {
      const char c = format_[at_];
      if (c == 'h') {
        ++found.shorts;
      } else if (c == 'l' || c == 'j' || c == 'z' || c == 't' || c == 'L') {
        ++found.longs;
      } else {
        break;
      }
    }
    found.letter = next();
    return found;
  }

 private:
  void number(std::string& to) {
    int value = 0;
    bool is_given = false;
    if (!at_end() && format_[at_] == '*') {
      ++at_;
      value = static_cast<int>(static_cast<std::uint32_t>(read_(4)));
      is_given = true;
    }
    while (!at_end() && format_[at_] >= '0' && format_[at_] <= '9') {
      value = std::min(value * 10 + (format_[at_++] - '0'), kWidest);
      is_given = true;
    }
    if (is_given) to += std::to_string(std::clamp(value, -kWidest, kWidest));
  }

  std::string_view format_;
  std::size_t at_ = 0;
  const std::function<std::uint64_t(unsigned)>& read_;
};

std::string integer(const Conversion& conversion, std::uint64_t bits) {
  const bool is_signed = conversion.letter == 'd' || conversion.letter == 'i';
  std::int64_t value = 0;
  if (conversion.longs > 0) {
    value = static_cast<std::int64_t>(bits);
  } else if (conversion.shorts == 1) {
    value = is_signed ? std::int64_t{static_cast<std::int16_t>(bits)} : std::int64_t{static_cast<std::uint16_t>(bits)};
  } else if (conversion.shorts > 1) {
    value = is_signed ? std::int64_t{static_cast<std::int8_t>(bits)} : std::int64_t{static_cast<std::uint8_t>(bits)};
  } else {
    value = is_signed ? std::int64_t{static_cast<std::int32_t>(bits)} : std::int64_t{static_cast<std::uint32_t>(bits)};
  }
  return formatted(conversion.head + "ll" + conversion.letter, static_cast<long long>(value));
}

}  // namespace

std::string printf_text(std::string_view format, const std::function<std::uint64_t(unsigned)>& read,
                        const std::function<std::string(std::uint64_t)>& text) {
  std::string result;
  Reader reader(format, read);
  while (!reader.at_end()) {
    const char c = reader.next();
    if (c != '%') {
      result += c;
      continue;
    }
    const Conversion conversion = reader.conversion();
    switch (conversion.letter) {
      case '%': result += '%'; break;
      case 'd':
      case 'i':
      case 'u':
      case 'x':
      case 'X':
      case 'o': result += integer(conversion, read(conversion.longs > 0 ? 8 : 4)); break;
      case 'c': result += formatted(conversion.head + 'c', static_cast<int>(read(4))); break;
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A': result += formatted(conversion.head + conversion.letter, std::bit_cast<double>(read(8))); break;
      case 's': result += formatted(conversion.head + 's', text(read(8)).c_str()); break;
      case 'p':
        result +=
            formatted(conversion.head + "s", formatted("0x%llx", static_cast<unsigned long long>(read(8))).c_str());
        break;
      case 'n': read(8); break;
      default: result += conversion.head + conversion.letter; break;
    }
  }
  return result;
}

}  // namespace ambit::virtual_gpu
