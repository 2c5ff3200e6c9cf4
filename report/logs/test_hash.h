#pragma once

#include <string>
#include <string_view>

#include "core/program.h"
#include "model/rules/rules.h"

namespace ambit::report {

/// Returns the MD5 hash of a text as 32 hexadecimal digits.
std::string text_hash(std::string_view text);

/// Returns a hash of a test as 32 hexadecimal digits. The hash depends on the program's memory, threads, instructions,
/// filter and observables. Layout, comments, names and expectations have no effect.
std::string test_hash(const Program& program);

/// Returns a hash of a model as 32 hexadecimal digits. The hash depends on the rules and their names. Options are
/// applied first, and functions and includes are expanded. Layout and unused definitions have no effect.
std::string rules_hash(const rules::Rules& rules);

}  // namespace ambit::report
