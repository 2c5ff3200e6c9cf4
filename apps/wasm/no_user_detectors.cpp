// A user's detector is a program, a plugin or a file. A page has none of these. The functions have the same
// declarations as in the program.
#include <string>
#include <string_view>

#include "api/external_detectors.h"
#include "api/files.h"

namespace ambit::api {

bool names_external_detector(std::string_view) { return false; }

Result<std::shared_ptr<ExternalDetector>> ExternalDetector::of_program(const std::vector<std::string>& parts,
                                                                       const ExternalRules&) {
  return path_error("--detector " + parts.front(), "programs and plugins are not available here");
}

Result<std::shared_ptr<ExternalDetector>> ExternalDetector::of_results(const std::string& given,
                                                                       const std::atomic<bool>*) {
  return path_error("--results " + given, "files of results are not available here");
}

void ExternalDetector::prepare(const detector::GivenOptions&) {}

std::unique_ptr<detector::Detector> ExternalDetector::make(const TraceTables&, const external::RunName&) {
  return nullptr;
}

}  // namespace ambit::api
