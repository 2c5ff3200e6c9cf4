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
#include "report/results/judged.h"
#include "report/results/program_races.h"
#include "report/results/run_result.h"
#include "report/results/scoreboard.h"
#include "report/results/test_result.h"
#include "report/results/validation.h"

/// Results as JSON; docs/reference/json.md describes every field.
namespace ambit::report {

/// Optional parts of the JSON (docs/reference/json.md describes every field).
struct JsonOptions {
  bool witnesses = false;   ///< whether to include an execution for the condition and each race
  bool statistics = false;  ///< whether to include times and counters, which vary between runs
};

/// Returns one element of the list "tests", as JSON text.
std::string test_json(const TestResult& test, const JsonOptions& options);

/// Returns the whole JSON document with the elements of a list. The document ends in a newline.
std::string json_document(std::string_view version, const std::vector<std::string>& elements,
                          std::string_view list = "tests");

/// Return explanations as JSON documents (docs/reference/cli/explain.md).
std::string outcome_explanation_json(const explain::OutcomeExplanation& explanation, std::string_view question,
                                     std::string_view version);
std::string race_explanation_json(const explain::RaceExplanation& explanation, std::string_view version);

/// Returns the report of `ambit fix` or `ambit relax` as a JSON document (docs/reference/repair.md).
std::string repair_json(const repair::RepairReport& report, std::string_view version);

/// Returns one element of the list "tests" in the document of `ambit run` (docs/reference/json.md), as JSON text.
std::string histogram_json(const RunResult& result);

/// Returns one element of the list "results" in the document of `ambit detect`, as JSON text.
std::string detection_json(const DetectionResult& result, const SourceLine& source_line);
/// Like detection_json(), for an input that could not be read. `error`: rendered diagnostics.
std::string failed_detection_json(const std::string& file, const std::string& error);

/// Returns the report of a program that ran under detectors as one JSON document (docs/guide/real-programs.md); ends in
/// a newline.
std::string program_json(const ProgramReport& report, const ProgramRun& run, const SourceLine& source_line,
                         std::string_view version);

/// Returns the answer of `ambit judge` as one JSON document (docs/reference/judge.schema.json); ends in a newline.
/// `status`: the exit status of the command.
std::string judge_json(const JudgeReport& report, int status, std::string_view version);

/// Returns a JSON document with facts that detectors must not see: labels, the models' verdicts, and the oracle's mark
/// for each run (docs/reference/validate.md, "Export"). `runs_file`: the name of the file with the runs.
std::string validation_truth_json(const Validation& validation, std::string_view version, std::string_view runs_file);
/// Returns the validation as one JSON document (docs/reference/validate.md).
std::string validation_json(const Validation& validation, std::string_view version);

/// Returns the scoreboard as one JSON document (docs/reference/scoreboard.md); ends in a newline.
std::string scoreboard_json(const Scoreboard& board, std::string_view version);

/// Returns a row of a campaign as one line of JSON, without a line break.
std::string crossval_json(const CrossRow& row);
/// Reads a row of a campaign. Returns nothing if the text is not a row. If the text has the form of a row but its
/// contents are invalid, also stores the reason in `*why` (unless `why` is null).
std::optional<CrossRow> read_crossval(std::string_view line, std::string* why = nullptr);

}  // namespace ambit::report
