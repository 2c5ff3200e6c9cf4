#pragma once

#include <string>
#include <vector>

namespace ambit::report {

/// The description of a suite, from its suite file.
struct SuiteAbout {
  std::string name;
  std::string source;  ///< the suite's publication or authors
  std::string race;    ///< meaning of the label "race" in this suite
  std::string norace;  ///< meaning of the label "norace" in this suite
};

/// Returns lines of text that describe suites and their labels. Returns an empty text if there are no suites.
std::string suites_text(const std::vector<SuiteAbout>& suites);

}  // namespace ambit::report
