#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/cli/commands.h"
#include "model/verdict/verdict.h"

namespace ambit::cli {

/// What `check` and `outcomes` have in common: models, engine, limits.
struct CheckingOptions {
  std::vector<std::string> models;  ///< as written, one a model: "ptx", "hrf-relaxed(incl=nest)", "my.cat"
  verdict::Engine engine = verdict::Engine::Auto;
  unsigned unroll = 3;
  bool uninitialized = false;
  unsigned max_threads = 64;
  double timeout_seconds = 60;  ///< for one (test, model)
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  std::string dump_directory;         ///< --dump-smt; empty: none
  std::string launch;                 ///< --launch: of CUDA sources; empty: the file's own
  std::vector<std::string> defines;   ///< -D: "NAME" or "NAME=VALUE"
  bool only_termination = false;      ///< --property termination: no other question
  std::vector<Scheduler> schedulers;  ///< asked about with it; empty: those that the test's expectations name, or fair
};

/// Declares the common options on a subcommand; `options` must outlive it.
void add_checking_options(CLI::App& command, CheckingOptions& options);

/// Declares --dump-smt; `options` must outlive the command.
void add_dump_option(CLI::App& command, CheckingOptions& options);

/// Declares --property and --scheduler; `options` must outlive the command.
void add_property_options(CLI::App& command, CheckingOptions& options);

/// What the standard output holds (docs/cli.md).
enum class OutputFormat : std::uint8_t {
  Text,
  Json,
  Herd,  ///< a log as herd7 prints it, of one model
};

/// Declares --format, and --json for --format json; `format` must outlive the command.
void add_format_options(CLI::App& command, OutputFormat& format);
/// A usage error if a log is asked for and not exactly one model (a log does not say which it is of), or of
/// termination; or if queries are to be written and none will be asked.
void require_sense(OutputFormat format, const CheckingOptions& options);

/// For CLI::Validator: empty when the path is a folder or could be made one (it then is), else what is wrong.
std::string folder_can_be_made(const std::string& folder);

/// "a,b(x=1,y=2),c" taken apart at the commas outside parentheses; empty parts are dropped.
std::vector<std::string> split_models(const std::string& text);

}  // namespace ambit::cli
