#include "report/results/detection_result.h"

#include <algorithm>

namespace ambit::report {
namespace {

void count(DetectionTotals::Counts& counts, std::optional<bool> race) {
  ++(!race ? counts.unknown : *race ? counts.racy : counts.clean);
}

}  // namespace

void DetectionTotals::add(const DetectionResult& result, std::optional<bool> race) {
  count(inputs_, race);
  for (const DetectorFindings& findings : result.detectors) {
    auto known = std::ranges::find(detectors_, findings.detector, &std::pair<std::string, Counts>::first);
    if (known == detectors_.end()) known = detectors_.insert(known, {findings.detector, {}});
    count(known->second, findings.is_unknown() ? std::nullopt : std::optional(!findings.races.empty()));
  }
}

void keep_sentences(std::span<const RaceReport> races, std::vector<std::string>& sentences) {
  for (const RaceReport& race : races) {
    if (sentences.size() >= kKeptSentences) return;
    if (std::find(sentences.begin(), sentences.end(), race.sentence) == sentences.end()) {
      sentences.push_back(race.sentence);
    }
  }
}

}  // namespace ambit::report
