#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr.h"
#include "runner/cuda/stress.h"

namespace ambit::cuda {

/// A request to the worker from the process that watches a campaign with a budget.
struct TrialMessage {
  std::size_t test = 0;  ///< of the campaign, from 0
  std::uint64_t seed = 0;
  double seconds = 0;     ///< of kernel time, shared by the sets
  bool is_first = false;  ///< of this test: includes the recorded runs and detectors inside the kernel
  std::vector<Stress> sets = {};
  std::set<std::vector<Value>> until =
      {};  ///< the trial ends after all of these outcomes were seen; empty: with its time

  friend bool operator==(const TrialMessage&, const TrialMessage&) = default;
};

/// Returns the message as one line, including its end.
std::string to_line(const TrialMessage& message);
/// Reads the message in a line, with or without its end; nothing if the line is not a complete message.
std::optional<TrialMessage> read_trial(std::string_view line);

}  // namespace ambit::cuda
