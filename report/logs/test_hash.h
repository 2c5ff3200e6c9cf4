#pragma once

#include <string>
#include <string_view>

#include "core/program.h"
#include "model/rules/rules.h"

namespace ambit::report {

/// 32 hexadecimal digits that tell texts apart: their MD5.
std::string text_hash(std::string_view text);

/// 32 hexadecimal digits that tell tests apart: two tests have the same if their memory, threads, instructions, filter
/// and what they observe are the same, however they are laid out and commented and whatever they are called and expect.
/// Made of the program as read, not of its text.
std::string test_hash(const Program& program);

/// 32 hexadecimal digits that tell models apart: two have the same if their rules are the same as read, with the same
/// names, options chosen, and functions and includes expanded, however they are laid out and whatever else is defined.
std::string rules_hash(const rules::Rules& rules);

}  // namespace ambit::report
