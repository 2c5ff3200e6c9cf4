#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/explain/outcome_causes.h"
#include "model/explain/race_causes.h"
#include "model/repair/repair_report.h"
#include "report/results/crossval.h"
#include "report/results/detection_result.h"
#include "report/results/program_races.h"
#include "report/results/run_result.h"
#include "report/results/test_result.h"
#include "report/results/validation.h"

/// Results as JSON; docs/cli.md describes every field.
namespace ambit::report {

/// What JSON holds beyond the verdicts (docs/cli.md describes every field).
struct JsonOptions {
  bool witnesses = false;   ///< an execution for the condition and for each race
  bool statistics = false;  ///< times and counters: these differ from run to run
};

/// One element of "tests", as JSON text.
std::string test_json(const TestResult& test, const JsonOptions& options);

/// The whole document around the elements of a list; ends in a newline.
std::string json_document(std::string_view version, const std::vector<std::string>& elements,
                          std::string_view list = "tests");

/// Both explanations as JSON documents (docs/cli.md).
std::string outcome_explanation_json(const explain::OutcomeExplanation& explanation, std::string_view question,
                                     std::string_view version);
std::string race_explanation_json(const explain::RaceExplanation& explanation, std::string_view version);

/// The report of `ambit fix` or `ambit relax` as a JSON document (docs/repair.md).
std::string repair_json(const repair::RepairReport& report, std::string_view version);

/// One element of "tests" of the JSON document (docs/cli.md), see json_document.
std::string histogram_json(const RunResult& result);

/// One element of "results" of the document about races in traces and runs, as JSON text.
std::string detection_json(const DetectionResult& result, const SourceLine& source_line);
/// The same for an input that could not be read. `error`: rendered diagnostics.
std::string failed_detection_json(const std::string& file, const std::string& error);

/// The report of a program that ran under detectors as one JSON document (docs/real-programs.md); ends in a newline.
std::string program_json(const ProgramReport& report, const ProgramRun& run, const SourceLine& source_line,
                         std::string_view version);

/// What no detector sees, as a JSON document: labels, verdicts of the models, the oracle's mark for each run
/// (docs/validate.md, "Export"). `runs_file`: the file with the runs.
std::string validation_truth_json(const Validation& validation, std::string_view version, std::string_view runs_file);
/// One JSON document (docs/validate.md).
std::string validation_json(const Validation& validation, std::string_view version);

/// One line of JSON without its end.
std::string crossval_json(const CrossRow& row);
/// The row back. Nothing: the text is none; `why`, if given, then says what does not fit, where it is more than the
/// form.
std::optional<CrossRow> read_crossval(std::string_view line, std::string* why = nullptr);

}  // namespace ambit::report
