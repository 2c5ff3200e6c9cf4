#pragma once

#include <string>
#include <vector>

namespace ambit::report {

/// What a suite file says of a suite.
struct SuiteAbout {
  std::string name;
  std::string source;  ///< the publication or the authors
  std::string race;    ///< what the label race means
  std::string norace;  ///< what the label norace means
};

/// Lines that say what suites are and what their labels mean; empty without suites.
std::string suites_text(const std::vector<SuiteAbout>& suites);

}  // namespace ambit::report
