#include <atomic>
#include <chrono>
#include <vector>

#include "api/edit/repair.h"
#include "apps/server/requests.h"
#include "model/verdict/verdict.h"

namespace ambit::server {
namespace {

constexpr std::size_t kMostFixes = 4;

const char* word_of(repair::RepairReport::State state) {
  using State = repair::RepairReport::State;
  switch (state) {
    case State::NothingToDo: return "nothing to do";
    case State::Found: return "found";
    case State::None: return "none";
    case State::Unknown: break;
  }
  return "unknown";
}

}  // namespace

Json fix(const Request& request) {
  const auto program = program_of(request);
  const std::vector<parser::RulesPtr> models = models_or_default(request, *program);
  Json fixes = Json::array();
  Json not_asked = Json::array();
  for (const parser::RulesPtr& rules : models) {
    const std::chrono::duration<double> left = request.end - Context::Clock::now();
    if (fixes.size() == kMostFixes || left.count() <= 0) {
      not_asked.push_back(verdict::model_name(*rules));
      continue;
    }
    api::CheckingOptions checking;
    checking.timeout_seconds = left.count() / 4;  // a search asks several questions; this timeout applies to each
    const std::atomic<bool> interrupted{false};
    const auto report = api::fix_program(program, rules, checking, interrupted);
    if (!report.ok()) continue;  // the test has no condition, and the model does not define races
    Json& one = fixes.emplace_back(
        Json{{"model", report.value().model}, {"goal", report.value().goal}, {"state", word_of(report.value().state)}});
    if (report.value().proposals.empty()) continue;
    const repair::Proposal& proposal = report.value().proposals.front();
    one["changes"] = proposal.changes;
    one["diff"] = proposal.diff;
    one["text"] = proposal.text;
  }
  return {{"fixes", fixes}, {"not_asked", not_asked}};
}

}  // namespace ambit::server
