#include "apps/cli/in_gpu_findings.h"

#include "detector/race_log.h"
#include "runner/cuda/in_gpu.h"
#include "runner/sim/trace_maker.h"

namespace ambit::cli {

std::vector<report::Detections> in_gpu_findings(const Program& program, const cuda::RunReport& report) {
  std::vector<report::Detections> findings;
  if (report.in_gpu.empty()) return findings;
  const sim::TraceMaker traces(program);
  const TraceTables& tables = traces.tables();
  const auto describe = [&](const RaceAccess& access, std::uint32_t location) {
    return detector::describe({access.thread, access.site, access.event, access.is_write, access.is_atomic}, location,
                              tables);
  };
  for (const cuda::InGpuReport& found : report.in_gpu) {
    report::Detections& made = findings.emplace_back();
    made.detector = found.detector;
    made.runs = found.instances;
    made.left_out = found.left_out;
    made.without_verdict = found.without_verdict;
    made.racy = found.racy;
    made.uncounted = found.unplaced;
    made.seconds = found.kernel_seconds;
    made.not_run = found.not_run;
    for (const auto& [packed, runs] : found.races) {
      const RaceReport race = cuda::unpack_race(packed, tables);
      made.races.push_back({describe(race.first, race.location), describe(race.second, race.location),
                            std::string(to_string(race.kind)), runs});
    }
  }
  return findings;
}

}  // namespace ambit::cli
