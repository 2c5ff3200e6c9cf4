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

/// Returns a run in the text form of a stream of runs (docs/detectors/protocol.md). Errors: a name is too long for this
/// form.
Result<std::string> exported_run(const external::RunName& name, const Trace& trace);
/// Returns a detector's answers about a run, as lines in the format of detector programs; empty if the detector failed.
std::string exported_answers(const external::RunName& name, const Trace& trace, const detector::Detector& detector);

/// Returns the error with which an export of these tests would fail at its end because two tests have the same name.
/// Leaves out files that cannot be read, and the standard input. Call this function before the tests run.
std::optional<Diagnostic> check_export(const std::vector<std::string>& files, const std::atomic<bool>& interrupted);

/// Writes the input and the answers of a validation with `keeps_runs` into an existing folder:
///
///   runs.zst, or runs.txt where this build has no zstd   all runs of all tests, as one stream in text form
///   truth.json               labels, verdicts of the models, the oracle's answer to each run; no detector sees it
///   answers/DETECTOR.jsonl   what each detector answered; validate --results reads it
///
/// Removes those files of an earlier export that this export does not replace: the runs in the other form, and answers
/// of other detectors. Returns an error, or nothing if it wrote all files. Errors: two tests have the same name; a file
/// cannot be written.
std::optional<Diagnostic> export_validation(const std::string& folder, const report::Validation& validation,
                                            const std::vector<ChosenDetector>& detectors, std::string_view version);

}  // namespace ambit::api
