#pragma once

#include <string>
#include <vector>

namespace ambit::report {

/// The description of a suite, from its suite file.
struct SuiteAbout {
  std::string name;
  std::string source;  ///< the publication or the authors
  std::string race;    ///< meaning of the label "race" in this suite
  std::string norace;  ///< meaning of the label "norace" in this suite
};

/// Returns lines of text that describe suites and their labels; empty without suites.
std::string suites_text(const std::vector<SuiteAbout>& suites);

}  // namespace ambit::report
