#pragma once

#include <memory>
#include <string>

#include "model/explain/outcome_causes.h"
#include "model/explain/race_causes.h"
#include "report/text/style.h"

namespace ambit::report {

inline constexpr std::size_t kTextWidth = 110;
struct ExplainOptions {
  bool full = false;               ///< whether to show every path, pair and step (even beyond kScreen lines)
  std::size_t width = kTextWidth;  ///< maximum columns of a line; kUnbroken to leave lines unbroken
};
inline constexpr std::size_t kUnbroken = static_cast<std::size_t>(-1);
inline constexpr std::size_t kScreen = 40;

/// The question about a test's own condition. For `forall`, the question is whether the condition can fail.
struct OwnQuestion {
  std::shared_ptr<const Program> program;  ///< the program; its proposition is the question
  std::string text;
};
/// Returns the question about a test's own condition. `program` must have a condition.
OwnQuestion own_question(const Program& program);

/// Explains in plain English why an outcome, which is the proposition of the explanation's program, can or cannot
/// happen (docs/reference/explain.md). `question` is the proposition as the user wrote it.
std::string outcome_explanation_text(const explain::OutcomeExplanation& explanation, std::string_view question,
                                     const Style& style, const ExplainOptions& options);

/// Explains why the program has a race, or why it has none.
std::string race_explanation_text(const explain::RaceExplanation& explanation, const Style& style,
                                  const ExplainOptions& options);

/// Describes a repair of a race in sentences: "The fence at line 6 has block scope: ...".
std::vector<std::string> missing_link_text(const explain::RaceExplanation& explanation,
                                           const explain::ExplainedRace& race, const explain::Repair& repair);

/// Like the function above, but for a repair that forbids an allowed outcome.
std::vector<std::string> missing_link_text(const explain::OutcomeExplanation& explanation,
                                           const explain::Repair& repair);

/// Returns a note if Ambit did not try all smaller changes, or if the effect of some changes is unknown. Returns an
/// empty text if Ambit tried all smaller changes and knows the effect of each change.
std::string untried_text(std::size_t untried, std::size_t undecided, const std::optional<UnknownReason>& why);

/// Breaks `text` at spaces into lines of at most `width` columns. Indents every line except the first by `indent`.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width = kTextWidth);

/// Returns the first kScreen lines of a text, and how many lines are omitted; if `full`, returns the whole text.
std::string screenful(const std::string& text, bool full);

}  // namespace ambit::report
