#pragma once

#include <span>
#include <string>

#include "report/results/crossval.h"
#include "report/results/detection_result.h"
#include "report/results/detections.h"
#include "report/results/program_races.h"
#include "report/results/run_result.h"
#include "report/results/test_result.h"
#include "report/results/validation.h"
#include "report/text/style.h"

/// Results for a terminal, one function for each kind of result.
namespace ambit::report {

/// The outcomes of one test as a table: a row an outcome that some model allows, a column an observable, one that marks
/// the outcomes that satisfy the proposition, and one a model that says which of them it allows. An answer that is not
/// complete is marked and its reason given below.
std::string outcomes_table(const TestResult& test, const Style& style);

/// The outcomes of one test as a table: a row an outcome, how often it was seen with a bar, whether it satisfies the
/// proposition, and a column a model that marks what it forbids; then what became of the other runs.
std::string histogram_table(const RunResult& result, const Style& style);
/// "UNKNOWN  mp  there may be more outcomes: ..."; empty: everything that was asked has an answer.
std::string open_line(const RunResult& result, const Style& style);

/// "b0t0 writes x (mp.litmus:8), b1t0 reads x (mp.litmus:12): missing fence, in 3 runs".
std::string sentence(const Detections::Race& race, const Style& style);
/// All of it, a line a race.
std::string detections_text(const Detections& found, const Style& style);

/// The reports of every detector and a table of them all.
std::string detection_text(const DetectionResult& result, const SourceLine& source_line, const Style& style);

/// The races of a program's kernels with their lines of source, faults, and a table of the detectors.
std::string program_text(const ProgramReport& report, const ProgramRun& run, const SourceLine& source_line,
                         const Style& style);

/// The detectors over several inputs, and a line of totals.
std::string detection_totals_text(const DetectionTotals& totals, const Style& style);

/// The table of tests, the counts, what detectors find in some schedules only, where label, model and detector part,
/// and first races that the oracle refutes.
std::string validation_text(const Validation& validation, const Style& style);
/// Precision, recall, first races, kinds and levels of races, differences between detectors, and cost, as tables.
std::string scores_text(const Validation& validation);
/// All tables of scores, a line for each cell: "table,row,column,value".
std::string scores_csv(const Validation& validation);
/// All tables of scores for LaTeX.
std::string scores_latex(const Validation& validation);
/// The notes below the counts.
std::string validation_notes(const Validation& validation);

/// The table as text. Forbidden outcomes come first.
std::string crossval_text(std::span<const CrossRow> rows, const Style& style);

}  // namespace ambit::report
