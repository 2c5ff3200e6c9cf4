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

/// Returns the outcomes of one test as a table. Each outcome that some model allows has a row. Each observable has a
/// column; another column marks the outcomes that satisfy the proposition; and for each model, a column marks the
/// outcomes that the model allows. An incomplete answer is marked, and the reason follows the table.
std::string outcomes_table(const TestResult& test, const Style& style);

/// Returns the outcomes of one test as a table, followed by the ends of the other runs. Each row has the outcome's
/// count, a bar, and whether the outcome satisfies the proposition. For each model, a column marks forbidden outcomes.
std::string histogram_table(const RunResult& result, const Style& style);
/// Returns "UNKNOWN  mp  there may be more outcomes: ..."; empty if every question has an answer.
std::string open_line(const RunResult& result, const Style& style);

/// Returns a race in a sentence: "b0t0 writes x (mp.litmus:8), b1t0 reads x (mp.litmus:12): missing fence, in 3 runs".
std::string sentence(const Detections::Race& race, const Style& style);
/// Returns all reports, one line for each race.
std::string detections_text(const Detections& found, const Style& style);

/// Returns the reports of every detector, and a table of all detectors.
std::string detection_text(const DetectionResult& result, const SourceLine& source_line, const Style& style);

/// Returns the races of a program's kernels with their lines of source, faults, and a table of the detectors.
std::string program_text(const ProgramReport& report, const ProgramRun& run, const SourceLine& source_line,
                         const Style& style);

/// Returns a table of detectors over several inputs, and a line of totals.
std::string detection_totals_text(const DetectionTotals& totals, const Style& style);

/// Returns the table of tests, the counts, the races that detectors find only in some schedules, disagreements of
/// label, model and detector, and the first races that the oracle refutes.
std::string validation_text(const Validation& validation, const Style& style);
/// Returns precision, recall, first races, kinds and levels of races, differences between detectors, and cost, as
/// tables.
std::string scores_text(const Validation& validation);
/// Returns all tables of scores with one line for each cell: "table,row,column,value".
std::string scores_csv(const Validation& validation);
/// Returns all tables of scores for LaTeX.
std::string scores_latex(const Validation& validation);
/// Returns the notes below the counts.
std::string validation_notes(const Validation& validation);

/// Returns the table as text. Tests with forbidden outcomes come first.
std::string crossval_text(std::span<const CrossRow> rows, const Style& style);

}  // namespace ambit::report
