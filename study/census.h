#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "study/subject.h"
#include "synthesis/enumeration.h"

namespace ambit::study {

/// The counters of a subject. The races of a run are the races that maximal prediction (detector::make_oracle) finds in
/// it. A `real` race occurs in some correct reordering of the run (definitions 5.1). The accesses of an `unordered`
/// race are not synchronised, but no correct reordering brings the two accesses together.
enum class Tally : std::uint8_t {
  Reported,         ///< detectors: runs with a report
  FirstUnordered,   ///< runs whose first report is an unordered pair
  FirstFalse,       ///< runs whose first report is neither real nor unordered
  LaterFalse,       ///< runs whose first report is real or unordered, but a later report is neither
  MissedRuns,       ///< runs that have a real race but no report
  RacyPrograms,     ///< detectors: programs with a report on some run; models: programs that race
  FalsePrograms,    ///< programs counted in RacyPrograms that have no real or unordered race on any run
  MissedPrograms,   ///< programs that have a real race on some run but are not reported as racy
  UnknownPrograms,  ///< programs for which a model has no answer or the detector gave up
};
inline constexpr std::size_t kTallies = 9;
/// Returns a text such as "first report false" or "missed runs".
std::string_view to_string(Tally tally);
/// Returns whether the tally counts faults. For each tally of faults, the census keeps the smallest program.
bool is_fault(Tally tally);

/// The smallest program that shows a fault. If several programs are equally small, the first by name.
struct Example {
  std::size_t size = 0;  ///< number of statements; 0 without an example
  std::string program;   ///< synthesis::name_of
};

struct Counts {
  std::array<std::uint64_t, kTallies> tallies{};
  std::array<Example, kTallies> examples{};

  std::uint64_t of(Tally tally) const { return tallies[static_cast<std::size_t>(tally)]; }
  /// Adds `more` to a tally; `program` becomes the example if `program` is smaller than the current example.
  void add(Tally tally, std::uint64_t more, std::size_t size, const std::string& program);
};

/// The programs and subjects of a census. Censuses with equal settings can add up their counts.
struct CensusSetting {
  synthesis::Bounds bounds = {};
  std::string alphabet = {};
  std::vector<std::string> subjects = {};
  std::uint64_t shard = 0;  ///< the shard consists of the programs with the numbers shard, shard + shards, ...
  std::uint64_t shards = 1;
};

struct Census {
  CensusSetting setting = {};
  std::uint64_t position = 0;  ///< number of programs of the whole enumeration so far
  bool is_complete = false;
  std::uint64_t programs = 0;       ///< number of programs of the shard so far
  std::uint64_t runs = 0;           ///< number of different schedules of these programs
  std::uint64_t real_programs = 0;  ///< programs with a real race on some run
  std::uint64_t real_runs = 0;
  std::uint64_t unordered_programs = 0;  ///< programs that have only unordered races
  std::uint64_t skipped_programs = 0;    ///< programs with too many schedules, or for which the oracle gave up
  std::vector<Counts> counts = {};       ///< the counts of each subject
};

/// Adds the counts of another shard with the same setting.
void add(Census& census, const Census& other);

/// Adds the counts for these programs to the census. The census's setting must already name the subjects.
void count_programs(Census& census, const std::vector<Subject>& subjects,
                    const std::vector<synthesis::Skeleton>& programs);

/// Continues a census from its position to the end. Calls `pause` after each program and stops if `pause` returns true.
/// Returns an error text if the alphabet is unknown.
std::string continue_census(Census& census, const std::vector<Subject>& subjects, const std::function<bool()>& pause);

/// Convert a census to text and back. census_of() returns nothing if the text is not a census.
std::string log_of(const Census& census);
std::optional<Census> census_of(std::string_view log);

}  // namespace ambit::study
