#include "api/check/question_turns.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace ambit::api {
namespace {

using Milliseconds = std::chrono::milliseconds;

/// Returns the time for each question: the time until `end`, divided by the number of questions.
Milliseconds part_of(Context::Clock::time_point end, std::size_t count) {
  const auto left = std::chrono::ceil<Milliseconds>(end - Context::Clock::now());
  return std::max(left / static_cast<std::int64_t>(count), Milliseconds(1));
}

}  // namespace

bool answer_in_turn(const std::vector<Question>& questions, Context::Clock::time_point end) {
  std::vector<const Question*> open;
  for (const Question& question : questions) open.push_back(&question);
  Milliseconds had{0};
  for (int round = 0; round < 2 && !open.empty() && (round == 0 || part_of(end, open.size()) > had); ++round) {
    std::vector<const Question*> unanswered;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (i > 0 && Context::Clock::now() >= end) {
        unanswered.push_back(open[i]);
        continue;
      }
      const Milliseconds part = part_of(end, open.size() - i);
      const Context::Clock::time_point until = Context::Clock::now() + part;
      Context context;
      context.set_timeout(part);
      (*open[i])(context);
      if (Context::Clock::now() < until) continue;
      unanswered.push_back(open[i]);
      had = std::max(had, part);
    }
    open = std::move(unanswered);
  }
  return !open.empty();
}

}  // namespace ambit::api
