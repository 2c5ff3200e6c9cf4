#pragma once

#include <memory>
#include <string>

#include "model/explain/outcome_causes.h"
#include "model/explain/race_causes.h"
#include "report/text/style.h"

namespace ambit::report {

inline constexpr std::size_t kTextWidth = 110;
struct ExplainOptions {
  bool full = false;               ///< every path, pair and step; else at most kScreen lines
  std::size_t width = kTextWidth;  ///< columns of a line; kUnbroken: the reader's program breaks lines
};
inline constexpr std::size_t kUnbroken = static_cast<std::size_t>(-1);
inline constexpr std::size_t kScreen = 40;

/// A test's own condition as the question to explain: for `forall` whether it can fail.
struct OwnQuestion {
  std::shared_ptr<const Program> program;  ///< its proposition is what is asked about
  std::string text;
};
/// `program` must have a proposition.
OwnQuestion own_question(const Program& program);

/// Why the proposition of the explanation's program can or cannot be met, in plain English (docs/explain.md).
/// `question` is the proposition as the user wrote it.
std::string outcome_explanation_text(const explain::OutcomeExplanation& explanation, std::string_view question,
                                     const Style& style, const ExplainOptions& options);

/// Why the program races or does not.
std::string race_explanation_text(const explain::RaceExplanation& explanation, const Style& style,
                                  const ExplainOptions& options);

/// Describes a repair in sentences: "The fence at line 6 has block scope: ...".
std::vector<std::string> missing_link_text(const explain::RaceExplanation& explanation,
                                           const explain::ExplainedRace& race, const explain::Repair& repair);

/// The same of a change that makes an allowed outcome impossible.
std::vector<std::string> missing_link_text(const explain::OutcomeExplanation& explanation,
                                           const explain::Repair& repair);

/// Says that smaller changes may have been left out, or that of some it is not known whether they will do; empty when
/// all were tried and decided.
std::string untried_text(std::size_t untried, std::size_t undecided);

/// `text` with lines of at most `width` columns, broken at spaces; further lines are indented by `indent`.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width = kTextWidth);

/// The first kScreen lines of a text, and how many more there are, unless all are wanted.
std::string screenful(const std::string& text, bool full);

}  // namespace ambit::report
