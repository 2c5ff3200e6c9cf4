#include "apps/cli/explained.h"

#include <optional>

#include "api/check/smaller_question.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/progress.h"
#include "base/activity.h"
#include "base/parallel_for.h"

namespace ambit::cli {

Result<api::Explanation> explained(const api::ExplainRequest& request, api::ExplainQuestion& question,
                                   const explain::RaceOptions& races) {
  const std::atomic<bool>& interrupted = catch_interrupts();
  Activity activity;
  activity.start(verdict::model_name(*question.rules));
  std::optional<Result<api::Explanation>> answer;
  const auto explain = [&](std::size_t) {
    verdict::Checker checker;
    question = api::smaller_question(question, request.checking, checker, interrupted);
    Context context;
    context.set_activity(&activity);
    api::set_limits(context, request.checking, interrupted);
    answer = api::explain_question(question, checker, api::engine_options(request.checking), races, context);
  };
  Progress progress(Progress::mode_of(false), 1);
  const auto waiting = [&](std::size_t, std::size_t done) { progress.show(done, request.file, activity.words()); };
  parallel_for(1, [&] { return explain; }, {.threads = 1, .waiting = waiting});
  return *std::move(answer);
}

}  // namespace ambit::cli
