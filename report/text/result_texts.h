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

/// Each function converts one kind of result into text for a terminal.
namespace ambit::report {

/// Returns a table of the outcomes of a test. Each outcome that some model allows has a row, and each observable has a
/// column. Another column marks the outcomes that satisfy the proposition. Each model has a column that marks the
/// outcomes that the model allows. Marks incomplete answers, and lists the reasons below the table.
std::string outcomes_table(const TestResult& test, const Style& style);

/// Returns a table of the outcomes of a test. Each row shows an outcome's count, a bar, and whether the outcome
/// satisfies the proposition. Each model has a column that marks forbidden outcomes. The numbers of runs without an
/// outcome follow the table.
std::string histogram_table(const RunResult& result, const Style& style);
/// Returns one line for each question without an answer: "UNKNOWN  mp  there may be more outcomes: ..."; empty if every
/// question has an answer.
std::string open_line(const RunResult& result, const Style& style);

/// Returns a race in a sentence: "b0t0 writes x (mp.litmus:8), b1t0 reads x (mp.litmus:12): missing fence, in 3 runs".
std::string sentence(const Detections::Race& race, const Style& style);
/// Returns the reports of a detector, with one line for each race.
std::string detections_text(const Detections& found, const Style& style);

/// Returns the reports of every detector, and a table of all detectors.
std::string detection_text(const DetectionResult& result, const SourceLine& source_line, const Style& style);

/// Returns the races of a program's kernels with their source lines, the faults, and a table of the detectors.
std::string program_text(const ProgramReport& report, const ProgramRun& run, const SourceLine& source_line,
                         const Style& style);

/// Returns a table of totals over several inputs, with a row for each detector. A line with the overall totals follows.
std::string detection_totals_text(const DetectionTotals& totals, const Style& style);

/// Returns the results of a validation: the table of tests and the counts. Then lists races that a detector finds only
/// in some schedules, disagreements between label, model and detector, and first races that the oracle refutes.
std::string validation_text(const Validation& validation, const Style& style);
/// Returns precision, recall, first races, kinds and levels of races, differences between detectors, and cost, as
/// tables.
std::string scores_text(const Validation& validation);
/// Returns all tables of scores as CSV, with one line for each cell: "table,row,column,value".
std::string scores_csv(const Validation& validation);
/// Returns all tables of scores for LaTeX.
std::string scores_latex(const Validation& validation);
/// Returns the notes to print below the counts.
std::string validation_notes(const Validation& validation);

/// Returns the table of a cross-validation as text. Tests with forbidden outcomes come first.
std::string crossval_text(std::span<const CrossRow> rows, const Style& style);

}  // namespace ambit::report
