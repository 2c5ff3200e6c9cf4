#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ambit::test {

/// An option `--name VALUE`, or the flag `--name` for a bool, and the variable that the option sets.
using ToolOption = std::pair<const char*, std::variant<bool*, int*, unsigned*, std::uint64_t*, double*, std::string*>>;

/// Reads the command line of a test tool and returns the arguments that are not options. Ends the program with status 0
/// after --help. Ends the program with status 2 if an option is unknown, a number is malformed, or there are fewer than
/// `least` other arguments.
std::vector<std::string> read_tool_options(int argc, char** argv, const char* usage,
                                           const std::vector<ToolOption>& options, std::size_t least = 0);

}  // namespace ambit::test
