#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/source_reading.h"
#include "base/context.h"
#include "core/program.h"
#include "core/stm.h"
#include "model/verdict/verdict.h"
#include "parser/text/program_options.h"

namespace ambit::api {

/// How tests are read and checked: models, engine, limits.
struct CheckingOptions {
  std::vector<std::string> models = {};  ///< one entry per model: "ptx", "hrf-relaxed(incl=nest)", "my.cat"
  verdict::Engine engine = verdict::Engine::Auto;
  unsigned unroll = 3;
  bool deepen = false;           ///< whether to double `unroll` while a loop can run further and the limits allow it
  bool uninitialized = false;    ///< whether memory without an initial value is undefined (instead of 0)
  bool opaque_branches = false;  ///< whether to follow both sides of branches on values that Ambit does not track
  /// Whether to check only one execution of each set that differs only by a permutation of equivalent threads.
  bool symmetry = true;
  unsigned max_threads = 1024;
  unsigned max_events = events::kMaxEvents;
  double timeout_seconds = 60;  ///< timeout for one pair of test and model
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  /// Folder to write SMT queries to; empty to write no queries. If set, the SMT engine is used.
  std::string dump_directory = {};
  std::string launch = {};                ///< launch for CUDA sources; if empty, the launch in the file
  std::vector<std::string> defines = {};  ///< macros for CUDA sources: "NAME" or "NAME=VALUE"
  ReadingOptions reading = {};            ///< how to read CUDA sources
  std::optional<Stm> stm = {};            ///< replaces transactions by the code of this transactional memory (with_stm)
  std::uint32_t attempts = 1;             ///< with `stm`: the maximum number of attempts of each transaction
  bool only_termination = false;          ///< whether to check termination only.
  /// Schedulers for only_termination; if empty, the schedulers that the test's expectations name, or `fair` if they
  /// name no scheduler.
  std::vector<Scheduler> schedulers = {};
};

/// Reads the tests of a file. Errors: the errors of api::read_input and parser::parse_programs; a compiler took longer
/// than `options.timeout_seconds`.
Result<std::vector<std::shared_ptr<const Program>>> read_tests(const std::string& file, const CheckingOptions& options,
                                                               const std::atomic<bool>& interrupted);
parser::ProgramOptions program_options(const CheckingOptions& options);
/// Returns check options with the engine and its bound. The caller adds the questions.
verdict::CheckOptions engine_options(const CheckingOptions& options);
void set_limits(Context& context, const CheckingOptions& options, const std::atomic<bool>& interrupted);
/// Converts seconds into a time limit. The limit is at least one millisecond, and short enough for the clock.
std::chrono::milliseconds time_limit(double seconds);

}  // namespace ambit::api
