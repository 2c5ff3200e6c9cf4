#pragma once

#include <functional>
#include <vector>

#include "base/context.h"

namespace ambit::api {

/// A function that finds the answer to a question within the context's limits and stores the answer. A second call
/// overwrites the first answer.
using Question = std::function<void(Context&)>;

/// The initial answer to a question. A question keeps this answer if no time is left for the question.
inline constexpr const char* kNotAnswered = "not asked: no time was left";

/// Asks the questions one after the other until `end`. Each question may take an equal share of the remaining time, so
/// later questions get the time that earlier questions did not use. At the end, a question that used up its share is
/// asked again if more time is available. If no time is left for a question, it is not asked, and its answer stays
/// kNotAnswered. Returns whether any question used up its time or was not asked.
bool answer_in_turn(const std::vector<Question>& questions, Context::Clock::time_point end);

}  // namespace ambit::api
