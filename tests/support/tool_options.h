#pragma once

#include <charconv>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ambit::tests {

/// The options of the programs beside the tests (`--name VALUE`, `--flag`), read by getopt_long.
class ToolOptions {
 public:
  /// `usage` is what --help prints.
  explicit ToolOptions(std::string usage) : m_usage(std::move(usage)) {}

  void flag(std::string name, bool& value);
  void text(std::string name, std::string& value);
  template <class Number>
    requires std::is_arithmetic_v<Number>
  void number(std::string name, Number& value) {
    add(std::move(name), true, [&value](std::string_view text) {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      return error == std::errc() && end == text.data() + text.size();
    });
  }

  /// Sets the variables and returns the other arguments. Ends the program after --help (status 0), an unknown option, a
  /// malformed value, or fewer than `least` other arguments (status 2).
  std::vector<std::string> read(int argc, char** argv, std::size_t least = 0) const;

 private:
  struct Option {
    std::string name;
    bool takes_value;
    std::function<bool(std::string_view)> set;
  };
  void add(std::string name, bool takes_value, std::function<bool(std::string_view)> set);
  [[noreturn]] void refuse() const;

  std::string m_usage;
  std::vector<Option> m_options;
};

}  // namespace ambit::tests
