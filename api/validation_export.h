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

/// A run as a part of a stream of runs in text form (docs/detectors/protocol.md). Errors: a name is too long for it.
Result<std::string> exported_run(const external::RunName& name, const Trace& trace);
/// What a detector answers about a run, in the lines of a detector program; empty if the detector failed.
std::string exported_answers(const external::RunName& name, const Trace& trace, const detector::Detector& detector);

/// What would make an export of these tests fail at its end: two tests have one name. Files that cannot be read are
/// left out, and so is the standard input. Call it before the tests run.
std::optional<Diagnostic> check_export(const std::vector<std::string>& files, const std::atomic<bool>& interrupted);

/// Writes what a validation with `keeps_runs` was scored on into a folder, which exists:
///
///   runs.zst, or runs.txt where this build has no zstd   all runs of all tests, as one stream in text form
///   truth.json               labels, verdicts of the models, the oracle's answer to each run; no detector sees it
///   answers/DETECTOR.jsonl   what each detector answered; validate --results reads it
///
/// What an earlier export left there and this one does not replace is removed: the runs in the other form, answers of
/// other detectors. Returns what went wrong; nothing: all is written. Errors: two tests have one name; a file cannot be
/// written.
std::optional<Diagnostic> export_validation(const std::string& folder, const report::Validation& validation,
                                            const std::vector<ChosenDetector>& detectors, std::string_view version);

}  // namespace ambit::api
