#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/check/checking_options.h"
#include "api/external_detectors.h"
#include "base/source.h"
#include "study/separation.h"

namespace ambit::api {

/// Which differences count.
enum class Direction : std::uint8_t {
  Any,
  More,  ///< the first subject shows a behaviour that the second does not show
  Less,  ///< the second subject shows a behaviour that the first does not show
};

struct DistinctionRequest {
  /// Models ("ptx", "hrf-relaxed(incl=nest)", a .cat file) and detectors ("detector:gwcp",
  /// "detector:gwcp(overlap=either)", "detector:exec:./mine.py").
  std::vector<std::string> subjects = {};
  std::vector<std::string> tests = {};         ///< files and folders with the tests of a log (distinction_on_tests.h)
  std::optional<ExternalRules> external = {};  ///< how to run a user's detectors; if absent, they are rejected
  Direction direction = Direction::Any;
  std::optional<study::Aspect> about = {};  ///< kind of difference to search for; if absent, every kind
  synthesis::Bounds bounds = {7, 3, 2, 2, 1};
  std::string alphabet = {};  ///< if empty, study::usual_families.
  /// If not 0, tries this number of random programs instead of all programs within the bounds.
  std::uint64_t random = 0;
  std::uint64_t seed = 1;  ///< seed for random programs
  double timeout_seconds = 60;
  std::vector<std::string> seeds = {};  ///< names of programs to try first; unknown names are skipped
};

/// Returns the names of the tests in a folder, without extension. distinguish() can try these programs first.
std::vector<std::string> test_names_in(const std::string& folder);

/// A test on which two subjects differ.
struct DistinctionTest {
  std::string name;
  std::string text;  ///< the test, with a line `expect` or `detect` for each subject
};

/// A behaviour of a program that the first of two subjects shows and the second subject does not show.
struct Difference {
  std::string first;
  std::string second;
  study::Aspect aspect = study::Aspect::Race;
  std::string shown;  ///< "a race", "the outcome P0:r0 == 1 && x == 2", "a report on run 3"
  std::size_t statements = 0;
  bool is_smallest = false;  ///< whether all smaller programs were tried and do not show `shown`
  std::size_t test = 0;      ///< index into Distinction::tests
};

struct Distinction {
  std::vector<std::string> subjects;  ///< names as reports show them
  std::vector<Difference> differences;
  std::vector<DistinctionTest> tests;
  /// Each alphabet with a size: "plain: 6". Up to this size, all programs of the alphabet were tried.
  std::vector<std::string> families;
  synthesis::Bounds bounds;
  std::uint64_t programs = 0;     ///< number of programs that were tried
  unsigned complete = 0;          ///< size up to which all programs were tried
  bool is_random = false;         ///< whether the programs were random
  bool is_stopped = false;        ///< whether time or Ctrl-C stopped the search before all programs were tried
  std::vector<std::string> open;  ///< pairs of subjects without a difference: "sc, ptx: outcome"
};

/// Finds the smallest programs on which any two subjects differ. With only two subjects, stops at the first difference.
/// With more subjects, stops when every pair of subjects has a difference in every aspect in both directions. Errors:
/// unknown subjects or statements; fewer than two subjects; a detector that fails.
Result<Distinction> distinguish(const DistinctionRequest& request, const std::atomic<bool>& interrupted);

/// Explains in plain English (like `ambit explain`) why two models differ on a test. Returns an empty text for
/// detectors.
std::string explanation_of(const Distinction& distinction, const Difference& difference,
                           const std::atomic<bool>& interrupted);

/// Returns the map as a page of documentation. The page has a table of all pairs for each aspect, with links to
/// `folder`.
std::string map_page(const Distinction& distinction, const std::string& folder);

}  // namespace ambit::api
