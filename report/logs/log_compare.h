#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/logs/outcome_log.h"
#include "report/text/style.h"

namespace ambit::report {

/// The comparison of one test in two logs.
struct TestComparison {
  enum class Kind : std::uint8_t {
    NotAllowed,  ///< a machine produced a state that the model does not allow, so the machine or the model is wrong
    Different,   ///< the states differ in another way
    Undecided,   ///< the comparison has no result: a log has no answer or may lack states
    Unseen,      ///< the machine produced fewer states than the model allows, which is correct
    Missing,     ///< one log does not contain the test
    Same,
  };
  using States = std::vector<std::pair<LogState, std::uint64_t>>;  ///< each state with the number of its occurrences

  std::string name;
  Kind kind = Kind::Same;
  bool in_first = true;
  bool in_second = true;
  bool has_first_answer = true;  ///< false if the log has an "Undecided" line instead of an answer
  bool has_second_answer = true;
  bool is_first_histogram = false;
  bool is_second_histogram = false;
  States only_first;
  States only_second;
  std::size_t common = 0;  ///< number of states that both logs contain
  std::vector<std::string> warnings;
};
/// "NOT ALLOWED", "different", "undecided", "unseen", "missing", "same".
std::string_view to_string(TestComparison::Kind kind);

struct LogComparison {
  std::string first;  ///< path of the log
  std::string second;
  std::vector<TestComparison> tests;  ///< ordered by kind, the worst kind first, and then by name
  std::vector<std::string> notes;     ///< notes on the logs as a whole
  bool all_same() const;
  /// Returns whether no comparison found a difference (some comparisons may be undecided).
  bool none_different() const;
};

/// Compares the tests of two logs. Compares tests with the same name. If two tests show different registers or cells,
/// compares only the common registers and cells, and adds a warning. If some test has the same hash in both logs,
/// warns about each test whose hashes differ. Otherwise, only adds one note, because the hashes of different tools
/// never agree.
LogComparison compare_logs(const OutcomeLog& first, const OutcomeLog& second);

/// Returns the comparison as text. `quiet`: omits tests without a difference.
std::string comparison_text(const LogComparison& comparison, const Style& style, bool quiet);

/// Returns one JSON document about all comparisons (docs/reference/logs.md). The document ends in a newline. `errors`:
/// the error messages about unreadable logs.
std::string comparisons_json(std::string_view version, const std::vector<LogComparison>& comparisons,
                             const std::vector<std::string>& errors = {});

}  // namespace ambit::report
