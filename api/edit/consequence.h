#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/edit/repair_goal.h"
#include "base/source.h"
#include "model/repair/statement_text.h"
#include "model/repair/text_edit.h"

namespace ambit::api {

/// Describes how a weaker program differs from the source, with the lines of the source. The objects that the
/// constructor receives must outlive this object.
class Consequence {
 public:
  /// `edits` turns the text of `source` into the weaker program.
  Consequence(const SourceFile& source, const std::vector<repair::TextEdit>& edits, const std::string& changed_text)
      : source_(source), edits_(edits), changed_(SourceFile{source.path, changed_text}) {}

  /// Returns the first difference between the answers: "b0t1's read of b0:s[0] (line 14) races with b0t0's write (line
  /// 10)", "the condition holds Sometimes instead of Never: P1:r0 == 1, P1:r1 == 0". Returns an empty text if the
  /// answers are the same.
  std::string of_verdicts(const ModelAnswers& source, const ModelAnswers& weaker) const;
  /// Returns a sentence about an outcome that only the weaker program has; empty if no such outcome exists.
  static std::string of_outcomes(const Program& program, const NamedOutcomes& source, const NamedOutcomes& weaker);
  /// Returns a sentence about a thread that may wait forever in the weaker program.
  std::string of_termination(const ModelAnswers& weaker) const;

 private:
  std::uint32_t line_of(SourceSpan changed) const;
  std::string race(const ModelAnswers& weaker) const;
  std::string access(const events::EventGraph& graph, const events::FlaggedPair& pair, events::EventId event,
                     bool names_cell) const;
  std::string condition(const ModelAnswers& source, const ModelAnswers& weaker) const;

  const SourceFile& source_;
  const std::vector<repair::TextEdit>& edits_;
  repair::SourceText changed_;
};

}  // namespace ambit::api
