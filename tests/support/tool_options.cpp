#include "tool_options.h"

#include <fmt/format.h>
#include <getopt.h>

#include <cstdlib>

namespace ambit::tests {

void ToolOptions::add(std::string name, bool takes_value, std::function<bool(std::string_view)> set) {
  m_options.push_back({.name = std::move(name), .takes_value = takes_value, .set = std::move(set)});
}

void ToolOptions::flag(std::string name, bool& value) {
  add(std::move(name), false, [&value](std::string_view) { return value = true; });
}

void ToolOptions::text(std::string name, std::string& value) {
  add(std::move(name), true, [&value](std::string_view text) {
    value = text;
    return true;
  });
}

void ToolOptions::refuse() const {
  fmt::print(stderr, "{}\n", m_usage);
  std::exit(2);
}

std::vector<std::string> ToolOptions::read(int argc, char** argv, std::size_t least) const {
  std::vector<option> longs;
  for (const Option& known : m_options)
    longs.push_back({known.name.c_str(), known.takes_value ? required_argument : no_argument, nullptr, 0});
  longs.push_back({"help", no_argument, nullptr, 0});
  longs.push_back({nullptr, 0, nullptr, 0});
  int index = 0;
  for (int found = 0; (found = getopt_long(argc, argv, "", longs.data(), &index)) != -1;) {
    if (found != 0) refuse();
    const auto place = static_cast<std::size_t>(index);
    if (place == m_options.size()) {
      fmt::print("{}\n", m_usage);
      std::exit(0);
    }
    const std::string_view value = optarg == nullptr ? "" : optarg;
    if (m_options[place].set(value)) continue;
    fmt::print(stderr, "--{}: '{}' is not a number\n", m_options[place].name, value);
    refuse();
  }
  std::vector<std::string> others(argv + optind, argv + argc);
  if (others.size() < least) refuse();
  return others;
}

}  // namespace ambit::tests
