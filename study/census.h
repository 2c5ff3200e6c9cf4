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

/// What is counted of a subject. A run's races are those that maximal prediction (detector::make_oracle) finds in it:
/// `real` ones, which some correct reordering of the run shows (definitions 5.1), and `unordered` ones, which
/// nothing synchronises but no reordering shows.
enum class Tally : std::uint8_t {
  Reported,         ///< detectors: runs with a report
  FirstUnordered,   ///< runs whose first report is an unordered pair
  FirstFalse,       ///< runs whose first report is neither real nor unordered
  LaterFalse,       ///< runs whose first report is real or unordered, and a later one neither
  MissedRuns,       ///< runs with a real race, and no report
  RacyPrograms,     ///< programs with a report on some run; models: programs that race
  FalsePrograms,    ///< of those, programs without a real or unordered race on any run
  MissedPrograms,   ///< programs with a real race on some run that are not racy
  UnknownPrograms,  ///< no answer, or the detector gave up
};
inline constexpr std::size_t kTallies = 9;
/// "first report false", "missed runs" ...
std::string_view to_string(Tally tally);
/// Fewer is better: a smallest program is kept of each.
bool is_fault(Tally tally);

/// The smallest program that shows a fault; of equal size the one whose name comes first.
struct Example {
  std::size_t size = 0;  ///< statements; 0: none
  std::string program;   ///< synthesis::name_of
};

struct Counts {
  std::array<std::uint64_t, kTallies> tallies{};
  std::array<Example, kTallies> examples{};

  std::uint64_t of(Tally tally) const { return tallies[static_cast<std::size_t>(tally)]; }
  /// Counts `more` of a tally, shown by `program`.
  void add(Tally tally, std::uint64_t more, std::size_t size, const std::string& program);
};

/// Which programs, and of whom it is asked. Two censuses of one setting can be added.
struct CensusSetting {
  synthesis::Bounds bounds = {};
  std::string alphabet = {};
  std::vector<std::string> subjects = {};
  std::uint64_t shard = 0;  ///< programs number shard, shard + shards, ...
  std::uint64_t shards = 1;
};

struct Census {
  CensusSetting setting = {};
  std::uint64_t position = 0;  ///< programs of the whole enumeration that were passed
  bool is_complete = false;
  std::uint64_t programs = 0;       ///< of the shard that were looked at
  std::uint64_t runs = 0;           ///< schedules that differ, of all of them
  std::uint64_t real_programs = 0;  ///< with a real race on some run
  std::uint64_t real_runs = 0;
  std::uint64_t unordered_programs = 0;  ///< with unordered races only
  std::uint64_t skipped_programs = 0;    ///< whose schedules are too many, or of which the oracle gave up
  std::vector<Counts> counts = {};       ///< by subject
};

/// Adds the counts of another shard of the same setting.
void add(Census& census, const Census& other);

/// Counts these programs. The census has the names of the subjects.
void count_programs(Census& census, const std::vector<Subject>& subjects,
                    const std::vector<synthesis::Skeleton>& programs);

/// Goes on with a census, from its position to the end. `pause` is asked after each program; true: stop there.
/// Errors: a text, if the alphabet is unknown.
std::string continue_census(Census& census, const std::vector<Subject>& subjects, const std::function<bool()>& pause);

/// A census as text, and back. Nothing: the text is none.
std::string log_of(const Census& census);
std::optional<Census> census_of(std::string_view log);

}  // namespace ambit::study
