#include "report/text/result_texts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/plural.h"
#include "report/text/table.h"

namespace ambit::report {
namespace {

/// How many events of a witness are shown: the last ones before the race.
constexpr std::size_t kShownEvents = 12;

std::string_view site_of(const RaceAccess& access, const TraceTables& tables) {
  return access.site == kNoName ? std::string_view{} : std::string_view(tables.sites()[access.site]);
}

std::string thread_of(const RaceAccess& access, const TraceTables& tables) {
  return access.thread == kNoName ? std::string("a thread") : tables.threads()[access.thread].name;
}

std::string location_of(const RaceReport& race, const TraceTables& tables) {
  return race.location == kNoName ? std::string("memory") : tables.locations()[race.location].name;
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

/// The sentence without the two accesses at its beginning: they are shown above it.
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

std::string often_text(const DetectionResult& result, const DetectorFindings& findings, std::size_t race) {
  if (!findings.runs.empty()) return fmt::format("in {} of {}", findings.runs[race], plural(result.runs, "run"));
  const std::uint64_t count = findings.races[race].count;
  return count > 1 ? fmt::format("{} times", count) : "";
}

std::string race_text(const DetectionResult& result, const DetectorFindings& findings, std::size_t index,
                      const SourceLine& source_line, const Style& style) {
  const RaceReport& race = findings.races[index];
  const std::string often = often_text(result, findings, index);
  std::string text = fmt::format("  {} on {}: {}, {} level{}\n", style.bad("race"), location_of(race, result.tables),
                                 to_string(race.kind), to_string(race.level), often.empty() ? "" : ", " + often);
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
  std::string pairs = plural(findings.races.size(), "pair");
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
                         ? fmt::format("{}: {} events\n", result.source, result.events)
                         : fmt::format("{}: {} ({})\n", result.source, plural(result.runs, "run"), result.runs_are);
  if (!result.open_sections.empty()) {
    text += fmt::format("the trace ends inside critical sections: {}\n", fmt::join(result.open_sections, ", "));
  }
  for (const DetectorFindings& findings : result.detectors) {
    if (findings.races.empty() && findings.remarks.empty() && findings.not_judged.empty()) continue;
    text += fmt::format("\n{}\n", style.strong(findings.detector));
    for (std::size_t i = 0; i < findings.races.size(); ++i) text += race_text(result, findings, i, source_line, style);
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
  return table.render() + fmt::format("\n{}: {} with a race, {} without, {} not known\n", plural(all.all(), "input"),
                                      all.racy, all.clean, all.unknown);
}

}  // namespace ambit::report
