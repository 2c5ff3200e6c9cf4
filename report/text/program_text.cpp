#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "base/plural.h"
#include "report/text/result_texts.h"
#include "report/text/table.h"

namespace ambit::report {
namespace {

/// Returns the source line of a site. If the compiler inlined the code, adds the lines of the calls.
std::string source_text(const ProgramSite& site, const SourceLine& source_line, const Style& style) {
  std::string text;
  const std::string line = source_line(site.text());
  if (!line.empty()) text += fmt::format("      {}\n", line);
  for (std::size_t i = site.user_place + 1; i < site.places.size(); ++i) {
    const ProgramPlace& place = site.places[i];
    const std::string& inlined = site.places[i - 1].function;
    text += style.faint(
                fmt::format("      {}called in {}:{}", inlined.empty() ? "" : inlined + ", ", place.file, place.line)) +
            "\n";
  }
  return text;
}

std::string access_text(const ProgramAccess& access, const SourceLine& source_line, const Style& style) {
  return fmt::format("    {} {}{}  {}\n{}", access.thread.empty() ? "another thread" : access.thread,
                     access.is_atomic ? "atomic " : "", access.is_write ? "write" : "read",
                     style.strong(access.site.text()), source_text(access.site, source_line, style));
}

template <typename WordOf>
std::vector<std::string> words(const ProgramRacePair& pair, WordOf word_of) {
  std::vector<std::string> all;
  for (const ProgramRace& race : pair.races) {
    std::string word(word_of(race));
    if (std::ranges::find(all, word) == all.end()) all.push_back(std::move(word));
  }
  return all;
}

std::string often_text(const ProgramRacePair& pair, std::uint64_t all_runs) {
  std::uint64_t count = 0;
  std::uint64_t runs = 0;
  for (const ProgramRace& race : pair.races) {
    count = std::max(count, race.count);
    runs = std::max(runs, race.runs);
  }
  const std::string times = count > 1 ? fmt::format(", {} times", count) : "";
  return all_runs > 1 ? fmt::format("{}, in {} of {}", times, runs, plural(all_runs, "run")) : times;
}

std::string pair_text(const ProgramRacePair& pair, const ProgramReport& report, const SourceLine& source_line,
                      const Style& style) {
  const ProgramRace& race = pair.races.front();
  const auto kinds = words(pair, [](const ProgramRace& one) { return to_string(one.kind); });
  const ProgramRaceClass of = pair.race_class();
  const std::string heading(heading_of(of));
  std::string text = fmt::format(
      "{} on {}: {}, {} level{}\n", of == ProgramRaceClass::Ordinary ? style.bad(heading) : style.doubtful(heading),
      race.memory, fmt::join(kinds, " or "), to_string(race.level), often_text(pair, report.runs));
  text += fmt::format("    in {}, launch {}\n", race.kernel, race.launch);
  text += access_text(race.first, source_line, style);
  text += access_text(race.second, source_line, style);
  if (!race.why.empty()) text += fmt::format("    {}\n", race.why);
  if (of != ProgramRaceClass::Ordinary) text += fmt::format("    {}\n", meaning_of(of));
  if (!race.remedy.empty()) {
    const std::string claim(claim_of_remedy(race));
    text += fmt::format("    {} {}\n", race.needs_trial ? style.doubtful(claim) : style.good(claim), race.remedy);
  }
  return text + style.faint(fmt::format("    found by {}", fmt::join(pair.detectors(), ", "))) + "\n";
}

std::string finding_text(const ProgramFinding& finding, const SourceLine& source_line, const Style& style) {
  const std::string kind = finding.is_error ? style.bad(finding.kind) : style.doubtful(finding.kind);
  std::string text = fmt::format("{} in {}{}\n", kind, finding.kernel,
                                 finding.count > 1 ? fmt::format(", {} times", finding.count) : "");
  if (!finding.site.function.empty()) {
    text += fmt::format("    {}  {}\n{}", finding.thread, style.strong(finding.site.text()),
                        source_text(finding.site, source_line, style));
  }
  if (!finding.message.empty()) text += fmt::format("    {}\n", finding.message);
  std::istringstream lines(finding.where);
  for (std::string line; std::getline(lines, line);) text += fmt::format("    {}\n", line);
  return text;
}

std::string summary(const std::vector<ProgramRacePair>& pairs, const ProgramReport& report, const ProgramRun& run,
                    const Style& style) {
  const std::string nothing = !report.errors.empty() ? style.doubtful("not known")
                              : !report.is_complete  ? style.doubtful("none in the part that ran")
                                                     : style.good("none");
  // Some detectors always run, such as the detector of stream races. The table lists these detectors only if they found
  // a race.
  std::vector<std::string> detectors = run.detectors;
  for (const ProgramRace& race : report.races) {
    if (std::ranges::find(detectors, race.detector) == detectors.end()) detectors.push_back(race.detector);
  }
  const auto count = [&](const std::string& detector, bool is_ordinary) {
    return std::ranges::count_if(pairs, [&](const ProgramRacePair& pair) {
      return (pair.race_class() == ProgramRaceClass::Ordinary) == is_ordinary &&
             std::ranges::any_of(pair.races, [&](const ProgramRace& race) { return race.detector == detector; });
    });
  };
  Table table({Table::Align::Left, Table::Align::Left, Table::Align::Left});
  const bool has_others = !pairs.empty() && pairs.back().race_class() != ProgramRaceClass::Ordinary;
  table.add({"detector", "races", has_others ? "other classes" : ""});
  table.add_rule();
  for (const std::string& detector : detectors) {
    const auto ordinary = count(detector, true);
    const auto others = count(detector, false);
    table.add({detector, ordinary == 0 ? nothing : style.bad(std::to_string(ordinary)),
               others == 0 ? "" : style.doubtful(std::to_string(others))});
  }
  return table.render();
}

}  // namespace

std::string program_text(const ProgramReport& report, const ProgramRun& run, const SourceLine& source_line,
                         const Style& style) {
  const std::vector<ProgramRacePair> pairs = race_pairs(report);
  std::string text = style.strong(run.program) + fmt::format(": {} of kernels, {} ({})\n",
                                                             plural(report.launches, "launch", "launches"),
                                                             plural(report.runs, "run"), run.runs_are);
  for (const ProgramRacePair& pair : pairs) text += "\n" + pair_text(pair, report, source_line, style);
  for (const ProgramFinding& finding : report.findings) text += "\n" + finding_text(finding, source_line, style);
  if (!report.errors.empty() || !report.remarks.empty()) text += "\n";
  for (const std::string& error : report.errors) text += error + (error.ends_with('\n') ? "" : "\n");
  for (const std::string& remark : report.remarks) text += fmt::format("note: {}\n", remark);
  if (!report.has_begun) {
    text +=
        "\nthe program did not load the replacement CUDA runtime: nothing was checked\n"
        "  hint: link it with nvcc -cudart shared, and without a fixed path to the runtime (RPATH)\n";
  }
  if (run.has_timed_out) text += fmt::format("\n{}: the program was ended\n", style.doubtful("timeout"));
  for (const std::string& crash : report.crashes) {
    text += fmt::format("\n{}: {}\n    this is a bug of Ambit, not of the program: please report it\n",
                        style.bad("internal error"), crash);
  }
  if (run.signal != 0 && report.crashes.empty())
    text += fmt::format("\n{}: signal {} ended the program\n", style.bad("signal"), run.signal);
  if (run.suppressed != 0) text += fmt::format("\n{} suppressed\n", plural(run.suppressed, "race"));
  if (!run.detectors.empty() && report.has_begun) {
    text += "\n" + summary(pairs, report, run, style);
    if (!run.not_tried.empty()) text += style.faint(fmt::format("not tried: {}", run.not_tried)) + "\n";
  }
  return text;
}

}  // namespace ambit::report
