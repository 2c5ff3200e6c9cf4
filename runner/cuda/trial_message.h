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

/// What the process that watches a campaign with a budget asks of its worker.
struct TrialMessage {
  std::size_t test = 0;  ///< of the campaign, from 0
  std::uint64_t seed = 0;
  double seconds = 0;     ///< of kernel time, shared by the sets
  bool is_first = false;  ///< of this test: recorded runs and detectors inside the kernel belong to it
  std::vector<Stress> sets = {};
  std::set<std::vector<Value>> until =
      {};  ///< the trial ends when all of these outcomes were seen; empty: with its time

  friend bool operator==(const TrialMessage&, const TrialMessage&) = default;
};

/// The message as one line with its end.
std::string to_line(const TrialMessage& message);
/// The message in a line, with or without its end; nothing if the line is not a whole message.
std::optional<TrialMessage> read_trial(std::string_view line);

}  // namespace ambit::cuda
