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
  Race,     ///< a race of the program, in some execution or reported on some run
  Outcome,  ///< for two models, an outcome
  Safe,     ///< for two models, an outcome of a program that races under neither model
  Run,      ///< for two detectors, a report on a run
};
inline constexpr std::array kAspects = {Aspect::Race, Aspect::Outcome, Aspect::Safe, Aspect::Run};
/// "race", "outcome", "race-free-outcome", "run".
std::string_view to_string(Aspect aspect);

/// The first program for which subject `first` has a finding that subject `second` lacks.
struct Separation {
  std::size_t first = 0;
  std::size_t second = 0;
  Aspect aspect = Aspect::Race;
  synthesis::Skeleton program;
  std::optional<events::Outcome> outcome;  ///< Aspect::Outcome: an outcome that only the first subject allows
  std::size_t run = 0;                     ///< Aspect::Run: the number of the run
  std::size_t size = 0;                    ///< number of statements
};

/// Returns the alphabets of programs, in the order in which the sweep uses them for each size.
std::vector<std::string> usual_families(bool with_locks);

struct SweepOptions {
  synthesis::Bounds bounds = {5, 3, 2, 2, 1};
  std::vector<std::string> families;  ///< alphabets
  /// Returns whether a pair and aspect are wanted. If the function is empty, all meaningful pairs are wanted.
  std::function<bool(std::size_t first, std::size_t second, Aspect aspect)> is_wanted = {};
  /// Programs tried before all others: results of an earlier sweep, or programs from the literature.
  std::vector<synthesis::Skeleton> seeds = {};
  /// If not 0, tries this number of different random programs instead of all programs, with an equal share for each
  /// family. Tries fewer programs if fewer are within the bounds.
  std::uint64_t random = 0;
  std::uint64_t random_seed = 1;
  std::function<bool()> is_over = {};  ///< called before each program; returns true to stop the sweep
  bool stops_at_first = false;         ///< the sweep ends after one difference
};

struct Sweep {
  std::vector<Separation> found;  ///< separations by increasing size of the program
  std::uint64_t programs = 0;     ///< number of examined programs
  unsigned complete = 0;          ///< all programs up to this size were examined
  std::vector<std::string> done;  ///< "plain: 6": for each family, the largest size whose programs were all examined
  bool is_stopped = false;        ///< SweepOptions::is_over stopped the sweep
  std::string error;              ///< error in an alphabet
  std::string failure;            ///< failure of a detector, which ended the sweep
};

/// Examines all programs within the bounds. A step covers the programs of one family and one size; steps with few
/// programs, by an estimate, come first. Keeps the smallest program that separates each wanted pair in each aspect.
/// Once a pair is separated, only smaller programs matter for the pair. Ends early if no remaining program matters. If
/// the size of a separation is at most Sweep::complete plus one, no family has a smaller separation.
Sweep separate(const Observer& observer, const SweepOptions& options);

/// Returns whether the aspect applies to both subjects.
bool makes_sense(const Subject& first, const Subject& second, Aspect aspect);

/// Returns a finding of the first result that the second result lacks. Returns nothing if there is no such finding, or
/// if one result is unknown.
std::optional<Separation> difference(const Sight& first, const Sight& second, Aspect aspect);

/// Returns the program with a different source place for each instruction, because detectors' reports name places.
std::shared_ptr<const Program> with_places(const Program& program);
/// Returns the program in the form that the observer needs: with source places if the observer has detectors.
std::shared_ptr<const Program> observed_program(const Observer& observer, const synthesis::Skeleton& skeleton);

}  // namespace ambit::study
