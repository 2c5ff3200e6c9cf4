#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/exec/program_request.h"
#include "base/source.h"
#include "core/program_report.h"
#include "runner/shadow/watch_options.h"

namespace ambit::api {

/// Runs the program, which shares this process's standard streams. Errors: the program does not exist; the program
/// contains machine code without PTX, or a static runtime library (the error names the compiler flag to use); there is
/// no compiler for a CUDA source; the file of suppressions has errors (read_suppressions), which are reported before
/// the program runs.
Result<ProgramOutcome> run_program(const ProgramRequest& request, const std::atomic<bool>& interrupted);

/// Returns the source files that the report's races and faults name, sorted by path. Leaves out unreadable files.
std::vector<SourceFilePtr> program_sources(const ProgramReport& report);

/// Returns the detectors in a list of names ("barracuda,gwcp"; "all", "none") with their options
/// ("gwcp.overlap=either"). Errors: unknown detectors, options and values.
Result<std::vector<shadow::WatchOptions::DetectorChoice>> program_detectors(const std::string& names,
                                                                            const std::vector<std::string>& options);

/// Returns the folder with the replacement runtime library. Searches the folder of this program or of libambit.so, then
/// the installation folder. Errors: no folder contains the library.
Result<std::string> runtime_folder();

/// Selects the races to suppress: races with an access at `place`. If `kinds` is not empty, selects only races of the
/// listed kinds.
struct Suppression {
  std::string place;  ///< "app.cu:12", or "kernel, line 40 of the PTX"
  std::vector<RaceKind> kinds;
  std::string origin;  ///< line that contains the suppression: "races.txt:3"
};

/// Reads a file of suppressions; an empty path means no file. A line is `PLACE [KIND] # REASON`, as in reports. PLACE
/// is an access's place ("app.cu:12", "app.cu:12:3"), which a description may precede ("block 0, thread 1 write
/// app.cu:12"). KIND is one or more kinds of race ("no synchronisation or missing fence, block level"). Errors: the
/// file cannot be read; a line lacks the place or the reason; an unknown kind.
Result<std::vector<Suppression>> read_suppressions(const std::string& path, const std::atomic<bool>& interrupted);
/// Removes the suppressed races from the report, and returns how many it removed. Adds a remark for each suppression
/// that matches no race.
std::uint64_t suppress(ProgramReport& report, const std::vector<Suppression>& suppressions);

}  // namespace ambit::api
