#pragma once

#include <string>
#include <vector>

namespace ambit::report {

/// The description of a suite in its suite file.
struct SuiteAbout {
  std::string name;
  std::string source;  ///< the publication or the authors
  std::string race;    ///< meaning of the label race
  std::string norace;  ///< meaning of the label norace
};

/// Returns lines that describe suites and their labels; empty without suites.
std::string suites_text(const std::vector<SuiteAbout>& suites);

}  // namespace ambit::report
