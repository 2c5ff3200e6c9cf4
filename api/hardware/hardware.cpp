#include "api/hardware/hardware.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "detector/race_log.h"
#include "parser/parse.h"
#include "runner/cuda/emit/in_gpu.h"
#include "runner/cuda/launch/kernel_cache.h"
#include "runner/sim/trace_maker.h"

namespace ambit::api {
namespace {

/// Returns the stress parameters at the start of a run. The profile overrides the default parameters. Parameters that
/// the user set override both.
Result<cuda::Stress> starting_stress(const HardwareOptions& options) {
  cuda::Stress stress;
  if (!options.profile.empty()) {
    const Result<SourceFilePtr> source = parser::read_source(options.profile);
    if (!source.ok()) return source.errors();
    Result<cuda::Stress> profile = cuda::parse_profile(source.value());
    if (!profile.ok()) return profile;
    stress = profile.value();
  }
  cuda::set_fixed(stress, options.run.fixed);
  return stress;
}

}  // namespace

Result<cuda::Campaign> prepare_campaign(const HardwareOptions& options, std::uint64_t seed) {
  const auto stress = starting_stress(options);
  if (!stress.ok()) return stress.errors();
  cuda::Campaign campaign;
  campaign.options = options.run;
  campaign.options.stress = stress.value();
  campaign.options.alternate = options.profile.empty();
  campaign.options.by_device = options.profile.empty();
  campaign.options.seed = seed;
  campaign.devices = options.devices;
  campaign.timeout_seconds = options.timeout_seconds;
  campaign.checks_machine_code = options.check_code;
  if (options.use_cache) campaign.cache_folder = cuda::KernelCache::default_folder();
  return campaign;
}

Result<bool> run_campaign(const cuda::Campaign& campaign, const cuda::CampaignEvents& events,
                          const std::atomic<bool>& interrupted) {
  Context context;
  context.set_cancellation(&interrupted);
  return cuda::run_campaign(campaign, events, context);
}

Result<bool> run_exploration(const cuda::Campaign& campaign, cuda::Exploration exploration,
                             const cuda::ExplorationEvents& events, const std::atomic<bool>& interrupted) {
  Context context;
  context.set_cancellation(&interrupted);
  return cuda::run_exploration(campaign, std::move(exploration), events, context);
}

std::string stress_option(const cuda::StressField& field) {
  std::string name(field.name);
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

std::string stress_options(const cuda::Stress& stress) {
  const cuda::Stress usual;
  std::string text;
  for (const cuda::StressField& field : cuda::stress_fields()) {
    if (stress.*(field.member) == usual.*(field.member)) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : " ", stress_option(field), stress.*(field.member));
  }
  return text.empty() ? "the default parameters" : text;
}

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

}  // namespace ambit::api
