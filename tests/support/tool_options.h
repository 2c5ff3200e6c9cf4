#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ambit::test {

/// An option, and a pointer to the variable that the option sets. A bool makes a flag `--name`; else `--name VALUE`.
using ToolOption = std::pair<const char*, std::variant<bool*, int*, unsigned*, std::uint64_t*, double*, std::string*>>;

/// Reads the command line of a test tool and returns the arguments that are not options. After --help, ends the program
/// with status 0. Ends the program with status 2 if an option is unknown, a number is malformed, or fewer than `least`
/// arguments remain.
std::vector<std::string> read_tool_options(int argc, char** argv, const char* usage,
                                           const std::vector<ToolOption>& options, std::size_t least = 0);

}  // namespace ambit::test
