#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr.h"
#include "runner/cuda/stress/stress.h"

namespace ambit::cuda {

/// A request to the worker process, sent by the process that controls a campaign with a budget.
struct TrialMessage {
  std::size_t test = 0;  ///< number of the test in the campaign, from 0
  std::uint64_t seed = 0;
  double seconds = 0;     ///< seconds of kernel time, divided among the sets
  bool is_first = false;  ///< first trial of this test; includes recorded runs and detectors inside the kernel
  std::vector<Stress> sets = {};
  std::set<std::vector<Value>> until =
      {};  ///< if not empty, the trial ends as soon as all of these outcomes have been seen

  friend bool operator==(const TrialMessage&, const TrialMessage&) = default;
};

/// Returns the message as one line with its line break.
std::string to_line(const TrialMessage& message);
/// Reads the message in a line with or without a line break; returns nothing if the line is not a complete message.
std::optional<TrialMessage> read_trial(std::string_view line);

}  // namespace ambit::cuda
