#include "api/exec/remedy_trials.h"

#include <algorithm>
#include <set>
#include <vector>

#include "runner/shadow/remedy.h"

namespace ambit::api {
namespace {

using shadow::Strengthening;

constexpr std::size_t kMostSeeds = 3;

bool has_race(const ProgramReport& report, const ProgramRace& race) {
  return std::ranges::any_of(
      report.races, [&](const ProgramRace& one) { return one.detector == race.detector && has_same_sites(one, race); });
}

/// Tries remedies for the races that the run with seed `seed` showed.
void try_with_seed(std::uint64_t seed, std::vector<ProgramRace*> races, const StrengthenedRun& run,
                   const std::atomic<bool>& interrupted) {
  const auto strongest = run(seed, Strengthening::AcquireRelease);
  if (!strongest) return;
  std::erase_if(races, [&](ProgramRace* race) {
    if (!has_race(*strongest, *race)) return false;
    race->remedy = shadow::remedy_without_synchronization(race->level);
    race->needs_trial = false;
    return true;
  });
  for (const Strengthening how : {Strengthening::Scopes, Strengthening::Acquire, Strengthening::Release}) {
    if (races.empty() || interrupted.load()) return;
    const auto report = run(seed, how);
    if (!report) return;
    std::erase_if(races, [&](ProgramRace* race) {
      if (has_race(*report, *race)) return false;
      race->remedy = shadow::remedy_of_trial(race->kind, race->level, how);
      race->needs_trial = false;
      return true;
    });
  }
  for (ProgramRace* race : races) {
    race->remedy = shadow::remedy_of_trial(race->kind, race->level, Strengthening::AcquireRelease);
    race->needs_trial = false;
  }
}

}  // namespace

void try_remedies(ProgramReport& report, const StrengthenedRun& run, const std::atomic<bool>& interrupted) {
  std::set<std::uint64_t> seeds;
  for (const ProgramRace& race : report.races) {
    if (race.needs_trial) seeds.insert(race.seed);
  }
  std::size_t tried = 0;
  for (const std::uint64_t seed : seeds) {
    if (tried++ == kMostSeeds || interrupted.load()) return;
    std::vector<ProgramRace*> races;
    for (ProgramRace& race : report.races) {
      if (race.needs_trial && race.seed == seed) races.push_back(&race);
    }
    try_with_seed(seed, std::move(races), run, interrupted);
  }
}

}  // namespace ambit::api
