#include "apps/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>

namespace ambit::cli {

bool is_terminal(int file_descriptor) {
  if (isatty(file_descriptor) == 0) return false;
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::size_t terminal_width(int file_descriptor) {
  if (isatty(file_descriptor) == 0) return 0;
  const char* columns = std::getenv("COLUMNS");
  const std::string_view text = columns != nullptr ? columns : "";
  std::size_t width = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
  if (error == std::errc() && end == text.data() + text.size() && width > 0) return width;
  struct winsize size = {};
  return ioctl(file_descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

report::Style output_style() {
  const char* no_color = std::getenv("NO_COLOR");
  report::Style style;
  style.color = is_terminal(1) && (no_color == nullptr || *no_color == '\0');
  return style;
}

std::string fitted(std::string_view text) { return report::fitted(text, terminal_width(1)); }

}  // namespace ambit::cli
