#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/program.h"
#include "runner/sim/simulator_options.h"

/// Compares the simulator with the models. The `sc` memory must show exactly the outcomes that the model sc allows. The
/// model ptx must allow every outcome of the `gpu` memory.
namespace ambit::simulator {

enum class Outcome : std::uint8_t {
  Agrees,
  NotSimulated,  ///< the memory does not support the test (proxies)
  Undecided,     ///< the model's answer is Unknown, or the search with the `sc` memory is incomplete
  Differs,       ///< only for sc: a known difference for relaxed arrivals (docs/reference/simulator.md)
  Extra,         ///< the simulator shows an outcome that the model does not allow
  Missing,       ///< only for sc: the model allows an outcome that the simulator never shows
};
std::string_view to_string(Outcome outcome);

struct Finding {
  std::string test;
  Outcome outcome = Outcome::Agrees;
  std::string detail;       ///< an outcome or a reason
  std::size_t shown = 0;    ///< number of outcomes that the simulator showed
  std::size_t allowed = 0;  ///< number of outcomes that the model allows
  std::size_t weak = 0;     ///< only for gpu: number of shown outcomes that the model sc forbids
  std::size_t weak_shown = 0;
};

/// Simulates a test and compares its outcomes with model sc or ptx, depending on the memory in `options`. Transactions
/// need sc-tm or ptx-tm, with strong isolation. A schedule that is not exhaustive gives a sample of the outcomes.
Finding compare(const std::shared_ptr<const Program>& program, const sim::Options& options);
/// Compares every test in a file; a file that cannot be read is NotSimulated.
std::vector<Finding> compare_file(const std::string& file, const sim::Options& options);

/// Returns all tests of litmus/, ordered by path.
std::vector<std::string> corpus();

}  // namespace ambit::simulator
