#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace ambit::differential {

/// Random choices for the generators of tests. The seed determines the choices.
class RandomChoices {
 protected:
  explicit RandomChoices(std::uint64_t seed) : seed_(seed), random_(seed) {}

  /// Returns a uniformly distributed number in [0, n). Unlike a distribution of std, the function gives the same number
  /// with every standard library.
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::string one_of(const std::vector<std::string_view>& names) {
    return std::string(names[below(static_cast<unsigned>(names.size()))]);
  }
  unsigned thread_count() { return 2 + (below(10) < 4 ? 1 : 0) + (below(10) < 1 ? 1 : 0); }

  /// Returns up to three comparisons of observed registers or of x and y.
  std::string proposition(std::string_view conjunction, std::string_view disjunction) {
    std::string text;
    const unsigned terms = 1 + below(3);
    for (unsigned i = 0; i < terms; ++i) {
      const bool is_register = !observed_.empty() && below(5) != 0;
      const std::string name =
          is_register ? observed_[below(static_cast<unsigned>(observed_.size()))] : std::string(below(2) ? "x" : "y");
      text += fmt::format("{}{} {} {}", i == 0 ? "" : (below(4) ? conjunction : disjunction), name,
                          below(4) ? "==" : "!=", below(3));
    }
    return text;
  }

  std::uint64_t seed_;
  std::mt19937_64 random_;
  unsigned locations_ = 1;
  unsigned registers_ = 0;
  unsigned thread_ = 0;
  unsigned budget_ = 0;  ///< number of statements left
  bool has_barrier_ = false;
  std::vector<std::string> observed_;  ///< registers that the condition may name: "P0:r1"
};

}  // namespace ambit::differential
