#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

/// Checks that the translation to PTX is sound: if the model ptx allows an outcome for the compiled test, the model
/// cuda-cpp must allow the outcome for the source. CUDA C++ guarantees nothing about a source with a race, so the
/// outcomes of such a source are not compared.
namespace ambit::mapping {

enum class Outcome {
  Sound,
  Races,          ///< the source has a race in CUDA C++, so outcomes are not compared
  NotMapped,      ///< the PTX litmus format cannot express the test
  Undecided,      ///< some verdict is Unknown, or no execution of the source ends
  Unsound,        ///< PTX allows an outcome that CUDA C++ forbids
  Mistranslated,  ///< the ptx model gives the compiled test and the source different outcomes
};
std::string_view to_string(Outcome result);

struct Finding {
  std::string file;
  Outcome result = Outcome::Sound;
  std::string detail;  ///< an outcome or a reason
};

/// Compares the test of a file with its translation. `model` is the model for the source. By default, this model omits
/// RC11's thin-air axiom, because PTX does not satisfy the axiom (docs/reference/ptx.md).
Finding check(const SourceFilePtr& source, const std::string& model = "cuda-cpp(thin-air=dependencies)");
/// Compares the random program of this seed (tests/differential).
Finding check_random(std::uint64_t seed, const std::string& model = "cuda-cpp(thin-air=dependencies)");
Finding check_file(const std::string& file, const std::string& model = "cuda-cpp(thin-air=dependencies)");

/// Returns the tests below some folders of litmus/, ordered by path.
std::vector<std::string> corpus(const std::vector<std::string>& folders);

}  // namespace ambit::mapping
