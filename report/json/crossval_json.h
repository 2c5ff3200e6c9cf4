#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "report/results/crossval.h"

namespace ambit::report {

/// One line of JSON without its end.
std::string crossval_json(const CrossRow& row);
/// The row back. Nothing: the text is none; `why`, if given, then says what does not fit, where it is more than the
/// form.
std::optional<CrossRow> read_crossval(std::string_view line, std::string* why = nullptr);

}  // namespace ambit::report
