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

/// The parts of the line about one (test, model).
struct ResultWords {
  std::string frequency;             ///< Never, Sometimes, Always, ?, empty, -; of termination: its verdict
  std::string condition;             ///< Ok, No, ?, -; of termination: empty
  std::string race;                  ///< "race on x", "norace", "race ?", -, with incidents; of termination: empty
  std::vector<std::string> reasons;  ///< unmet expectations, and why something is unknown
};
ResultWords words_of(const ModelResult& result);

/// One line a (test, model): status, test, model, frequency, condition, race, reason; ends in a newline.
std::string result_line(const TestResult& test, const ModelResult& result, const Style& style,
                        const LineWidths& widths);

/// All answers of a model about a test: condition, outcomes (where asked), races with both accesses and their source
/// lines, other flags, incidents, what is unknown and why, what was not checked.
std::string verdict_text(const TestResult& test, const ModelResult& result, const Style& style, Detail detail);

/// Results of a test whose details are the same.
struct AnswerGroup {
  std::vector<const ModelResult*> results;
  std::string details;  ///< verdict_text
};
/// In the order of the first result of each group. An execution that an earlier group shows is not shown again.
std::vector<AnswerGroup> answer_groups(const TestResult& test, const std::vector<const ModelResult*>& results,
                                       const Style& style, Detail detail);

/// Counters and times of one (test, model), one a line.
std::string statistics_text(const Statistics& statistics, double milliseconds, std::size_t indent);

}  // namespace ambit::report
