#include "tests/support/tool_options.h"

#include <fmt/format.h>
#include <getopt.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace ambit::test {
namespace {

bool set(bool* flag, std::string_view) { return *flag = true; }

bool set(std::string* value, std::string_view text) {
  *value = text;
  return true;
}

template <class Number>
bool set(Number* value, std::string_view text) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::vector<std::string> read_tool_options(int argc, char** argv, const char* usage,
                                           const std::vector<ToolOption>& options, std::size_t least) {
  const auto end_program = [&](int status) {
    fmt::print(status == 0 ? stdout : stderr, "{}\n", usage);
    std::exit(status);
  };
  std::vector<option> known;
  for (const auto& [name, value] : options)
    known.push_back({name, std::holds_alternative<bool*>(value) ? no_argument : required_argument, nullptr, 0});
  known.push_back({"help", no_argument, nullptr, 0});
  known.push_back({});
  int index = 0;
  for (int found = 0; (found = getopt_long(argc, argv, "", known.data(), &index)) != -1;) {
    const auto place = static_cast<std::size_t>(index);
    if (found != 0 || place == options.size()) end_program(found == 0 ? 0 : 2);
    const std::string_view text = optarg == nullptr ? "" : optarg;
    if (!std::visit([&](auto* value) { return set(value, text); }, options[place].second)) end_program(2);
  }
  std::vector<std::string> others(argv + optind, argv + argc);
  if (others.size() < least) end_program(2);
  return others;
}

}  // namespace ambit::test
