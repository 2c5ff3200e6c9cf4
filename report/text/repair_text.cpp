#include "report/text/repair_text.h"

#include <fmt/format.h>

#include "base/plural.h"
#include "report/results/words.h"

namespace ambit::report {
namespace {

using repair::Proposal;
using repair::RepairReport;

bool is_fix(const RepairReport& report) { return report.direction == RepairReport::Direction::Fix; }

std::string engines_text(const Proposal& proposal) {
  std::string text;
  for (const repair::EngineAnswer& answer : proposal.answers) {
    text += text.empty() ? "  " : "; ";
    const std::string launch = answer.launch.empty() ? "" : " for the smaller launch";
    text += answer.confirms ? fmt::format("{}: confirmed{}", answer.engine, launch)
                            : fmt::format("{}: not known{} ({})", answer.engine, launch, answer.why_not);
  }
  return text + "\n";
}

std::string outcomes_text(const Proposal& proposal) {
  if (!proposal.changes_data) return "";
  return proposal.keeps_outcomes
             ? "  outcomes: none beyond those of the source under sc\n"
             : "  outcomes: not compared with those of the source under sc (limits reached); a read "
               "may still see an old value\n";
}

std::string proposal_text(const RepairReport& report, const Proposal& proposal, std::size_t rank, const Style& style) {
  std::string text;
  if (is_fix(report)) {
    const char* const which = rank > 0 ? "" : report.is_cheapest ? " (the cheapest)" : " (perhaps not the cheapest)";
    text += style.strong(fmt::format("Fix {}", rank + 1)) + fmt::format(", cost {}{}\n", proposal.cost, which);
  } else {
    text += report.is_cheapest ? "Weaker forms; together they are the weakest that keep the verdicts\n"
                               : "Weaker forms that keep the verdicts together (perhaps not the weakest)\n";
  }
  for (const std::string& change : proposal.changes) text += fmt::format("  {}\n", change);
  return text + engines_text(proposal) + outcomes_text(proposal) + "\n" + proposal.diff;
}

std::string tried_text(const RepairReport& report) {
  std::string text = fmt::format("  {} could change; {} checked", plural(report.places, "place"),
                                 plural(report.checked, "changed program"));
  if (report.undecided > 0) text += fmt::format(", {} without an answer", report.undecided);
  return text + "\n";
}

std::string remedy_text(const RepairReport& report) {
  if (!report.unknown_reason) return {};
  if (*report.unknown_reason == UnknownReason::Timeout) return "; raise --timeout";
  return fmt::format("; {}", remedy(*report.unknown_reason));
}

std::string needed_text(const RepairReport& report) {
  std::string text;
  for (const std::string& words : report.needed) text += fmt::format("  {}\n", words);
  if (!text.empty()) text = "\nNot weaker: each of these changes alone would change the verdicts\n" + text;
  if (!report.barriers.empty()) text += "\nBarriers that stay\n";
  for (const std::string& words : report.barriers) text += fmt::format("  {}\n", words);
  for (const std::string& words : report.notes) text += fmt::format("\nnote: {}\n", words);
  return text;
}

}  // namespace

std::string repair_text(const RepairReport& report, const Style& style) {
  const std::string about = fmt::format("{} under {}", report.test, report.model);
  std::string text;
  switch (report.state) {
    case RepairReport::State::NothingToDo:
      text =
          style.good(is_fix(report) ? "NOTHING TO FIX" : "NOTHING TO RELAX") + "  " + about + ": " + report.goal + "\n";
      if (!is_fix(report))
        text += "No fence, barrier, scope or order can be weaker without a change of these verdicts.\n";
      return text + (is_fix(report) ? "" : tried_text(report) + needed_text(report));
    case RepairReport::State::None:
      return style.bad("NO FIX") + "  " + about + ": " + report.goal + "\n" +
             "No set of the allowed changes achieves the goal: scopes, orders, fences, atomic accesses, locks of the "
             "program, "
             "barriers, blocks of threads.\n" +
             tried_text(report);
    case RepairReport::State::Unknown:
      return style.doubtful("UNKNOWN") + "  " + about + ": " + report.goal + "\n  " + report.why_unknown +
             remedy_text(report) + "\n" + tried_text(report);
    case RepairReport::State::Found: break;
  }
  text = style.good(is_fix(report) ? "FIX" : "RELAX") + "  " + about + ": " + report.goal + "\n" + tried_text(report);
  for (std::size_t i = 0; i < report.proposals.size(); ++i) {
    text += "\n" + proposal_text(report, report.proposals[i], i, style);
  }
  return text + needed_text(report);
}

}  // namespace ambit::report
