#include "replayed.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>

#include "trace/text_trace.h"

namespace ambit::detector {

Said replayed(const std::string& detector, const std::string& body, const std::map<std::string, std::string>& options,
              const std::string& launch) {
  const std::string text = "ambit-trace 1\nlaunch " + launch + "\n" + body;
  trace::TextTraceReader reader(std::make_unique<std::istringstream>(text), "test");
  auto made = make_detector(detector, options, reader.tables());
  Said said;
  if (!made.ok()) {
    ADD_FAILURE() << render(made.errors());
    return said;
  }
  std::vector<std::unique_ptr<Detector>> detectors;
  detectors.push_back(std::move(made).value());
  const auto result = replay(reader, detectors);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : render(result.errors())) << text;
  for (const RaceReport& race : detectors[0]->races()) {
    said.races.push_back(std::to_string(race.first.event) + "-" + std::to_string(race.second.event));
    said.kinds.emplace_back(to_string(race.kind));
    said.sentences.push_back(race.sentence);
  }
  said.remarks = detectors[0]->remarks();
  return said;
}

}  // namespace ambit::detector
