#pragma once

#include <string>

#include "api/source_lines.h"
#include "base/source.h"
#include "core/program_report.h"
#include "report/results/judged.h"

namespace ambit::api {

/// The launch to run, and where its code comes from.
struct VirtualLaunch {
  std::string file;      ///< the user's file, for the command that replays a run
  SourceFilePtr source;  ///< the text of the file, for the lines of places
  SourceFilePtr ptx;
  std::string launch;
};

/// Fills the judgement with the first race that is not harmless. Returns whether there is such a race. `lines`: the
/// texts of sources.
bool add_race(const ProgramReport& found, const VirtualLaunch& launch, SourceLines& lines, report::Judged& judged);

/// Fills the judgement with a finding of the virtual GPU. Returns whether the finding is a fault.
bool add_finding(const ProgramFinding& finding, const VirtualLaunch& launch, SourceLines& lines,
                 report::Judged& judged);

}  // namespace ambit::api
