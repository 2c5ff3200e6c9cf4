#include "tests/unit/suites/count.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "detector/algorithms/registry.h"
#include "detector/detector.h"
#include "parser/parse.h"
#include "runner/sim/simulate.h"

namespace ambit {

Counts count(const SourceFilePtr& source, const std::vector<std::string>& names) {
  const auto program = parser::parse_program(source).value();
  sim::Options options{.memory = sim::MemoryKind::Sc, .schedule = sim::ScheduleKind::Exhaustive};
  Context context;
  Counts counts;
  const auto look = [&](const sim::Run& run) {
    if (run.end != sim::RunEnd::Complete) return true;
    ++counts.runs;
    std::vector<std::unique_ptr<detector::Detector>> detectors;
    for (const std::string& name : names) {
      detectors.push_back(std::move(detector::make_detector(name, {}, run.trace.tables).value()));
    }
    MemoryTraceReader reader(run.trace);
    EXPECT_TRUE(detector::replay(reader, detectors).ok());
    for (std::size_t i = 0; i < names.size(); ++i) counts.found[names[i]] += detectors[i]->races().empty() ? 0 : 1;
    return true;
  };
  const auto simulation = sim::simulate(program, options, context, look);
  EXPECT_TRUE(simulation.ok() && simulation.value().is_exhaustive) << source->path;
  return counts;
}

bool is_there(const std::string& name) {
  return std::ranges::any_of(detector::detectors(), [&](const auto& each) { return each.name == name; });
}

}  // namespace ambit
