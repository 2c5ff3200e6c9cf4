#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "study/subject.h"
#include "synthesis/enumeration.h"

namespace ambit::study {

/// A finding that only the first of two subjects has.
enum class Aspect : std::uint8_t {
  Race,     ///< a race of the program: in some execution, or reported on some run
  Outcome,  ///< for two models, an outcome
  Safe,     ///< for two models, an outcome of a program that races under neither model
  Run,      ///< for two detectors, a report on a run
};
inline constexpr std::array kAspects = {Aspect::Race, Aspect::Outcome, Aspect::Safe, Aspect::Run};
/// Returns "race", "outcome", "race-free-outcome" or "run".
std::string_view to_string(Aspect aspect);

/// The first program for which subject `first` has a finding that subject `second` lacks.
struct Separation {
  std::size_t first = 0;
  std::size_t second = 0;
  Aspect aspect = Aspect::Race;
  synthesis::Skeleton program;
  std::optional<events::Outcome> outcome;  ///< for Aspect::Outcome, an outcome that only the first subject allows
  std::size_t run = 0;                     ///< for Aspect::Run, the number of the run
  std::size_t size = 0;                    ///< number of statements
};

/// Returns the alphabets of programs, in the order in which the sweep uses these for each size.
std::vector<std::string> usual_families(bool with_locks);

struct SweepOptions {
  synthesis::Bounds bounds = {5, 3, 2, 2, 1};
  std::vector<std::string> families;  ///< alphabets
  /// Returns whether the sweep should separate this pair in this aspect. An empty function wants all meaningful pairs.
  std::function<bool(std::size_t first, std::size_t second, Aspect aspect)> is_wanted = {};
  /// Programs to try before all others: results of an earlier sweep, or programs from the literature.
  std::vector<synthesis::Skeleton> seeds = {};
  /// The number of different random programs to try, with an equal share for each family; 0 to try all programs. If the
  /// bounds allow only a smaller number, tries the allowed programs.
  std::uint64_t random = 0;
  std::uint64_t random_seed = 1;
  std::function<bool()> is_over = {};  ///< called before each program; returns true to stop the sweep
  bool stops_at_first = false;         ///< the sweep ends after one difference
};

struct Sweep {
  std::vector<Separation> found;  ///< separations by increasing size of the program
  std::uint64_t programs = 0;     ///< number of examined programs
  unsigned complete = 0;          ///< all programs up to this size were examined
  std::vector<std::string> done;  ///< for each family, the largest completely examined size: "plain: 6"
  bool is_stopped = false;        ///< whether SweepOptions::is_over stopped the sweep
  std::string error;              ///< an error in an alphabet
  std::string failure;            ///< a failure of a detector, which ended the sweep
};

/// Examines all programs within the bounds. A step covers the programs of one family and one size. Steps with fewer
/// programs (an estimate) come first. Keeps the smallest program that separates each wanted pair in each aspect. Once a
/// pair is separated, only smaller programs are relevant for it. Ends early if no remaining program is relevant. If a
/// separation has at most size Sweep::complete plus one, no family has a smaller separation.
Sweep separate(const Observer& observer, const SweepOptions& options);

/// Returns whether the aspect applies to both subjects.
bool makes_sense(const Subject& first, const Subject& second, Aspect aspect);

/// Returns a finding that the first result has and the second result lacks. Returns nothing without such a finding, or
/// if one result is unknown.
std::optional<Separation> difference(const Sight& first, const Sight& second, Aspect aspect);

/// Returns the program with a different source place for each instruction. Detectors name these places in reports.
std::shared_ptr<const Program> with_places(const Program& program);
/// Returns the program in the form that the observer needs: if the observer has detectors, with source places.
std::shared_ptr<const Program> observed_program(const Observer& observer, const synthesis::Skeleton& skeleton);

}  // namespace ambit::study
