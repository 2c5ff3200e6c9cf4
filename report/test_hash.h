#pragma once

#include <string>
#include <string_view>

#include "core/program.h"

namespace ambit::report {

/// 32 hexadecimal digits that tell texts apart: their MD5.
std::string text_hash(std::string_view text);

/// 32 hexadecimal digits that tell tests apart: two tests have the same if their memory, threads, instructions, filter
/// and what they observe are the same, however they are laid out and commented and whatever they are called and expect.
/// Made of the program as read, not of its text.
std::string test_hash(const Program& program);

}  // namespace ambit::report
