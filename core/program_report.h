#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/race_report.h"

namespace ambit {

// Findings of a run of a whole program. The runtime library produces the findings, and the front ends print them.

/// A line of the program's source.
struct ProgramPlace {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string function;  ///< the function inlined at this place; empty for the outermost place
};

/// An instruction of a kernel.
struct ProgramSite {
  /// Places from the innermost to the outermost; empty if the program has no line information.
  std::vector<ProgramPlace> places;
  std::size_t user_place = 0;  ///< index of the innermost place outside system headers
  std::string function;        ///< demangled name of the function whose PTX contains the instruction
  std::string instruction;     ///< "st.global.u32"; empty if unknown
  std::uint32_t ptx_line = 0;

  /// Returns "app.cu:12", or "kernel, line 40 of the PTX" without line information.
  std::string text() const;
  /// Returns a key that identifies the site. The key contains all places, but no columns. If there is no line
  /// information, the key is the PTX line.
  std::string key() const;
};

/// One side of a race.
struct ProgramAccess {
  ProgramSite site;
  std::string thread;  ///< "block 3, thread 17"; empty if unknown
  bool is_write = false;
  bool is_atomic = false;
};

/// The class of a race by its effect on the program's values. Reports list ordinary races separately.
enum class ProgramRaceClass : std::uint8_t {
  Ordinary,
  SameValue,     ///< both accesses write, and all writes of the launch to these words store the same value
  Invalidation,  ///< an mbarrier.inval races with an access of its warp before a warp-wide exchange
};
/// Returns "ordinary", "same value" or "invalidation".
std::string_view to_string(ProgramRaceClass race_class);

/// Two accesses of a program's kernels that race. If the race occurs several times, the members describe the first
/// occurrence with the widest RaceLevel.
struct ProgramRace {
  std::string detector;
  std::string kernel;
  std::uint32_t launch = 0;  ///< number of the launch in the run, from 1
  RaceKind kind = RaceKind::Unsynchronized;
  RaceLevel level = RaceLevel::Device;
  ProgramAccess first;
  ProgramAccess second;
  std::string memory;        ///< "tickets", "allocation 2 + 16 bytes"
  std::string why;           ///< one sentence that explains the race; empty if the kind explains the race
  std::string remedy;        ///< a change that would order the accesses
  bool needs_trial = false;  ///< no trial run has yet shown that the remedy orders the accesses
  std::uint64_t seed = 0;    ///< seed of the first run that showed this pair
  ProgramRaceClass race_class = ProgramRaceClass::Ordinary;
  std::uint64_t count = 1;  ///< number of occurrences in all runs
  std::uint64_t runs = 1;   ///< number of runs in which the race occurred

  /// Copies all members of `wider` except class, count and runs.
  void take_pair_of(const ProgramRace& wider);
};

/// A fault or a warning of the virtual GPU.
struct ProgramFinding {
  std::string kind;  ///< "out of bounds"
  std::string kernel;
  ProgramSite site;
  std::string thread;
  std::string message;
  std::string where;  ///< several lines that list where each thread waits; may be empty
  std::uint64_t count = 1;
  bool is_error = true;  ///< the finding ended its launch
  bool is_cut = false;   ///< the launch was stopped by a timeout, the limit on steps or an interrupt
};

/// Results of one or more runs of a program.
struct ProgramReport {
  std::vector<ProgramRace> races;
  std::vector<ProgramFinding> findings;
  std::vector<std::string> remarks;  ///< missing functions, launches that were not checked
  std::vector<std::string> errors;   ///< reasons why kernels could not run, or could not be checked completely
  std::vector<std::string> crashes;  ///< bugs of Ambit: signals and failed assertions in its own code
  std::uint64_t launches = 0;
  std::uint64_t warp_instructions = 0;
  double kernel_seconds = 0;
  std::uint64_t runs = 1;
  bool has_begun = false;    ///< the program used the CUDA runtime
  bool is_complete = false;  ///< the program and its launches ran to their ends

  /// Returns whether the report has an ordinary race.
  bool has_ordinary_race() const;
  /// Returns whether some launch was stopped before its end.
  bool has_cut_launch() const;
  /// Makes paths of source files relative to `folder`, if the files are in this folder.
  void shorten_paths(const std::string& folder);
  /// Sets the seed of all races.
  void set_seed(std::uint64_t seed);
  /// Adds the results of another run of the same program. Merges duplicate races, findings and remarks.
  void merge(const ProgramReport& run);
};

/// Returns whether two races have the same sites, in either order.
bool has_same_sites(const ProgramRace& a, const ProgramRace& b);
/// Returns whether two races have the same detector, the same kind and the same sites, in either order.
bool is_same_program_race(const ProgramRace& a, const ProgramRace& b);

}  // namespace ambit
