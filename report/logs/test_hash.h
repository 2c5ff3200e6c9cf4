#pragma once

#include <string>
#include <string_view>

#include "core/program.h"
#include "model/rules/rules.h"

namespace ambit::report {

/// Returns 32 hexadecimal digits that identify a text: its MD5.
std::string text_hash(std::string_view text);

/// Returns 32 hexadecimal digits that identify a test. They are equal for two tests with the same memory, threads,
/// instructions, filter and observables, regardless of layout, comments, names and expectations. Computed from the
/// program, not from its text.
std::string test_hash(const Program& program);

/// Returns 32 hexadecimal digits that identify a model. They are equal for two models with the same rules as read, with
/// the same names, the chosen options applied, and functions and includes expanded, regardless of layout and unused
/// definitions.
std::string rules_hash(const rules::Rules& rules);

}  // namespace ambit::report
