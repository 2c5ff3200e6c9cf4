#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "report/results/kernel_scores.h"

namespace ambit::report {

/// Returns the answer of `ambit judge --suite` as one JSON document (docs/reference/judge-suite.schema.json); ends in a
/// newline. `status`: the exit status of the command.
std::string kernel_scores_json(const KernelScores& scores, int status, std::string_view version);

/// Returns the score of one candidate as JSON: an element of the document.
std::string kernel_score_json(const KernelScore& score);
/// Reads a text that kernel_score_json() returned. Returns nothing if the text is incomplete or malformed.
std::optional<KernelScore> read_kernel_score(std::string_view text);

}  // namespace ambit::report
