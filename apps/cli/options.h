#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/check/added_expectations.h"
#include "api/check/checking_options.h"
#include "api/check/explanation.h"
#include "api/detectors.h"
#include "api/study/generation.h"
#include "apps/cli/command_line.h"
#include "core/stm.h"

namespace ambit::cli {

/// Declares the common options on a subcommand; `options` must outlive the subcommand. `takes_one_model`: --model takes
/// a single name.
void add_checking_options(Command command, api::CheckingOptions& options, bool takes_one_model = false);

/// Declares --reading, --compiled, --ptx and --arch; `reading` must outlive the command.
void add_reading_options(Command command, api::ReadingOptions& reading);

/// Declares --arch; `architecture` must outlive the command.
Option add_architecture_option(Command command, std::string& architecture);

/// Declares --stm; `stm` must outlive the command.
Option add_stm_option(Command command, std::optional<Stm>& stm);
/// Declares --attempts, which needs the option --stm; `attempts` must outlive the command.
Option add_attempts_option(Command command, std::uint32_t& attempts, Option stm);
/// Declares --stm and --attempts for commands that check models; `options` must outlive the command.
void add_stm_options(Command command, api::CheckingOptions& options);

/// Declares --dump-smt; `options` must outlive the command.
void add_dump_option(Command command, api::CheckingOptions& options);

/// Declares --property and --scheduler; `options` must outlive the command.
void add_property_options(Command command, api::CheckingOptions& options);

/// Declares FILE, --test, --outcome, --race and the common options; `request` must outlive the command.
void add_question_options(Command command, api::ExplainRequest& request);

/// Declares --detector and -O; `selection` must outlive the command.
void add_detector_options(Command command, api::DetectorSelection& selection);
/// Returns settings to run a user's detectors: this program runs plugins, and Ctrl-C ends every detector.
api::ExternalRules external_rules();
/// Like add_detector_options(), but also accepts programs and plugins.
void add_external_detector_options(Command command, api::DetectorSelection& selection);

/// The format of the standard output (docs/reference/json.md).
enum class OutputFormat : std::uint8_t {
  Text,
  Json,
  Herd,  ///< a log of one model's outcomes, in the format of herd7
};

/// Declares --format, and --json for --format json; `format` must outlive the command.
void add_format_options(Command command, OutputFormat& format);
/// If the user gave a time limit but no loop bound, makes the check double the loop bound repeatedly. Call this
/// function after the command line is read.
void choose_deepening(Command command, api::CheckingOptions& options);

/// Throws a usage error if options contradict each other: a log about termination; a log for no model or several models
/// (a log does not name its model); --dump-smt with an engine that has no queries.
void require_sense(OutputFormat format, const api::CheckingOptions& options);

/// Declares --expect and --fail-on-race; `added` must outlive the command.
void add_expectation_options(Command command, api::AddedExpectations& added);

/// Declares --sarif; `file` must outlive the command.
void add_sarif_option(Command command, std::string& file);

/// Declares --timeout, a number of seconds above 0. The value of `seconds` is the default.
void add_timeout_option(Command command, double& seconds, const std::string& help);

/// Declares --size, --threads, --blocks, --variables, --locks and --alphabet; `bounds` and `alphabet` must outlive the
/// command.
void add_bounds_options(Command command, synthesis::Bounds& bounds, std::string& alphabet);
/// Declares --shard; `shard` must outlive the command.
void add_shard_option(Command command, api::Shard& shard);

/// For Option::check: returns an error if a file with this name certainly cannot be written; otherwise an empty
/// text.
std::string file_can_be_written(const std::string& file);
/// Like file_can_be_written(), but also accepts `-` for the standard output.
std::string file_or_output(const std::string& file);

/// For Option::transform: converts a size such as "512MiB" into a number of bytes. Returns an error if the size is not
/// from 64MiB to 1TiB; otherwise an empty text.
std::string into_memory_size(std::string& text);

/// For Option::check: creates the folder if it does not exist. Returns an error message, or an empty text.
std::string folder_can_be_made(const std::string& folder);

/// Splits a text such as "a,b(x=1,y=2),c" at the commas outside parentheses, and drops empty parts.
std::vector<std::string> split_models(const std::string& text);

}  // namespace ambit::cli
