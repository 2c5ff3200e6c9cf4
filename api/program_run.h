#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/program_request.h"
#include "core/program_report.h"
#include "core/source.h"
#include "runner/shadow/watch_options.h"

namespace ambit::api {

/// Runs the program. Its standard streams are this process's. Errors: no such program; machine code without PTX or a
/// static runtime, each with the flag that fixes it; no compiler for a CUDA source; those of read_suppressions, before
/// the program runs.
Result<ProgramOutcome> run_program(const ProgramRequest& request, const std::atomic<bool>& interrupted);

/// Returns the sources that the races and faults of a report name, in order of their paths, as far as they can be read.
std::vector<SourceFilePtr> program_sources(const ProgramReport& report);

/// Returns the detectors of a list of names ("barracuda,gwcp"; "all", "none") with their options
/// Returns the detectors of a list of names ("barracuda,gwcp"; "all", "none") with their options
/// ("gwcp.overlap=either"). Errors: unknown detectors, options and values.
Result<std::vector<shadow::WatchOptions::DetectorChoice>> program_detectors(const std::string& names,
                                                                            const std::vector<std::string>& options);

/// Returns the folder with the replacement runtime library: beside this program, or where it is installed. Errors: it
/// is in neither.
Result<std::string> runtime_folder();

/// Races to suppress: those with an access at a place, of one kind or of any kind.
struct Suppression {
  std::string place;  ///< "app.cu:12"
  std::optional<RaceKind> kind;
};

/// Reads a file of suppressions; an empty path means no file. A line is `PLACE [KIND] # REASON`: PLACE is a file and
/// line of either access ("app.cu:12"), KIND as in reports ("missing fence"). Errors: the file cannot be read, a line
/// without place or reason, an unknown kind.
Result<std::vector<Suppression>> read_suppressions(const std::string& path, const std::atomic<bool>& interrupted);
/// Removes the suppressed races; returns their number.
std::uint64_t suppress(ProgramReport& report, const std::vector<Suppression>& suppressions);

}  // namespace ambit::api
