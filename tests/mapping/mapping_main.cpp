#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/mapping/mapping.h"
#include "tests/support/tool_options.h"

/// Compares the translation to PTX with cuda-cpp on the whole corpus, or on the given files.
int main(int argc, char** argv) {
  std::string model = "cuda-cpp(thin-air=dependencies)";
  std::uint64_t programs = 0;
  std::uint64_t seed = 1;
  bool verbose = false;
  std::vector<std::string> files = ambit::test::read_tool_options(
      argc, argv,
      "ambit_mapping [--model MODEL] [--random N] [--seed N] [--verbose] [FILES]\n"
      "Compares CUDA tests with the PTX that they compile to. Without FILES, compares all tests of litmus/classic,\n"
      "litmus/separating, litmus/scor and litmus/language, and N random programs.",
      {{"model", &model}, {"random", &programs}, {"seed", &seed}, {"verbose", &verbose}});

  using ambit::mapping::Outcome;
  if (files.empty()) files = ambit::mapping::corpus({"classic", "separating", "scor", "language"});
  std::array<std::size_t, 6> counts{};
  const auto add = [&](const ambit::mapping::Finding& finding) {
    ++counts[static_cast<std::size_t>(finding.result)];
    const bool is_bad = finding.result == Outcome::Unsound || finding.result == Outcome::Mistranslated;
    if (verbose || is_bad) fmt::print("{:<13}  {}  {}\n", to_string(finding.result), finding.file, finding.detail);
  };
  for (const std::string& file : files) add(ambit::mapping::check_file(file, model));
  for (std::uint64_t i = 0; i < programs; ++i) add(ambit::mapping::check_random(seed + i, model));
  fmt::print("{} tests:", files.size() + programs);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0)
      fmt::print(" {} {}{}", counts[i], to_string(static_cast<Outcome>(i)), i + 1 < counts.size() ? "," : "");
  }
  fmt::print("\n");
  return counts[static_cast<std::size_t>(Outcome::Unsound)] +
                     counts[static_cast<std::size_t>(Outcome::Mistranslated)] ==
                 0
             ? 0
             : 1;
}
