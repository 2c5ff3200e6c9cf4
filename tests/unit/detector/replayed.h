#pragma once

#include <map>
#include <string>
#include <vector>

#include "detector/detector.h"

namespace ambit::detector {

/// The reports of a detector on a trace that a test contains as text.
struct Said {
  std::vector<std::string> races;      ///< for each race, the numbers of its two events: "0-3"
  std::vector<std::string> kinds;      ///< the kind of each race
  std::vector<std::string> sentences;  ///< the sentence in the report of each race
  std::vector<std::string> remarks;
};

/// Replays a text trace. `body` is the text after the launch line, and `launch` describes the launch.
Said replayed(const std::string& detector, const std::string& body,
              const std::map<std::string, std::string>& options = {},
              const std::string& launch = "grid=2,1,1 block=64,1,1 warp=32");

}  // namespace ambit::detector
