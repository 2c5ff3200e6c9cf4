#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/detectors.h"
#include "core/trace.h"
#include "report/results/validation.h"

namespace ambit::api {

/// Returns a run as text, in the format for a stream of runs (docs/detectors/protocol.md). Errors: a name is too long
/// for the text format.
Result<std::string> exported_run(const external::RunName& name, const Trace& trace);
/// Returns a detector's answers about a run as lines in the detector protocol's format; empty if the detector failed.
std::string exported_answers(const external::RunName& name, const Trace& trace, const detector::Detector& detector);

/// Returns an error if two of the tests have the same name, because their export would fail. Call this function before
/// the tests run, so that the user does not wait for a failure. Ignores the standard input and files that cannot be
/// read.
std::optional<Diagnostic> check_export(const std::vector<std::string>& files, const std::atomic<bool>& interrupted);

/// Writes the input and the answers of a validation into an existing folder. The validation must have kept its runs
/// (`keeps_runs`). The files are:
///
///   runs.zst (runs.txt if this build has no zstd)   all runs of all tests, as one stream in text format
///   truth.json               labels, verdicts of the models, the oracle's answers; detectors must not read this file
///   answers/DETECTOR.jsonl   the answers of each detector, which validate --results reads
///
/// Also removes files that an earlier export left: runs in the other format, and answers of other detectors. Returns
/// nothing if all files were written. Errors: two tests have the same name; a file cannot be written.
std::optional<Diagnostic> export_validation(const std::string& folder, const report::Validation& validation,
                                            const std::vector<ChosenDetector>& detectors, std::string_view version);

}  // namespace ambit::api
