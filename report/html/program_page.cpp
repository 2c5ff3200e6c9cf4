// The page of a program that ran under detectors: its races and faults, and the sources that the races and faults name.

#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "report/html/pages.h"
#include "report/results/program_races.h"

namespace ambit::report {
namespace {

/// Returns the prefix of a source's line ids, which must differ because a page can show several sources.
std::string page_prefix(std::size_t source) { return fmt::format("s{}-", source); }

/// Returns the index of the source with the path `path`. If no source has this path, returns the number of sources.
std::size_t number_of(const std::vector<SourceFilePtr>& sources, const std::string& path) {
  const auto found = std::ranges::find(sources, path, [](const SourceFilePtr& one) { return one->path; });
  return static_cast<std::size_t>(found - sources.begin());
}

HtmlCell site_cell(const ProgramSite& site, std::string below, const std::vector<SourceFilePtr>& sources) {
  HtmlCell cell;
  cell.text = site.text();
  cell.below = std::move(below);
  if (site.user_place >= site.places.size()) return cell;
  const ProgramPlace& place = site.places[site.user_place];
  const std::size_t number = number_of(sources, place.file);
  if (number < sources.size()) cell.link = fmt::format("#{}L{}", page_prefix(number), place.line);
  return cell;
}

HtmlCell access_cell(const ProgramAccess& access, const std::vector<SourceFilePtr>& sources) {
  const std::string what = fmt::format("{} {}{}", access.thread.empty() ? "another thread" : access.thread,
                                       access.is_atomic ? "atomic " : "", access.is_write ? "write" : "read");
  return site_cell(access.site, what, sources);
}

std::string races_table(const ProgramReport& report, const std::vector<SourceFilePtr>& sources) {
  HtmlTable table("races");
  for (const char* head :
       {"what", "first access", "second access", "memory", "kernel", "why", "would order them", "found by", "times"}) {
    table.head(head);
  }
  for (const ProgramRacePair& pair : race_pairs(report)) {
    const ProgramRace& race = pair.races.front();
    std::uint64_t count = 0;
    for (const ProgramRace& one : pair.races) count = std::max(count, one.count);
    const ProgramRaceClass of = pair.race_class();
    const bool is_ordinary = of == ProgramRaceClass::Ordinary;
    const Tone tone = is_ordinary ? Tone::Bad : Tone::Doubtful;
    table.add({{std::string(heading_of(of)), tone},
               access_cell(race.first, sources),
               access_cell(race.second, sources),
               {race.memory},
               {race.kernel},
               {race.why + (is_ordinary ? "" : "; " + std::string(meaning_of(of))), tone},
               {race.remedy + (race.needs_trial ? " (not tried)" : "")},
               {fmt::format("{}", fmt::join(pair.detectors(), ", "))},
               {std::to_string(count)}});
  }
  return table.empty() ? "<p>No race was found.</p>\n" : table.filter() + table.render();
}

std::string findings_table(const ProgramReport& report, const std::vector<SourceFilePtr>& sources) {
  HtmlTable table("findings");
  for (const char* head : {"what", "where", "kernel", "message", "times"}) table.head(head);
  for (const ProgramFinding& one : report.findings) {
    table.add({{one.kind, one.is_error ? Tone::Bad : Tone::Doubtful},
               site_cell(one.site, one.thread, sources),
               {one.kernel},
               {one.message + (one.where.empty() ? "" : "\n" + one.where)},
               {std::to_string(one.count)}});
  }
  return table.empty() ? "" : "<h2>Faults and warnings</h2>\n" + table.render();
}

}  // namespace

std::string program_page(const ProgramReport& report, const ProgramRun& run,
                         const std::vector<SourceFilePtr>& sources) {
  std::string body =
      fmt::format("<p>{}, {} of kernels, {} ({}).</p>\n<h2>Races</h2>\n",
                  html_text(fmt::format("{}", fmt::join(run.detectors, ", "))),
                  plural(report.launches, "launch", "launches"), plural(report.runs, "run"), html_text(run.runs_are));
  body += races_table(report, sources) + findings_table(report, sources);
  for (const std::string& crash : report.crashes) {
    body += "<p>internal error: " + html_text(crash) + "</p>\n";
  }
  if (!run.not_tried.empty()) body += "<p>Not tried: " + html_text(run.not_tried) + ".</p>\n";
  for (const auto* notes : {&report.errors, &report.remarks}) {
    for (const std::string& note : *notes) body += "<p>" + html_text(note) + "</p>\n";
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    body += "<h2>" + html_text(sources[i]->path) + "</h2>\n" + html_source(*sources[i], page_prefix(i));
  }
  return html_page(run.program, body, true);
}

}  // namespace ambit::report
