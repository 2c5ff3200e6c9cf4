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

/// What the first of two subjects shows that the second does not.
enum class Aspect : std::uint8_t {
  Race,     ///< a race of the program: in some execution, or reported on some run
  Outcome,  ///< of two models: an outcome
  Safe,     ///< of two models: an outcome of a program that neither says to race
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
  std::optional<events::Outcome> outcome;  ///< Aspect::Outcome: one that only the first allows
  std::size_t run = 0;                     ///< Aspect::Run: its number
  std::size_t size = 0;                    ///< statements
};

/// The statements of which programs are made, one family after the other for each size.
std::vector<std::string> usual_families(bool with_locks);

struct SweepOptions {
  synthesis::Bounds bounds = {5, 3, 2, 2, 1};
  std::vector<std::string> families;  ///< alphabets
  /// Pairs and aspects that are looked for; empty: all that make sense.
  std::function<bool(std::size_t first, std::size_t second, Aspect aspect)> is_wanted = {};
  /// Looked at before all others: what an earlier sweep found, or programs of the literature.
  std::vector<synthesis::Skeleton> seeds = {};
  /// Not 0: instead of all programs so many different random ones, the same share of each family; fewer where the
  /// bounds have not as many.
  std::uint64_t random = 0;
  std::uint64_t random_seed = 1;
  std::function<bool()> is_over = {};  ///< asked before each program; true: stop
  bool stops_at_first = false;         ///< one difference is enough
};

struct Sweep {
  std::vector<Separation> found;  ///< by rising size of the program
  std::uint64_t programs = 0;     ///< looked at
  unsigned complete = 0;          ///< all programs of at most this size were looked at
  std::vector<std::string> done;  ///< "plain: 6": the largest size of each family of which all programs were looked at
  bool is_stopped = false;        ///< by SweepOptions::is_over
  std::string error;              ///< of an alphabet
  std::string failure;            ///< of a detector, which ended the sweep
};

/// Looks at all programs within the bounds, size by size of each family, those of which there are few (by an estimate)
/// first, and keeps the smallest one that separates each wanted pair in each aspect. Once a pair is separated, only
/// smaller programs matter for it. A separation is the smallest of the families if Sweep::complete is at least its size
/// less one. Ends early when nothing is left that matters.
Sweep separate(const Observer& observer, const SweepOptions& options);

/// Both subjects can show what the aspect is about.
bool makes_sense(const Subject& first, const Subject& second, Aspect aspect);

/// Says what two sights differ in; nothing: the first shows nothing that the second does not, or one is not known.
std::optional<Separation> difference(const Sight& first, const Sight& second, Aspect aspect);

/// A program with a place of its own for each instruction: reports of detectors name places.
std::shared_ptr<const Program> with_places(const Program& program);
/// The program as the observer wants it: with places in a source where there are detectors.
std::shared_ptr<const Program> observed_program(const Observer& observer, const synthesis::Skeleton& skeleton);

}  // namespace ambit::study
