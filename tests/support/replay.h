#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "detector/algorithms/registry.h"
#include "detector/detector.h"

namespace ambit::test {

/// Returns a detector that has replayed a whole trace. An error fails the test.
inline std::unique_ptr<detector::Detector> shown(TraceReader& reader, std::unique_ptr<detector::Detector> detector) {
  std::vector<std::unique_ptr<detector::Detector>> detectors;
  detectors.push_back(std::move(detector));
  const auto result = detector::replay(reader, detectors);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : render(result.errors()));
  return std::move(detectors.front());
}

/// Like the function above, for a detector that is given by name.
inline std::unique_ptr<detector::Detector> shown(TraceReader& reader, const std::string& name,
                                                 const detector::GivenOptions& options = {}) {
  auto made = detector::make_detector(name, options, reader.tables());
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : render(made.errors()));
  return shown(reader, std::move(made).value());
}

}  // namespace ambit::test
