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

/// Something that the first of two subjects shows and the second does not.
enum class Aspect : std::uint8_t {
  Race,     ///< a race of the program: in some execution, or reported on some run
  Outcome,  ///< of two models: an outcome
  Safe,     ///< of two models: an outcome of a program that races under neither
  Run,      ///< of two detectors: a report on a run
};
inline constexpr std::array kAspects = {Aspect::Race, Aspect::Outcome, Aspect::Safe, Aspect::Run};
/// "race", "outcome", "race-free-outcome", "run".
std::string_view to_string(Aspect aspect);

/// The first program on which subject `first` shows something that subject `second` does not.
struct Separation {
  std::size_t first = 0;
  std::size_t second = 0;
  Aspect aspect = Aspect::Race;
  synthesis::Skeleton program;
  std::optional<events::Outcome> outcome;  ///< Aspect::Outcome: an outcome that only the first allows
  std::size_t run = 0;                     ///< Aspect::Run: the number of the run
  std::size_t size = 0;                    ///< statements
};

/// Returns the alphabets of programs, in the order of the sweep for each size.
std::vector<std::string> usual_families(bool with_locks);

struct SweepOptions {
  synthesis::Bounds bounds = {5, 3, 2, 2, 1};
  std::vector<std::string> families;  ///< alphabets
  /// Wanted pairs and aspects; empty: all sensible ones.
  std::function<bool(std::size_t first, std::size_t second, Aspect aspect)> is_wanted = {};
  /// Tried before all others: results of an earlier sweep, or programs of the literature.
  std::vector<synthesis::Skeleton> seeds = {};
  /// Not 0: tries this many different random programs instead of all, with an equal share for each family; fewer if the
  /// bounds do not have as many.
  std::uint64_t random = 0;
  std::uint64_t random_seed = 1;
  std::function<bool()> is_over = {};  ///< called before each program; true: stop
  bool stops_at_first = false;         ///< one difference is enough
};

struct Sweep {
  std::vector<Separation> found;  ///< by rising size of the program
  std::uint64_t programs = 0;     ///< programs examined
  unsigned complete = 0;          ///< all programs of at most this size were examined
  std::vector<std::string> done;  ///< "plain: 6": for each family, the largest size whose programs were all examined
  bool is_stopped = false;        ///< by SweepOptions::is_over
  std::string error;              ///< of an alphabet
  std::string failure;            ///< of a detector, which ended the sweep
};

/// Examines all programs within the bounds, size by size for each family, sizes with (an estimate of) few programs
/// first. Keeps the smallest program that separates each wanted pair in each aspect. Once a pair is separated, only
/// smaller programs matter for it. A separation is the smallest of the families if Sweep::complete is at least its size
/// less one. Ends early if no remaining program matters.
Sweep separate(const Observer& observer, const SweepOptions& options);

/// Returns whether the aspect applies to both subjects.
bool makes_sense(const Subject& first, const Subject& second, Aspect aspect);

/// Returns the difference between two sights. Nothing if the first shows nothing that the second does not, or if one is
/// unknown.
std::optional<Separation> difference(const Sight& first, const Sight& second, Aspect aspect);

/// Returns a program with a separate place for each instruction: reports of detectors name places.
std::shared_ptr<const Program> with_places(const Program& program);
/// Returns the program in the form that the observer needs: with places in a source if there are detectors.
std::shared_ptr<const Program> observed_program(const Observer& observer, const synthesis::Skeleton& skeleton);

}  // namespace ambit::study
