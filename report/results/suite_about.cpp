#include "report/results/suite_about.h"

#include <fmt/format.h>

namespace ambit::report {

std::string suites_text(const std::vector<SuiteAbout>& suites) {
  std::string text;
  for (const SuiteAbout& suite : suites) {
    text += fmt::format("suite {}: {}\n  race: {}\n  norace: {}\n", suite.name, suite.source, suite.race, suite.norace);
  }
  return text.empty() ? text : text + "\n";
}

}  // namespace ambit::report
