#pragma once

#include <functional>
#include <vector>

#include "core/context.h"

namespace ambit::server {

/// Finds an answer within the context's limits and puts it where it belongs; asked again, in place of the first one.
using Question = std::function<void(Context&)>;

/// What stands in place of an answer for which no time was left.
inline constexpr const char* kNotAsked = "not asked: no time was left";

/// Asks one after the other, until `end`. Each may take an equal part of the time that is left: what it does not need
/// is for the others, and at last for those that needed more, which are asked once more where they can have more. Those
/// for which none is left are not asked: what stands where the answer belongs (kNotAsked) stays. True: some took all
/// that they had, or were not asked.
bool ask_in_turn(const std::vector<Question>& questions, Context::Clock::time_point end);

}  // namespace ambit::server
