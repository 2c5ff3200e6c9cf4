#include "report/text/result_texts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/plural.h"
#include "report/text/table.h"

namespace ambit::report {
namespace {

using events::Possibility;

constexpr std::size_t kColumn = 2;

std::string mark(const ValidationTest& test, const ValidationFinding& finding) {
  if (!finding.not_judged.empty()) return "-";
  if (!finding.failure.empty()) return "!";
  if (finding.always(test.runs)) return "x";
  if (finding.found()) return "~";
  return test.is_silent(finding) ? "." : "?";
}

/// Colours an answer: good if it agrees with the label, and bad if it does not.
std::string colored(const ValidationTest& test, bool says_race, const std::string& text, const Style& style) {
  if (!test.label || text == "-" || text == "?" || text == "!") return text;
  return says_race == *test.label ? style.good(text) : style.bad(text);
}

std::string verdict_mark(const ValidationVerdict& verdict) {
  if (!verdict.not_judged.empty()) return "-";
  switch (verdict.race) {
    case Possibility::Possible: return "x";
    case Possibility::Impossible: return ".";
    case Possibility::Unknown: break;
  }
  return "?";
}

/// Writes each column title on a separate line above its column, so that a column needs only two characters. Vertical
/// bars connect each title with its column. `heads` is the text at the beginning of the last line.
std::string column_heads(const std::vector<std::string>& left, const std::vector<std::string>& right,
                         const std::string& heads) {
  std::vector<std::pair<std::size_t, std::string>> titles;  // each title with the position of its column
  std::size_t column = heads.size();
  const auto add = [&](const std::string& name) {
    titles.emplace_back(column, name);
    column += kColumn;
  };
  for (const std::string& name : left) add(name);
  ++column;
  add("oracle");
  ++column;
  for (const std::string& name : right) add(name);
  std::string text;
  std::string bars(heads.size(), ' ');
  for (const auto& [at, name] : titles) {
    bars.resize(at, ' ');
    text += fmt::format("{}{}\n", bars, name);
    bars += '|';
  }
  return text + heads + bars.substr(heads.size()) + "\n";
}

std::string label_text(const ValidationTest& test) {
  if (!test.label) return "-";
  return *test.label ? "race" : "norace";
}

std::string oracle_mark(const ValidationTest& test) {
  if (test.predictable_runs > 0) return "P";
  if (test.unordered_runs > 0) return "u";
  return test.oracle_is_open ? "?" : ".";
}

bool has_failures(const Validation& validation) {
  return std::ranges::any_of(validation.tests, [](const ValidationTest& test) {
    return std::ranges::any_of(test.findings, [](const auto& finding) { return !finding.failure.empty(); });
  });
}

std::string test_table(const Validation& validation, const Style& style) {
  std::size_t width = 4;
  for (const ValidationTest& test : validation.tests) width = std::max(width, test.name.size());
  const std::string heads = fmt::format("{}  {:<6}  {:>5}  ", pad("test", width), "label", "runs");
  std::string text = column_heads(validation.detectors, validation.models, heads);
  for (const ValidationTest& test : validation.tests) {
    if (!test.is_usable()) continue;
    text += fmt::format("{}  {:<6}  {:>5}  ", pad(test.name, width), label_text(test), test.runs);
    for (const ValidationFinding& finding : test.findings) {
      text += colored(test, finding.found(), mark(test, finding), style) + std::string(kColumn - 1, ' ');
    }
    const std::string oracle = oracle_mark(test);
    text += " " + oracle + "  ";
    for (const ValidationVerdict& verdict : test.verdicts) {
      const bool says_race = verdict.race == Possibility::Possible;
      text += colored(test, says_race, verdict_mark(verdict), style) + std::string(kColumn - 1, ' ');
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text +
         fmt::format("\nx race in every run or by the model   ~ in some runs   . none   - not judged   ? not known{}\n",
                     has_failures(validation) ? "   ! the detector failed" : "") +
         "oracle: P some reordering of a run brings two conflicting accesses together;\n"
         "        u nothing synchronises two conflicting accesses, but no reordering brings them together\n";
}

std::string counts_table(const Validation& validation) {
  using Align = Table::Align;
  Table table({Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right,
               Align::Right, Align::Right, Align::Right});
  table.add({"", "racy tests", "in every", "false", "missed", "right", "not", "not", "by the oracle:", ""});
  table.add(
      {"detector", "found", "run", "positives", "races", "silence", "judged", "known", "false positives", "missed"});
  table.add_rule();
  for (std::size_t i = 0; i < validation.detectors.size(); ++i) {
    const ValidationCounts label = count(validation, i, Against::Label);
    const ValidationCounts oracle = count(validation, i, Against::Oracle);
    table.add({validation.detectors[i],
               fmt::format("{} of {}", label.true_positives, label.true_positives + label.false_negatives),
               std::to_string(label.in_every_run), std::to_string(label.false_positives),
               std::to_string(label.false_negatives), std::to_string(label.true_negatives),
               std::to_string(label.not_judged), std::to_string(label.not_known),
               std::to_string(oracle.false_positives), std::to_string(oracle.false_negatives)});
  }
  return table.render();
}

/// Returns the first schedule in which the detector reported no race.
std::string missed_schedule(const ValidationTest& test, const ValidationFinding& finding) {
  const auto missed =
      std::ranges::find_if(finding.racy, [](std::optional<bool> racy) { return !racy.value_or(false); });
  const auto run = static_cast<std::size_t>(missed - finding.racy.begin());
  return run < test.schedules.size() ? test.schedules[run] : fmt::format("run {}", run);
}

/// Returns the reasons, without duplicates, of the test's expectations for models with the verdict `race`.
std::vector<std::string> reasons_for(const ValidationTest& test, Possibility race) {
  std::vector<std::string> reasons;
  for (const ValidationVerdict& verdict : test.verdicts) {
    if (verdict.race != race || verdict.because.empty()) continue;
    const bool is_new = std::find(reasons.begin(), reasons.end(), verdict.because) == reasons.end();
    if (is_new) reasons.push_back(verdict.because);
  }
  return reasons;
}

/// Describes a race that detectors report only in some runs of a test. Returns a line for each group of detectors that
/// miss the race in the same runs, and then the reasons why models find a race.
std::string sometimes_in(const Validation& validation, const ValidationTest& test) {
  std::vector<std::pair<const ValidationFinding*, std::vector<std::string>>> groups;
  for (std::size_t i = 0; i < test.findings.size(); ++i) {
    const ValidationFinding& finding = test.findings[i];
    if (!finding.found() || finding.always(test.runs)) continue;
    auto known = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& group) { return group.first->racy == finding.racy; });
    if (known == groups.end()) known = groups.emplace(groups.end(), &finding, std::vector<std::string>{});
    known->second.push_back(validation.detectors[i]);
  }
  if (groups.empty()) return {};
  std::string text = fmt::format("  {}\n", test.name);
  for (const auto& [finding, detectors] : groups) {
    text += fmt::format("    {}: in {} of {} runs; not where {}\n", fmt::join(detectors, ", "), finding->racy_runs,
                        test.runs, missed_schedule(test, *finding));
  }
  for (const std::string& reason : reasons_for(test, Possibility::Possible)) text += fmt::format("    {}\n", reason);
  return text;
}

std::string sometimes(const Validation& validation) {
  std::string text;
  for (const ValidationTest& test : validation.tests) {
    if (test.is_usable()) text += sometimes_in(validation, test);
  }
  return text.empty() ? text : "\nraces that are found in some schedules only\n" + text;
}

std::vector<std::string> detectors_that(const Validation& validation, const ValidationTest& test, bool say_race) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < test.findings.size(); ++i) {
    const ValidationFinding& finding = test.findings[i];
    if (say_race ? finding.found() : test.is_silent(finding)) names.push_back(validation.detectors[i]);
  }
  return names;
}

std::string disagreements(const Validation& validation) {
  std::string text;
  for (const ValidationTest& test : validation.tests) {
    if (!test.is_usable() || !test.label) continue;
    const Possibility other = *test.label ? Possibility::Impossible : Possibility::Possible;
    std::vector<std::string> models;
    for (std::size_t i = 0; i < test.verdicts.size(); ++i) {
      if (test.verdicts[i].race == other) models.push_back(validation.models[i]);
    }
    const std::vector<std::string> detectors = detectors_that(validation, test, !*test.label);
    if (models.empty() && detectors.empty()) continue;
    text += fmt::format("  {} (label: {})\n", test.name, label_text(test));
    const char* verb = *test.label ? "norace" : "race";
    if (!models.empty()) text += fmt::format("    {} by the models {}\n", verb, fmt::join(models, ", "));
    if (!detectors.empty()) text += fmt::format("    {} by the detectors {}\n", verb, fmt::join(detectors, ", "));
    for (const std::string& reason : reasons_for(test, other)) text += fmt::format("    {}\n", reason);
    if (!test.because.empty()) text += fmt::format("    the label: {}\n", test.because);
  }
  return text.empty() ? text : "\nwhere label, model and detector disagree\n" + text;
}

/// Returns the refuted races, either those with or those without unordered accesses. For each pair of accesses, a line
/// names the detectors that reported it.
std::string refuted_lines(const Validation& validation, bool unordered) {
  std::string text;
  for (const ValidationTest& test : validation.tests) {
    std::vector<std::pair<std::string, std::vector<std::string>>> pairs;
    for (const RefutedRace& refuted : test.refuted) {
      if (refuted.is_unordered != unordered) continue;
      auto known = std::find_if(pairs.begin(), pairs.end(), [&](const auto& one) { return one.first == refuted.race; });
      if (known == pairs.end()) known = pairs.emplace(pairs.end(), refuted.race, std::vector<std::string>{});
      known->second.push_back(fmt::format("{} in run {}", refuted.detector, refuted.run));
    }
    for (const auto& [race, detectors] : pairs) {
      text += fmt::format("  {}: {}\n    {}\n", test.name, race, fmt::join(detectors, ", "));
    }
  }
  return text;
}

std::string refutations(const Validation& validation) {
  const std::string unordered = refuted_lines(validation, true);
  const std::string refuted = refuted_lines(validation, false);
  std::string text;
  if (!unordered.empty()) {
    text += "\nfirst races between accesses that nothing synchronises, but that no reordering brings together\n" +
            unordered;
  }
  if (refuted.empty()) {
    if (std::ranges::none_of(validation.tests, &ValidationTest::is_usable)) return text;
    return text + (unordered.empty()
                       ? "\nthe oracle refuted no first race that a detector claims to be real\n"
                       : "\nbesides these, the oracle refuted no first race that a detector claims to be real\n");
  }
  return text + "\nfirst races that the oracle refutes\n" + refuted;
}

/// For each detector that failed and each reason, returns a line with the first test and the number of other tests.
std::string failures(const Validation& validation) {
  std::string text;
  for (std::size_t i = 0; i < validation.detectors.size(); ++i) {
    std::vector<std::pair<std::string, std::vector<std::string>>> reasons;  // each reason with its tests
    for (const ValidationTest& test : validation.tests) {
      if (!test.is_usable() || test.findings[i].failure.empty()) continue;
      const std::string& why = test.findings[i].failure;
      auto known = std::ranges::find_if(reasons, [&](const auto& one) { return one.first == why; });
      if (known == reasons.end()) known = reasons.emplace(reasons.end(), why, std::vector<std::string>{});
      known->second.push_back(test.name);
    }
    for (const auto& [why, tests] : reasons) {
      const std::string more = tests.size() == 1 ? "" : fmt::format(" and {}", plural(tests.size() - 1, "other test"));
      text += fmt::format("  {}: {}{}: {}\n", validation.detectors[i], tests.front(), more, why);
    }
  }
  return text.empty() ? text : "\ndetectors that failed\n" + text;
}

std::string troubles(const Validation& validation) {
  std::string text;
  std::size_t not_run = 0;
  for (const ValidationTest& test : validation.tests) {
    not_run += test.was_run ? 0 : 1;
    for (const std::string& unmet : test.unmet) text += fmt::format("  {}: {}\n", test.name, unmet);
  }
  if (!text.empty()) text = "\nexpectations about detectors that were not met\n" + text;
  std::string incomplete;
  for (const ValidationTest& test : validation.tests) {
    if (!test.incomplete.empty()) incomplete += fmt::format("  {}: {}\n", test.name, test.incomplete);
  }
  if (!incomplete.empty()) text += "\ntests whose runs do not show that there is no race\n" + incomplete;
  if (not_run > 0) text += fmt::format("\ninterrupted: {} not run\n", plural(not_run, "test was", "tests were"));
  return failures(validation) + text;
}

}  // namespace

std::string validation_text(const Validation& validation, const Style& style) {
  if (std::ranges::none_of(validation.tests, &ValidationTest::is_usable)) return validation_notes(validation);
  return suites_text(validation.suites) + test_table(validation, style) + "\n" + counts_table(validation) +
         validation_notes(validation);
}

std::string validation_notes(const Validation& validation) {
  return sometimes(validation) + disagreements(validation) + refutations(validation) + troubles(validation);
}

}  // namespace ambit::report
