#include "report/results/detection_result.h"

#include <algorithm>

namespace ambit::report {

void keep_sentences(std::span<const RaceReport> races, std::vector<std::string>& sentences) {
  for (const RaceReport& race : races) {
    if (sentences.size() >= kKeptSentences) return;
    if (std::find(sentences.begin(), sentences.end(), race.sentence) == sentences.end()) {
      sentences.push_back(race.sentence);
    }
  }
}

}  // namespace ambit::report
