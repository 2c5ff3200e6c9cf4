#pragma once

#include "api/check/explanation.h"

namespace ambit::cli {

/// Explains an answer within the limits of the request, and shows the progress on standard error. Replaces `question`
/// by api::smaller_question(). Returns an error if the check fails.
Result<api::Explanation> explained(const api::ExplainRequest& request, api::ExplainQuestion& question,
                                   const explain::RaceOptions& races);

}  // namespace ambit::cli
