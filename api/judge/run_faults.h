#pragma once

#include <string>

#include "api/source_lines.h"
#include "base/source.h"
#include "core/program_report.h"
#include "report/results/judged.h"

namespace ambit::api {

/// The launch to run and its code.
struct VirtualLaunch {
  std::string file;      ///< path of the user's file, for the replay command
  SourceFilePtr source;  ///< text of the file, to show source lines
  SourceFilePtr ptx;
  std::string launch;
};

/// Fills the judgement with the first race that is not harmless. Returns false if there is no harmful race. `lines`:
/// the texts of sources.
bool add_race(const ProgramReport& found, const VirtualLaunch& launch, SourceLines& lines, report::Judged& judged);

/// Fills the judgement with a finding of the virtual GPU. Returns whether the finding is a fault.
bool add_finding(const ProgramFinding& finding, const VirtualLaunch& launch, SourceLines& lines,
                 report::Judged& judged);

}  // namespace ambit::api
