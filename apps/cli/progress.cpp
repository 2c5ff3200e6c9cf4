#include "apps/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

namespace ambit::cli {
namespace {

constexpr std::chrono::milliseconds kLivePeriod{50};
constexpr std::chrono::seconds kPlainPeriod{10};
constexpr std::size_t kNameWidth = 48;

}  // namespace

bool is_terminal(int file_descriptor) {
  if (isatty(file_descriptor) == 0) return false;
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) != "dumb";
}

bool wants_color() {
  const char* no_color = std::getenv("NO_COLOR");
  return is_terminal(1) && (no_color == nullptr || *no_color == '\0');
}

Progress::Mode Progress::mode_of(bool quiet) {
  if (quiet) return Mode::Silent;
  return is_terminal(2) ? Mode::Live : Mode::Plain;
}

void Progress::show(std::size_t done, const std::string& current) {
  if (mode_ == Mode::Silent) return;
  const auto now = Clock::now();
  const bool live = mode_ == Mode::Live;
  if (now - last_ < (live ? std::chrono::nanoseconds(kLivePeriod) : std::chrono::nanoseconds(kPlainPeriod))) return;
  last_ = now;
  if (live) {
    const std::string name =
        current.size() <= kNameWidth ? current : "..." + current.substr(current.size() - kNameWidth);
    std::cerr << fmt::format("\r\x1b[K[{}/{}] {}", done, total_, name) << std::flush;
    shown_ = true;
  } else {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - begin_).count();
    std::cerr << fmt::format("ambit: {} of {} tests done after {} s, at {}\n", done, total_, seconds, current);
  }
}

void Progress::clear() {
  if (!shown_) return;
  std::cerr << "\r\x1b[K" << std::flush;
  shown_ = false;
}

}  // namespace ambit::cli
