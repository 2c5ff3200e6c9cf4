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

// A site is a folder of pages. A site needs no server, and a page loads no other files. `index.html` contains tables,
// and each test has a page. The commands `check`, `validate` and `crossval` all fill a TestPage with their results.

/// One model's answer about the test.
struct PageVerdict {
  std::string model;
  std::string status;  ///< "OK", "FAIL" ...; for hardware: "3 of 4 seen"; may be empty
  Tone status_tone = Tone::Plain;
  std::string condition;  ///< "Sometimes", "terminates"
  std::string race;       ///< "race on x", "norace", "?"
  Tone race_tone = Tone::Plain;
  std::vector<std::string> remarks;  ///< expectations, and why some are not met
};

/// One detector's reports on the test's runs.
struct PageFinding {
  std::string detector;
  std::string found;  ///< "in 4 of 6 runs"
  Tone tone = Tone::Plain;
  /// Sentences about the detector's first reports, or the reason why the detector does not judge the test.
  std::vector<std::string> remarks;
};

/// One outcome that the hardware showed.
struct PageOutcome {
  std::string outcome;
  std::uint64_t count = 0;
  std::string forbidden;  ///< the models that do not allow the outcome: "ptx"
};

/// A picture with a heading.
struct PagePicture {
  std::string title;
  std::string svg;    ///< the picture as inline_svg() returns it; empty if drawing failed
  std::string below;  ///< plain text below the picture
};

/// The contents of a test's page. The page omits empty parts.
struct TestPage {
  std::string name;
  std::string file;
  SourceFilePtr source;
  std::vector<std::pair<std::string, std::string>> facts;  ///< "label", "race: two blocks ..."
  std::vector<std::string> alarms;                         ///< important warnings
  std::vector<std::string> notes;
  std::vector<PageVerdict> verdicts;
  std::optional<PagePicture> picture;  ///< picture of the explained execution
  std::string question;                ///< the explained question: "x == 1 under ptx"
  std::string explanation;
  std::string more;  ///< text that says how to see the omitted parts
  std::vector<PageFinding> findings;
  std::vector<PagePicture> timelines;
  HtmlTable runs;  ///< for each schedule, which detectors report a race
  std::string runs_note;
  std::vector<PageOutcome> outcomes;
  std::string hardware;  ///< the device and the number of runs
};

/// Returns the page as HTML. A place in the test's own file ("mp.litmus:8") becomes a link to its line.
std::string test_page(const TestPage& page);

/// Fills a page with the results of `check`.
TestPage page_of(const TestResult& test);
/// Fills a page with the results of `validate`, without the timeline.
TestPage page_of(const Validation& validation, const ValidationTest& test);
/// Fills a page with the results of `crossval`, without the source and the timeline.
TestPage page_of(const CrossRow& row);
/// Returns the tone of a verdict about races: Good if the verdict agrees with the test's label, Bad if it disagrees,
/// and Soft if there is no label or no verdict.
Tone tone_of(const CrossRow& row, std::optional<bool> race);

/// The index page of `check`. The caller adds tests one by one.
class CheckIndex {
 public:
  /// `link`: the file name of the test's page; empty if the test has no page.
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

/// The file name of each test's and each detector's page; empty for a missing page.
struct ValidationLinks {
  std::vector<std::string> tests;
  std::vector<std::string> detectors;
};
/// Returns the index page of `validate`.
std::string index_page(const Validation& validation, const ValidationLinks& links,
                       const std::vector<std::string>& notes);
/// Returns the page of one detector. `links`: the file name of each test's page.
std::string detector_page(const Validation& validation, std::size_t detector, const std::vector<std::string>& links);
/// Returns a sortable table of scores.
HtmlTable html_table(const ScoreTable& from);
/// Returns the page of a program that ran under detectors (`exec`). `sources`: the source files that the report names;
/// their paths must be as in the report.
std::string program_page(const ProgramReport& report, const ProgramRun& run, const std::vector<SourceFilePtr>& sources);
/// Returns the index page of `crossval`.
std::string index_page(std::span<const CrossRow> rows, const std::vector<std::string>& links,
                       const std::vector<std::string>& notes);

}  // namespace ambit::report
