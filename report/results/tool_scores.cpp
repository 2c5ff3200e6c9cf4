#include "report/results/tool_scores.h"

#include <array>
#include <string_view>

namespace ambit::report {
namespace {

constexpr std::array<std::string_view, 4> kAnswers = {"race", "norace", "no program", "failed"};

}  // namespace

std::string_view to_string(ToolRow::Answer answer) { return kAnswers[static_cast<std::size_t>(answer)]; }

std::optional<ToolRow::Answer> answer_from_string(std::string_view text) {
  for (std::size_t i = 0; i < kAnswers.size(); ++i) {
    if (kAnswers[i] == text) return static_cast<ToolRow::Answer>(i);
  }
  return std::nullopt;
}

ToolScores scores_of(const ToolTable& table) {
  using Answer = ToolRow::Answer;
  ToolScores scores;
  for (const ToolRow& row : table.rows) {
    if (row.answer == Answer::NoProgram) {
      ++scores.no_program;
    } else if (row.answer == Answer::Failed) {
      ++scores.failed;
    } else if (!row.label) {
      ++scores.unlabelled;
    } else if (*row.label) {
      ++(row.answer == Answer::Race ? scores.found : scores.missed);
    } else {
      ++(row.answer == Answer::Race ? scores.false_alarms : scores.silent);
    }
  }
  return scores;
}

}  // namespace ambit::report
