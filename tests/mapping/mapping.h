#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/source.h"

/// Is the translation to PTX sound? Every outcome that the ptx model allows of the compiled test must be one that
/// cuda-cpp allows of the source, or the source races, which frees the compiler of everything.
namespace ambit::mapping {

enum class Outcome {
  Sound,
  Races,          ///< in CUDA C++: nothing is promised, and nothing is compared
  NotMapped,      ///< the PTX litmus format cannot say it
  Undecided,      ///< some verdict is Unknown, or no execution of the source ends
  Unsound,        ///< PTX allows an outcome that the language does not
  Mistranslated,  ///< the compiled test is not what the ptx model makes of the source
};
std::string_view to_string(Outcome result);

struct Finding {
  std::string file;
  Outcome result = Outcome::Sound;
  std::string detail;  ///< an outcome, or why
};

/// Compares the test of a file with its translation. `model`: the reference for the source, by default without RC11's
/// axiom against thin air, which PTX does not keep (docs/ptx.md).
Finding check(const SourceFilePtr& source, const std::string& model = "cuda-cpp(thin-air=dependencies)");
/// The random program of this seed (tests/differential).
Finding check_random(std::uint64_t seed, const std::string& model = "cuda-cpp(thin-air=dependencies)");
Finding check_file(const std::string& file, const std::string& model = "cuda-cpp(thin-air=dependencies)");

/// The tests below some folders of litmus/, in order of path.
std::vector<std::string> corpus(const std::vector<std::string>& folders);

}  // namespace ambit::mapping
