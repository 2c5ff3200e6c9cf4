#pragma once

#include <atomic>

#include "api/check/checking_options.h"
#include "api/check/explanation.h"
#include "model/verdict/verdict.h"

namespace ambit::api {

/// Returns the same question about a smaller launch of the kernel, because an explanation of a large launch is long and
/// slow. Chooses the smallest launch that has the answer of the large launch: a race of the same two statements, or no
/// race. If the answer of the large launch is unknown, chooses the smallest launch with a race. A remark of the program
/// names the launch. Returns `question` if it is not about a race, if its launch is not large (is_large_launch()), or
/// if no smaller launch has its answer.
ExplainQuestion smaller_question(const ExplainQuestion& question, const CheckingOptions& options,
                                 verdict::Checker& checker, const std::atomic<bool>& interrupted);

}  // namespace ambit::api
