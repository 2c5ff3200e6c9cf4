#include "core/expectation_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <vector>

namespace ambit {
namespace {

std::string options_text(const std::map<std::string, std::string>& options) {
  if (options.empty()) return {};
  std::vector<std::string> written;
  for (const auto& [name, value] : options) written.push_back(fmt::format("{}={}", name, value));
  return fmt::format("({})", fmt::join(written, ","));
}

std::string because_text(const std::string& because) {
  return because.empty() ? std::string() : fmt::format(" because \"{}\"", because);
}

}  // namespace

std::string expectation_text(const Expectation& expectation, const LocationName& location_name) {
  std::vector<std::string> items;
  if (expectation.frequency) items.emplace_back(to_string(*expectation.frequency));
  if (expectation.race) {
    std::string race = *expectation.race ? "race" : "norace";
    if (expectation.race_location) race += " on " + location_name(*expectation.race_location);
    items.push_back(std::move(race));
  }
  if (expectation.executions) items.push_back(fmt::format("executions {}", *expectation.executions));
  if (expectation.barrier_divergence) {
    items.emplace_back(*expectation.barrier_divergence ? "divergence" : "nodivergence");
  }
  if (expectation.undefined) items.emplace_back(*expectation.undefined ? "undefined" : "defined");
  if (expectation.unknown) items.emplace_back("Unknown");
  if (items.empty()) return {};
  return fmt::format("expect {}{} : {}{}", expectation.model, options_text(expectation.options), fmt::join(items, ", "),
                     because_text(expectation.because));
}

std::string expectation_text(const TerminationExpectation& expectation) {
  const std::string_view answer = !expectation.terminates   ? "Unknown"
                                  : *expectation.terminates ? "terminates"
                                                            : "stuck";
  return fmt::format("expect {}{} under {} : {}{}", expectation.model, options_text(expectation.options),
                     to_string(expectation.scheduler), answer, because_text(expectation.because));
}

std::string label_text(const SuiteLabel& label) {
  return fmt::format("label {} : {}{}{}", label.suite, label.race ? "race" : "norace",
                     label.predictable ? " predictable" : "", because_text(label.because));
}

std::string detection_text(const DetectExpectation& detection) {
  using Verdict = DetectExpectation::Verdict;
  const std::string_view verdict = detection.verdict == Verdict::Race     ? "race"
                                   : detection.verdict == Verdict::NoRace ? "norace"
                                                                          : "either";
  return fmt::format("detect {} : {}", detection.detector, verdict);
}

}  // namespace ambit
