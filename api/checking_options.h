#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/source_reading.h"
#include "core/context.h"
#include "core/program.h"
#include "core/stm.h"
#include "model/verdict/verdict.h"
#include "parser/text/program_options.h"

namespace ambit::api {

/// How tests are read and checked: models, engine, limits.
struct CheckingOptions {
  std::vector<std::string> models = {};  ///< as written, one for each model: "ptx", "hrf-relaxed(incl=nest)", "my.cat"
  verdict::Engine engine = verdict::Engine::Auto;
  unsigned unroll = 3;
  bool deepen = false;           ///< doubles `unroll` while a loop can run further and the limits allow
  bool uninitialized = false;    ///< memory without an initial value is undefined instead of 0
  bool opaque_branches = false;  ///< branches on values that Ambit does not track go both ways
  bool symmetry = true;          ///< of executions that differ only by a permutation of equivalent threads, checks one
  unsigned max_threads = 1024;
  unsigned max_events = events::kMaxEvents;
  double timeout_seconds = 60;  ///< for one (test, model)
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  std::string dump_directory = {};         ///< for SMT queries, and then forces the SMT engine; empty: none
  std::string launch = {};                 ///< of CUDA sources; empty: the file's own
  std::vector<std::string> defines = {};   ///< macros of CUDA sources: "NAME" or "NAME=VALUE"
  ReadingOptions reading = {};             ///< of CUDA sources
  std::optional<Stm> stm = {};             ///< replaces transactions by its code (with_stm)
  std::uint32_t attempts = 1;              ///< of each transaction, with `stm`
  bool only_termination = false;           ///< checks nothing else
  std::vector<Scheduler> schedulers = {};  ///< for only_termination; empty: those that the test expects, or fair
};

/// Reads the tests of a file (api::read_input, parser::parse_programs). Errors: those of both.
Result<std::vector<std::shared_ptr<const Program>>> read_tests(const std::string& file, const CheckingOptions& options,
                                                               const std::atomic<bool>& interrupted);
parser::ProgramOptions program_options(const CheckingOptions& options);
/// Returns the engine and its bound, without questions.
verdict::CheckOptions engine_options(const CheckingOptions& options);
void set_limits(Context& context, const CheckingOptions& options, const std::atomic<bool>& interrupted);
/// Converts seconds into a limit that the clock can hold, at least one millisecond.
std::chrono::milliseconds time_limit(double seconds);

}  // namespace ambit::api
