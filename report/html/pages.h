#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/race_report.h"
#include "report/html/html.h"
#include "report/results/crossval.h"
#include "report/results/program_races.h"
#include "report/results/test_result.h"
#include "report/results/validation.h"
#include "report/results/validation_scores.h"
#include "report/text/summary.h"

namespace ambit::report {

// A site is a folder of pages that need no server and load nothing from elsewhere: `index.html` with tables, and a page
// for each test. `check`, `validate` and `crossval` fill the same page with what each of them knows.

/// What one model says of the test.
struct PageVerdict {
  std::string model;
  std::string status;  ///< "OK", "FAIL" ...; of hardware: "3 of 4 seen"; empty: nothing
  Tone status_tone = Tone::Plain;
  std::string condition;  ///< "Sometimes", "terminates"
  std::string race;       ///< "race on x", "norace", "?"
  Tone race_tone = Tone::Plain;
  std::vector<std::string> remarks;  ///< what was expected, and why
};

/// What one detector says of the test's runs.
struct PageFinding {
  std::string detector;
  std::string found;  ///< "in 4 of 6 runs"
  Tone tone = Tone::Plain;
  std::vector<std::string> remarks;  ///< its first reports in sentences; why it does not judge
};

/// One outcome that hardware showed.
struct PageOutcome {
  std::string outcome;
  std::uint64_t count = 0;
  std::string forbidden;  ///< "ptx": the models that do not allow it
};

/// A picture with a line above it.
struct PagePicture {
  std::string title;
  std::string svg;    ///< as inline_svg gives it; empty: could not be drawn
  std::string below;  ///< plain text
};

/// Everything that a test's page can hold; what is empty is not there.
struct TestPage {
  std::string name;
  std::string file;
  SourceFilePtr source;
  std::vector<std::pair<std::string, std::string>> facts;  ///< "label", "race: two blocks ..."
  std::vector<std::string> alarms;                         ///< what must not be overlooked
  std::vector<std::string> notes;
  std::vector<PageVerdict> verdicts;
  std::optional<PagePicture> picture;  ///< of the explanation
  std::string question;                ///< what is explained: "x == 1 under ptx"
  std::string explanation;
  std::string more;  ///< where to get what is left out
  std::vector<PageFinding> findings;
  std::vector<PagePicture> timelines;
  HtmlTable runs;  ///< schedules against detectors
  std::string runs_note;
  std::vector<PageOutcome> outcomes;
  std::string hardware;  ///< the device, and how many runs
};

/// The page as HTML. What looks like a place in the test's own file ("mp.litmus:8") becomes a link to its line.
std::string test_page(const TestPage& page);

/// What `check` knows of a test that it ran.
TestPage page_of(const TestResult& test);
/// What `validate` knows, without the timeline.
TestPage page_of(const Validation& validation, const ValidationTest& test);
/// What `crossval` knows, without the source and the timeline.
TestPage page_of(const CrossRow& row);
/// How an answer to "is there a race?" looks beside the label of the test.
Tone tone_of(const CrossRow& row, std::optional<bool> race);

/// The index of a `check`, filled test by test.
class CheckIndex {
 public:
  /// `link`: the file name of its page; empty: it has none.
  void add(const TestResult& test, const std::string& link);
  std::string page(const Summary& summary, std::string_view title, const std::vector<std::string>& notes) const;

 private:
  struct Row {
    HtmlCell name;
    std::string labels;
    HtmlCell status;
    std::vector<std::pair<std::string, HtmlCell>> by_model;
  };
  std::vector<std::string> models_;
  std::vector<Row> rows_;
};

/// File names of pages; empty: there is no page.
struct ValidationLinks {
  std::vector<std::string> tests;
  std::vector<std::string> detectors;
};
/// The index of a `validate`.
std::string index_page(const Validation& validation, const ValidationLinks& links,
                       const std::vector<std::string>& notes);
/// The page of one detector. `links` by test.
std::string detector_page(const Validation& validation, std::size_t detector, const std::vector<std::string>& links);
/// A table of scores that sorts.
HtmlTable html_table(const ScoreTable& from);
/// The page of a program that ran under detectors (`exec`). `sources`: the texts of files that its sites name, under
/// the paths by which they name them.
std::string program_page(const ProgramReport& report, const ProgramRun& run, const std::vector<SourceFilePtr>& sources);
/// The index of a `crossval`.
std::string index_page(std::span<const CrossRow> rows, const std::vector<std::string>& links,
                       const std::vector<std::string>& notes);

}  // namespace ambit::report
