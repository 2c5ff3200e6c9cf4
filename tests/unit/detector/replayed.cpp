#include "tests/unit/detector/replayed.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>

#include "tests/support/replay.h"
#include "trace/text_trace.h"

namespace ambit::detector {

Said replayed(const std::string& detector, const std::string& body, const std::map<std::string, std::string>& options,
              const std::string& launch) {
  const std::string text = "ambit-trace 1\nlaunch " + launch + "\n" + body;
  trace::TextTraceReader reader(std::make_unique<std::istringstream>(text), "test");
  const auto shown = test::shown(reader, detector, options);
  Said said;
  for (const RaceReport& race : shown->races()) {
    said.races.push_back(std::to_string(race.first.event) + "-" + std::to_string(race.second.event));
    said.kinds.emplace_back(to_string(race.kind));
    said.sentences.push_back(race.sentence);
  }
  said.remarks = shown->remarks();
  return said;
}

}  // namespace ambit::detector
