#include "model/verdict/opaque.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace ambit::verdict {
namespace {

using events::Possibility;

std::string detail_of(const OpaqueUse& use) {
  const bool has_place = use.span.line > 0;
  const std::string place = has_place ? fmt::format(" (line {}, column {})", use.span.line, use.span.column) : "";
  return fmt::format("{}{} depends on a floating-point or other value that Ambit does not follow", to_string(use.kind),
                     place);
}

void set_unknown(Verdict& verdict, const OpaqueUse& use) {
  verdict.unknown = verdict.answers.unknown = UnknownReason::Opaque;
  verdict.unknown_detail = verdict.answers.unknown_detail = detail_of(use);
}

}  // namespace

std::optional<OpaqueUse> use_that_hides_everything(const Program& program) {
  const auto found = std::ranges::find_if(program.opaque_uses, &OpaqueUse::hides_everything);
  return found == program.opaque_uses.end() ? std::nullopt : std::optional(*found);
}

void leave_unknown(Verdict& verdict, const OpaqueUse& use) {
  verdict.answers = {};
  verdict.answers.flags.resize(verdict.rules->flags.size());
  verdict.answers.incidents.resize(verdict.graph->incidents.size());
  verdict.frequency.reset();
  verdict.condition_holds.reset();
  verdict.race = Possibility::Unknown;
  set_unknown(verdict, use);
}

void limit_by_opaque_uses(Verdict& verdict, const events::Questions& questions) {
  const Program& program = *verdict.graph->program;
  for (const OpaqueUse& use : program.opaque_uses) {
    if (use.is_explored) {
      verdict.answers.executions.reset();
      verdict.answers.executions_holding.reset();
    }
    if (use.kind != OpaqueUse::Kind::Condition) continue;
    verdict.frequency.reset();
    verdict.condition_holds.reset();
    verdict.answers.holds = verdict.answers.fails = {};
    verdict.answers.outcomes.clear();
    if (questions.proposition || questions.outcomes) set_unknown(verdict, use);
  }
}

std::string opaque_assumption(const Program& program) {
  std::set<std::uint32_t> lines;
  for (const OpaqueUse& use : program.opaque_uses) {
    if (use.is_explored) lines.insert(use.span.line);
  }
  if (lines.empty()) return {};
  return fmt::format("if the branch{} in line{} {} can go either way", lines.size() == 1 ? "" : "es",
                     lines.size() == 1 ? "" : "s", fmt::join(lines, ", "));
}

}  // namespace ambit::verdict
