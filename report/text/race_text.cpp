#include "report/text/result_texts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/plural.h"
#include "report/text/table.h"

namespace ambit::report {
namespace {

/// Maximum number of a witness's events in a report. A longer witness shows only the last events before the race.
constexpr std::size_t kShownEvents = 12;

std::string_view site_of(const RaceAccess& access, const TraceTables& tables) {
  return access.site == kNoName ? std::string_view{} : std::string_view(tables.sites()[access.site]);
}

std::string thread_of(const RaceAccess& access, const TraceTables& tables) {
  return access.thread == kNoName ? std::string("a thread") : tables.threads()[access.thread].name;
}

std::string access_line(const RaceAccess& access, const TraceTables& tables, const SourceLine& source_line) {
  std::string line = fmt::format("    {} {}{}", thread_of(access, tables), access.is_atomic ? "atomic " : "",
                                 access.is_write ? "write" : "read");
  const std::string_view site = site_of(access, tables);
  if (!site.empty()) line += fmt::format("  {}", site);
  if (access.event != RaceAccess::kNoEvent) line += fmt::format("  event {}", access.event);
  const std::string text = source_line(site);
  if (!text.empty()) line += fmt::format("\n      {}", text);
  return line + "\n";
}

/// Returns the sentence about a race, without the part at its beginning that names the two accesses. The report shows
/// the accesses separately.
std::string reason_of(const RaceReport& race, const TraceTables& tables) {
  const std::string prefix_end = fmt::format("({}): ", site_of(race.second, tables));
  const std::size_t at = race.sentence.find(prefix_end);
  return at == std::string::npos ? race.sentence : race.sentence.substr(at + prefix_end.size());
}

std::string witness_line(const RaceReport& race) {
  const std::vector<std::uint64_t>& witness = *race.witness;
  if (witness.empty()) return "    both accesses can come next at the start\n";
  const std::size_t left_out = witness.size() > kShownEvents ? witness.size() - kShownEvents : 0;
  const std::vector<std::uint64_t> shown(witness.begin() + static_cast<std::ptrdiff_t>(left_out), witness.end());
  return fmt::format("    a run after which both can come next: {}events {}\n",
                     left_out > 0 ? fmt::format("{} events, then ", left_out) : "", fmt::join(shown, " "));
}

std::string often_text(const DetectionResult& result, const ReportedPair& pair, const std::vector<RaceReport>& races) {
  if (!result.is_trace) return fmt::format(", in {} of {}", pair.runs, plural(result.runs, "run"));
  std::uint64_t count = 0;
  for (const RaceReport& race : races) count += race.count;
  return count > 1 ? fmt::format(", {} times", count) : "";
}

/// Returns the words that `word_of` returns for the races, without duplicates, in the order of first occurrence.
template <typename WordOf>
std::vector<std::string> words(const std::vector<RaceReport>& races, WordOf word_of) {
  std::vector<std::string> all;
  for (const RaceReport& race : races) {
    std::string word(word_of(race));
    if (std::ranges::find(all, word) == all.end()) all.push_back(std::move(word));
  }
  return all;
}

/// Describes what all races of a pair have in common. Then describes one of these races and, if it has a witness, shows
/// the witness.
std::string race_text(const DetectionResult& result, const DetectorFindings& findings, const ReportedPair& pair,
                      const SourceLine& source_line, const Style& style) {
  std::vector<RaceReport> races;
  for (const std::size_t index : pair.races) races.push_back(findings.races[index]);
  const auto kinds = words(races, [](const RaceReport& race) { return to_string(race.kind); });
  const auto levels = words(races, [](const RaceReport& race) { return to_string(race.level); });
  std::string text = fmt::format("  {} on {}: {}, {} level{}", style.bad("race"), cells_of(races, result.tables),
                                 fmt::join(kinds, " or "), fmt::join(levels, " or "), often_text(result, pair, races));
  const std::size_t thread_pairs = count_thread_pairs(races);
  text += thread_pairs > 1 ? fmt::format("; {} pairs of threads, such as\n", thread_pairs) : "\n";
  const auto shown = std::ranges::find_if(races, [](const RaceReport& race) { return race.witness.has_value(); });
  const RaceReport& race = shown == races.end() ? races.front() : *shown;
  text += access_line(race.first, result.tables, source_line);
  text += access_line(race.second, result.tables, source_line);
  const std::string reason = reason_of(race, result.tables);
  if (!reason.empty()) text += fmt::format("    {}\n", reason);
  if (race.witness) text += witness_line(race);
  return text;
}

std::string found_text(const DetectionResult& result, const DetectorFindings& findings) {
  if (!findings.not_judged.empty()) return "not judged";
  if (findings.races.empty()) return findings.is_open ? "not known" : "none";
  std::string pairs = plural(findings.pairs.size(), "pair");
  if (result.is_trace) return pairs;
  return fmt::format("{}, in {} of {}", pairs, findings.racy_runs, plural(result.runs, "run"));
}

std::string summary(const DetectionResult& result, const Style& style) {
  Table table({Table::Align::Left, Table::Align::Left});
  table.add({"detector", "races"});
  table.add_rule();
  for (const DetectorFindings& findings : result.detectors) {
    const std::string found = found_text(result, findings);
    table.add({findings.detector, findings.is_unknown()    ? style.doubtful(found)
                                  : findings.races.empty() ? style.good(found)
                                                           : style.bad(found)});
  }
  return table.render();
}

}  // namespace

std::string detection_text(const DetectionResult& result, const SourceLine& source_line, const Style& style) {
  std::string text = result.is_trace
                         ? fmt::format("{}: {} events{}\n", result.source, result.events,
                                       result.incomplete.empty() ? "" : fmt::format(" ({})", result.incomplete))
                         : fmt::format("{}: {} ({})\n", result.source, plural(result.runs, "run"), result.runs_are);
  if (!result.is_trace && !result.incomplete.empty()) {
    text += style.doubtful(fmt::format("the runs do not show that there is no race: {}", result.incomplete)) + "\n";
  }
  if (!result.open_sections.empty()) {
    text += fmt::format("the trace ends inside critical sections: {}\n", fmt::join(result.open_sections, ", "));
  }
  for (const DetectorFindings& findings : result.detectors) {
    if (findings.races.empty() && findings.remarks.empty() && findings.not_judged.empty()) continue;
    text += fmt::format("\n{}\n", style.strong(findings.detector));
    for (const ReportedPair& pair : findings.pairs) text += race_text(result, findings, pair, source_line, style);
    for (const std::string& remark : findings.remarks) text += fmt::format("  {}\n", remark);
    if (!findings.not_judged.empty())
      text += fmt::format("  {}: {}\n", style.doubtful("not judged"), findings.not_judged);
  }
  return text + "\n" + summary(result, style);
}

std::string detection_totals_text(const DetectionTotals& totals, const Style& style) {
  Table table({Table::Align::Left, Table::Align::Right, Table::Align::Right, Table::Align::Right});
  table.add({"detector", "race", "no race", "not known"});
  table.add_rule();
  const auto cell = [](std::uint64_t count, const std::string& coloured) {
    return count == 0 ? std::string("0") : coloured;
  };
  for (const auto& [detector, counts] : totals.detectors()) {
    table.add({detector, cell(counts.racy, style.bad(fmt::format("{}", counts.racy))), fmt::format("{}", counts.clean),
               cell(counts.unknown, style.doubtful(fmt::format("{}", counts.unknown)))});
  }
  const DetectionTotals::Counts& all = totals.inputs();
  const std::string unread =
      totals.unread() == 0 ? std::string() : ", " + style.bad(fmt::format("{} not read", totals.unread()));
  return table.render() + fmt::format("\n{}: {} with a race, {} without, {} not known{}\n",
                                      plural(all.all() + totals.unread(), "input"), all.racy, all.clean, all.unknown,
                                      unread);
}

}  // namespace ambit::report
