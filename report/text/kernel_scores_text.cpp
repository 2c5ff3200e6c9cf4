#include "report/text/kernel_scores_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/plural.h"
#include "report/text/table.h"

namespace ambit::report {
namespace {

std::string painted(const KernelScore& score, const Style& style) {
  const std::string word = std::string(to_string(score.verdict)) + (score.hides_race() ? ", results equal" : "");
  if (is_wrong(score.verdict)) return style.bad(word);
  return score.verdict == KernelVerdict::Correct ? style.good(word) : style.doubtful(word);
}

std::string results_cell(const KernelScore& score) {
  switch (score.results.state) {
    case KernelResults::State::NotCompared: break;
    case KernelResults::State::Equal: return fmt::format("equal, {}", plural(score.results.runs, "run"));
    case KernelResults::State::Different: return fmt::format("{} wrong", plural(score.results.differences, "element"));
  }
  return "-";
}

/// Names the lines of the places: "lines 5 and 7". Also names the file unless it is the candidate's file.
std::string places_text(const KernelFault& fault, const std::string& file) {
  std::vector<std::string> lines;
  for (const JudgedPlace& place : fault.places) {
    if (place.line == 0) continue;
    const std::string line =
        place.file == file ? fmt::format("{}", place.line) : fmt::format("{}:{}", place.file, place.line);
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
  }
  if (lines.empty()) return {};
  return fmt::format("line{} {}", lines.size() == 1 ? "" : "s", fmt::join(lines, " and "));
}

std::string raced_lines(const KernelScore& score) {
  const KernelFault* race = score.fault(JudgedVerdict::Race);
  if (race == nullptr) return score.coverage ? "none" : "-";
  const std::string lines = places_text(*race, score.file);
  return lines.empty() ? "yes" : lines;
}

std::string fault_cell(const KernelScore& score) {
  std::vector<std::string> faults;
  for (const KernelFault& fault : score.faults) {
    if (fault.kind == JudgedVerdict::Race) continue;
    const std::string lines = places_text(fault, score.file);
    faults.push_back(std::string(to_string(fault.kind)) + (lines.empty() ? "" : ", " + lines));
  }
  if (faults.empty()) return score.coverage ? "none" : "-";
  return fmt::format("{}", fmt::join(faults, "; "));
}

std::string compiles_cell(const KernelScore& score) { return !score.compiles ? "-" : *score.compiles ? "yes" : "no"; }

std::string table_text(const KernelScores& scores, const Style& style) {
  Table table(std::vector<Table::Align>(7, Table::Align::Left));
  table.add({"task", "candidate", "verdict", "compiles", "results", "race", "other fault"});
  table.add_rule();
  for (const ScoredTask& task : scores.tasks) {
    for (const KernelScore& score : task.candidates) {
      table.add({task.name, score.file, painted(score, style), compiles_cell(score), results_cell(score),
                 raced_lines(score), fault_cell(score)});
    }
  }
  return table.render(0);
}

std::string summary_text(const KernelScores& scores) {
  std::vector<std::string> parts;
  std::size_t all = 0;
  for (const auto& [verdict, count] : scores.counts()) {
    all += count;
    std::string part = fmt::format("{} {}", count, to_string(verdict));
    if (verdict == KernelVerdict::Race && scores.hidden_races() > 0) {
      part += fmt::format(" ({} with equal results)", scores.hidden_races());
    }
    parts.push_back(std::move(part));
  }
  return fmt::format("{} of {}: {}\n", plural(all, "candidate"), plural(scores.tasks.size(), "task"),
                     fmt::join(parts, ", "));
}

}  // namespace

std::string kernel_scores_text(const KernelScores& scores, const Style& style) {
  std::string text = table_text(scores, style);
  std::string reasons;
  for (const ScoredTask& task : scores.tasks) {
    if (task.reference.verdict != KernelVerdict::Correct) {
      reasons += fmt::format("{}/{} ({}): {}\n", task.name, task.reference.file, style.doubtful("the reference"),
                             task.reference.reason);
    }
    for (const KernelScore& score : task.candidates) {
      if (score.verdict == KernelVerdict::Correct) continue;
      reasons += fmt::format("{}/{}: {}\n", task.name, score.file, score.reason);
    }
  }
  if (!reasons.empty()) text += "\n" + reasons;
  if (scores.has_timed_out) text += "\nthe time of the command was over before all candidates had a verdict\n";
  if (scores.was_interrupted) text += "\ninterrupted before all candidates had a verdict\n";
  return text + "\n" + summary_text(scores);
}

}  // namespace ambit::report
