#pragma once

#include <functional>
#include <vector>

#include "core/context.h"

namespace ambit::api {

/// Finds an answer within the context's limits and stores it. A second call replaces the first answer.
using Question = std::function<void(Context&)>;

/// The answer to a question for which no time was left.
inline constexpr const char* kNotAnswered = "not asked: no time was left";

/// Asks the questions one after the other until `end`. Each may take an equal share of the time that is left. Unused
/// time goes to the later questions, and at last to the questions that used up their share: they get a second turn
/// if they can have more time. A question without any time left is not asked; its answer remains as it was
/// (kNotAnswered). Returns whether some question used up its time or was not asked.
bool answer_in_turn(const std::vector<Question>& questions, Context::Clock::time_point end);

}  // namespace ambit::api
