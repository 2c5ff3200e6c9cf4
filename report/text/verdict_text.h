#pragma once

#include <string>
#include <vector>

#include "report/results/test_result.h"
#include "report/text/style.h"
#include "report/text/witness_text.h"

namespace ambit::report {

/// Widths of the columns for names.
struct LineWidths {
  std::size_t test = 0;
  std::size_t model = 12;
};

/// The parts of the line for one (test, model).
struct ResultWords {
  std::string frequency;             ///< Never, Sometimes, Always, ?, empty, -; for termination: its verdict
  std::string condition;             ///< Ok, No, ?, -; empty for termination
  std::string race;                  ///< "race on x", "norace", "race ?", -, with incidents; empty for termination
  std::vector<std::string> reasons;  ///< unmet expectations, and why something is unknown
};
ResultWords words_of(const ModelResult& result);

/// Returns one line for a (test, model): status, test, model, frequency, condition, race, reason; ends in a newline.
std::string result_line(const TestResult& test, const ModelResult& result, const Style& style,
                        const LineWidths& widths);

/// Returns all answers of a model about a test: condition, outcomes (if requested), races with both accesses and their
/// source lines, other flags, incidents, unknown answers and their reasons, unchecked parts.
std::string verdict_text(const TestResult& test, const ModelResult& result, const Style& style, Detail detail);

/// Results of a test with the same details.
struct AnswerGroup {
  std::vector<const ModelResult*> results;
  std::string details;  ///< verdict_text
};
/// Returns the groups in the order of their first results. An execution that an earlier group shows is not shown again.
std::vector<AnswerGroup> answer_groups(const TestResult& test, const std::vector<const ModelResult*>& results,
                                       const Style& style, Detail detail);

/// Returns the counters and times of one (test, model), one per line.
std::string statistics_text(const Statistics& statistics, double milliseconds, std::size_t indent);

}  // namespace ambit::report
