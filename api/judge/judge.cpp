#include "api/judge/judge.h"

#include <algorithm>

#include "api/files.h"
#include "api/judge/file_judge.h"
#include "base/deadline_flag.h"
#include "parser/cat/model_store.h"

namespace ambit::api {

using report::Judged;
using report::JudgedVerdict;

Result<report::JudgeReport> judge_files(const JudgeRequest& request, const std::atomic<bool>& interrupted) {
  using Clock = FileJudge::Clock;
  const Clock::time_point end = Clock::now() + time_limit(request.checking.timeout_seconds);
  const auto files = collect_files(request.paths);
  if (!files.ok()) return files.errors();
  parser::ModelStore store;
  std::vector<parser::RulesPtr> models;
  if (!request.checking.models.empty()) {
    auto loaded = store.load_all(request.checking.models);
    if (!loaded.ok()) return loaded.errors();
    models = std::move(loaded).value();
  }
  const DeadlineFlag stop(interrupted, time_limit(request.checking.timeout_seconds));
  FileJudge judge(request.checking, std::move(models), store, stop.flag());
  report::JudgeReport report;
  report.timeout_seconds = request.checking.timeout_seconds;
  for (std::size_t i = 0; i < files.value().size(); ++i) {
    const auto left = static_cast<std::int64_t>(files.value().size() - i);
    const Clock::time_point now = Clock::now();
    for (Judged& judged : judge.judge(files.value()[i], now + (std::max(end, now) - now) / left)) {
      report.judged.push_back(std::move(judged));
    }
  }
  report.has_timed_out = stop.reason() == UnknownReason::Timeout;
  report.was_interrupted = stop.reason() == UnknownReason::Interrupted;
  return report;
}

int exit_status(const report::JudgeReport& report) {
  const auto has = [&](const auto& is_wanted) { return std::ranges::any_of(report.judged, is_wanted); };
  if (has([](const Judged& judged) { return report::is_fault(judged.verdict); })) return 1;
  if (has([](const Judged& judged) { return judged.verdict == JudgedVerdict::Unreadable; })) return 2;
  if (has([](const Judged& judged) { return judged.verdict == JudgedVerdict::Unknown; })) return 3;
  return 0;
}

}  // namespace ambit::api
