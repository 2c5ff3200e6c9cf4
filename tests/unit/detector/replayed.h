#pragma once

#include <map>
#include <string>
#include <vector>

#include "detector/detector.h"

namespace ambit::detector {

/// A detector's reports on a trace that a test contains as text.
struct Said {
  std::vector<std::string> races;      ///< numbers of both events: "0-3"
  std::vector<std::string> kinds;      ///< kinds of the same races
  std::vector<std::string> sentences;  ///< sentences of the same races
  std::vector<std::string> remarks;
};

/// Replays `body`, the lines of a text trace after its launch line, `launch`.
Said replayed(const std::string& detector, const std::string& body,
              const std::map<std::string, std::string>& options = {},
              const std::string& launch = "grid=2,1,1 block=64,1,1 warp=32");

}  // namespace ambit::detector
