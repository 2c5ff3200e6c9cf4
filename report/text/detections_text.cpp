#include "report/text/result_texts.h"

#include <fmt/format.h>

#include "base/plural.h"
#include "report/results/words.h"

namespace ambit::report {

std::string sentence(const Detections::Race& race, const Style& style) {
  return fmt::format("{}, {}: {}, in {}", race.first, race.second, style.bad(race.kind), plural(race.runs, "run"));
}

std::string detections_text(const Detections& found, const Style& style) {
  std::string text = fmt::format("{}: ", style.strong(found.detector));
  if (!found.not_run.empty()) return text + style.doubtful("not run: " + found.not_run) + "\n";
  text += found.races.empty() && found.uncounted == 0
              ? fmt::format("no race in {}\n", plural(found.judged(), "run"))
              : fmt::format("races in {} of {} ({})\n", found.racy, plural(found.judged(), "run"),
                            share(found.racy, found.judged()));
  for (const Detections::Race& race : found.races) text += "  " + sentence(race, style) + "\n";
  if (found.uncounted > 0) text += fmt::format("  and {} more\n", plural(found.uncounted, "report"));
  if (found.without_verdict > 0) {
    text += style.doubtful(fmt::format("  {} without a verdict", plural(found.without_verdict, "run"))) + "\n";
  }
  return text;
}

}  // namespace ambit::report
