#pragma once

#include <functional>
#include <vector>

#include "core/context.h"

namespace ambit::api {

/// Finds an answer within the context's limits and stores it. A second call replaces the first answer.
using Question = std::function<void(Context&)>;

/// The answer to a question for which no time was left.
inline constexpr const char* kNotAnswered = "not asked: no time was left";

/// Asks the questions one after the other until `end`. Each question may take an equal share of the time that is left.
/// Later questions share the time that earlier questions did not use. In the end, the questions that used up their
/// share get a second turn if there is more time for them. If no time is left for a question, it is not asked, and its
/// answer does not change (kNotAnswered). Returns whether a question used up its time or was not asked.
bool answer_in_turn(const std::vector<Question>& questions, Context::Clock::time_point end);

}  // namespace ambit::api
