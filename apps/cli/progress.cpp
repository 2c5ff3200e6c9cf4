#include "apps/cli/progress.h"

#include <fmt/format.h>

#include <iostream>

#include "apps/cli/terminal.h"

namespace ambit::cli {
namespace {

constexpr std::chrono::milliseconds kLivePeriod{50};
constexpr std::chrono::seconds kPlainPeriod{10};
constexpr std::size_t kNameWidth = 48;

}  // namespace

Progress::Mode Progress::mode_of(bool quiet) {
  if (quiet) return Mode::Silent;
  return is_terminal(2) ? Mode::Live : Mode::Plain;
}

void Progress::show(std::size_t done, const std::string& current, const std::string& question) {
  if (mode_ == Mode::Silent) return;
  const auto now = Clock::now();
  const bool live = mode_ == Mode::Live;
  if (now - last_ < (live ? std::chrono::nanoseconds(kLivePeriod) : std::chrono::nanoseconds(kPlainPeriod))) return;
  last_ = now;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - begin_).count();
  if (live) {
    std::string name = current.size() <= kNameWidth ? current : "..." + current.substr(current.size() - kNameWidth);
    if (!question.empty()) name += "  " + question;
    // The line must fit, because a line that the terminal wraps cannot be erased.
    const std::size_t width = terminal_width(2);
    std::string line = fmt::format("[{}/{}, {} s] {}", done, total_, seconds, name);
    if (width > 0 && line.size() >= width) line.resize(width - 1);
    std::cerr << "\r\x1b[K" << line << std::flush;
    shown_ = true;
  } else {
    std::cerr << fmt::format("ambit: {} of {} tests done after {} s, at {}{}\n", done, total_, seconds, current,
                             question.empty() ? "" : fmt::format(" ({})", question));
  }
}

void Progress::clear() {
  if (!shown_) return;
  std::cerr << "\r\x1b[K" << std::flush;
  shown_ = false;
}

}  // namespace ambit::cli
