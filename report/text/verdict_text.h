#pragma once

#include <string>
#include <vector>

#include "report/results/test_result.h"
#include "report/text/style.h"
#include "report/text/witness_text.h"

namespace ambit::report {

/// Widths of the columns that contain names.
struct LineWidths {
  std::size_t test = 0;
  std::size_t model = 12;
};

/// The words in the line for a test and a model.
struct ResultWords {
  std::string frequency;             ///< Never, Sometimes, Always, ?, empty or -; for termination, its verdict
  std::string condition;             ///< yes, no, ? or -; empty for termination
  std::string race;                  ///< "race on x", "norace", "race ?" or -, with incidents; empty for termination
  std::vector<std::string> reasons;  ///< unmet expectations, and reasons for unknown answers
};
ResultWords words_of(const ModelResult& result);

/// Returns one line for a test and a model: status, test, model, frequency, condition, race, reason. The line ends in a
/// newline.
std::string result_line(const TestResult& test, const ModelResult& result, const Style& style,
                        const LineWidths& widths);

/// Returns all of a model's answers about a test: condition, outcomes (if requested), races with both accesses and
/// their source lines, other flags, and incidents. Adds the reasons for unknown answers, and the unchecked parts.
std::string verdict_text(const TestResult& test, const ModelResult& result, const Style& style, Detail detail);

/// Results of a test that have equal details.
struct AnswerGroup {
  std::vector<const ModelResult*> results;
  std::string details;  ///< text of verdict_text
};
/// Groups results with equal details, in the order of their first results. If an earlier group shows an execution,
/// later groups only refer to it.
std::vector<AnswerGroup> answer_groups(const TestResult& test, const std::vector<const ModelResult*>& results,
                                       const Style& style, Detail detail);

/// Returns the counters and times for a test and a model, one on each line.
std::string statistics_text(const Statistics& statistics, double milliseconds, std::size_t indent);

}  // namespace ambit::report
