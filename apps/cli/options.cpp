#include "apps/cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <system_error>

namespace ambit::cli {

std::vector<std::string> split_models(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == ',' && depth <= 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  std::erase_if(parts, [](const std::string& part) { return part.find_first_not_of(' ') == std::string::npos; });
  return parts;
}

std::string folder_can_be_made(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return std::filesystem::is_directory(folder, error) ? std::string() : "cannot create the folder '" + folder + "'";
}

CLI::Option* add_choice_option(CLI::App& command, const std::string& names, const std::vector<std::string>& choices,
                               const std::function<void(const std::string&)>& set, const std::string& description) {
  // Through a function, because CLI11 would print an enum with our to_string and reject its string_view.
  return command.add_option_function<std::string>(names, set, description)
      ->type_name(fmt::format("{}", fmt::join(choices, "|")))
      ->check(CLI::IsMember(choices).description(""));
}

std::string file_can_be_written(const std::string& file) {
  if (file.empty()) return "expected a file name";
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) return "'" + file + "' is a directory";
  if (std::filesystem::exists(file, error)) {
    return access(file.c_str(), W_OK) == 0 ? std::string() : "cannot write the file '" + file + "'";
  }
  const std::filesystem::path parent = std::filesystem::path(file).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  if (!std::filesystem::is_directory(folder, error)) return "there is no folder '" + folder + "'";
  return access(folder.c_str(), W_OK) == 0 ? std::string() : "cannot write into the folder '" + folder + "'";
}

void add_sarif_option(CLI::App& command, std::string& file) {
  command.add_option("--sarif", file, "Also write a SARIF file, for code scanning (docs/ci.md)")
      ->type_name("FILE")
      ->check(CLI::Validator(file_can_be_written, ""));
}

void add_expectation_options(CLI::App& command, api::AddedExpectations& added) {
  command
      .add_option("--expect", added.lines,
                  "Expect this of every test, as if it had the line `expect ...`; again for more")
      ->type_name("EXPECTATION")
      ->allow_extra_args(false);
  // A flag with a value only behind '=': a file that follows is not its value.
  const auto set = [&added](const std::vector<std::string>& values) {
    added.no_race = true;
    for (const std::string& value : values) {
      if (value == "true") continue;  // the flag without a value
      const std::vector<std::string> models = split_models(value);
      if (models.empty()) throw CLI::ValidationError("--fail-on-race", "names no model");
      added.no_race_models.insert(added.no_race_models.end(), models.begin(), models.end());
    }
    return true;
  };
  command
      .add_option("--fail-on-race", CLI::callback_t(set),
                  "A race that the test does not expect is a failure (status 1), under these models or, without "
                  "names, the models asked")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->expected(0)
      ->option_text("[=MODEL[,MODEL]]");
}

void add_detector_options(CLI::App& command, api::DetectorSelection& selection) {
  command.add_option("--detector", selection.names, "The detectors to run, or all")
      ->capture_default_str()
      ->type_name("DETECTOR[,DETECTOR]");
  command.add_option("-O", selection.options, "An option of a detector, such as gwcp.overlap=either")
      ->type_name("DETECTOR.OPTION=VALUE")
      ->allow_extra_args(false);
}

void add_format_options(CLI::App& command, OutputFormat& format) {
  const auto set_format = [&format](const std::string& name) {
    format = name == "json" ? OutputFormat::Json : name == "herd" ? OutputFormat::Herd : OutputFormat::Text;
  };
  CLI::Option* named =
      add_choice_option(command, "--format", {"text", "json", "herd"}, set_format,
                        "text, json (one document, docs/cli.md) or herd (a log that can be compared, docs/logs.md)")
          ->default_str("text");
  command
      .add_flag_callback(
          "--json", [&format] { format = OutputFormat::Json; }, "The same as --format json")
      ->excludes(named);
}

void require_sense(OutputFormat format, const api::CheckingOptions& options) {
  if (!options.dump_directory.empty() && options.engine == verdict::Engine::Explicit) {
    throw CLI::ValidationError("--dump-smt", "the explicit engine asks no SMT queries");
  }
  if (format != OutputFormat::Herd) return;
  if (options.only_termination) throw CLI::ValidationError("--format herd", "a log has no termination verdicts");
  if (options.models.size() == 1) return;
  throw CLI::ValidationError("--format herd", "a log holds the outcomes of one model: name it with --model");
}

namespace {

void add_model_options(CLI::App& command, api::CheckingOptions& options) {
  const auto add_models = [&options](const std::vector<std::string>& arguments) {
    for (const std::string& argument : arguments) {
      for (std::string& model : split_models(argument)) options.models.push_back(std::move(model));
    }
    if (options.models.empty()) throw CLI::ValidationError("--model", "names no model");
  };
  command
      .add_option_function<std::vector<std::string>>(
          "-m,--model", add_models,
          "Models to ask: names with options, or .cat files, separated by commas. Default: the models that the "
          "test's expectations name, or cuda-cpp and ptx for CUDA sources, hrf-indirect and ptx for others")
      ->type_name("MODEL[,MODEL]")
      ->allow_extra_args(false);
  const auto set_engine = [&options](const std::string& name) {
    for (const verdict::Engine engine : {verdict::Engine::Auto, verdict::Engine::Smt, verdict::Engine::Explicit}) {
      if (verdict::to_string(engine) == name) options.engine = engine;
    }
  };
  add_choice_option(command, "--engine", {"auto", "smt", "explicit"}, set_engine,
                    "auto (by size), smt (Z3) or explicit (enumerates executions)")
      ->default_str("auto");
}

/// Turns "512MiB" into bytes. Returns the error, or nothing. CLI11 alone would read -1 as 2^64 - 1.
std::string into_bytes(std::string& text) {
  std::string error = "'" + text + "' is not a size above 0, such as 512MiB or 4GiB";
  const bool has_number = !text.empty() && text.front() >= '0' && text.front() <= '9';
  if (has_number && CLI::AsSizeValue(false)(text).empty() && text != "0") error.clear();
  return error;
}

void add_limit_options(CLI::App& command, api::CheckingOptions& options) {
  command.add_option("--unroll", options.unroll, "Iterations of a loop, except spin loops")
      ->type_name("K")
      ->check(CLI::Range(0U, 1000U).description(""))
      ->capture_default_str();
  command.add_flag("--uninit", options.uninitialized, "Memory without an initial value is undefined, not 0");
  command.add_flag("--opaque-branches", options.opaque_branches,
                   "Take branches on floating-point and other values that Ambit does not follow both ways");
  command.add_option("--max-threads", options.max_threads, "Most threads with events in a test")
      ->type_name("N")
      ->check(CLI::Range(1U, 4096U).description(""))
      ->capture_default_str();
  const auto is_positive = [](const std::string& text) {
    double seconds = 0;
    const bool good = CLI::detail::lexical_cast(text, seconds) && seconds > 0;
    return good ? std::string() : "'" + text + "' is not a number above 0";
  };
  command.add_option("--timeout", options.timeout_seconds, "Seconds for one test under one model")
      ->type_name("SECONDS")
      ->check(CLI::Validator(is_positive, ""))
      ->capture_default_str();
  command.add_option("--memory", options.memory_bytes, "Most memory of the process: 512MiB, 4GiB")
      ->type_name("SIZE")
      ->transform(CLI::Validator(into_bytes, ""))
      ->default_str("4GiB");
}

void add_source_options(CLI::App& command, api::CheckingOptions& options) {
  command
      .add_option("--launch", options.launch, "CUDA sources (.cu): the launch to check, 'kernel<<<2, 33>>>(data[1])'")
      ->type_name("LAUNCH");
  const auto is_macro = [](const std::string& text) {
    const std::string name = text.substr(0, text.find('='));
    const bool good = !name.empty() &&
                      name.find_first_not_of(
                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                          "0123456789_") == std::string::npos &&
                      (name[0] < '0' || name[0] > '9');
    return good ? std::string() : "'" + text + "' is not NAME or NAME=VALUE";
  };
  command.add_option("-D,--define", options.defines, "CUDA sources (.cu): a macro")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false)
      ->check(CLI::Validator(is_macro, ""));
}

}  // namespace

void add_checking_options(CLI::App& command, api::CheckingOptions& options) {
  add_model_options(command, options);
  add_limit_options(command, options);
  add_source_options(command, options);
}

void add_dump_option(CLI::App& command, api::CheckingOptions& options) {
  // A folder that cannot be created is an error now, not after the first hour.
  command.add_option("--dump-smt", options.dump_directory, "Write every query to this folder (implies --engine smt)")
      ->type_name("DIR")
      ->check(CLI::Validator(folder_can_be_made, ""));
}

void add_property_options(CLI::App& command, api::CheckingOptions& options) {
  const auto set_property = [&options](const std::string&) { options.only_termination = true; };
  CLI::Option* property = add_choice_option(command, "--property", {"termination"}, set_property,
                                            "termination: ask only whether spin loops and barriers can wait forever");
  const auto add_schedulers = [&options](const std::vector<std::string>& arguments) {
    for (const std::string& argument : arguments) {
      for (const std::string& name : split_models(argument)) {
        const std::optional<Scheduler> scheduler = scheduler_from_string(name);
        if (!scheduler) {
          throw CLI::ValidationError("--scheduler", "'" + name + "' is not one of fair, hsa, obe, lobe, lockstep");
        }
        options.schedulers.push_back(*scheduler);
      }
    }
  };
  command
      .add_option_function<std::vector<std::string>>("--scheduler", add_schedulers,
                                                     "Schedulers, separated by commas. Default: those of the test's "
                                                     "expectations, or fair")
      ->type_name("fair|hsa|obe|lobe|lockstep[,...]")
      ->allow_extra_args(false)
      ->needs(property);
}

void add_question_options(CLI::App& command, api::ExplainRequest& request) {
  command.add_option("FILE", request.file, "A test (.litmus, .test, .cu), or - for the standard input")
      ->required()
      ->option_text("FILE");
  command.add_option("--test", request.test, "Choose a test of a file that holds several")->type_name("NAME");
  CLI::Option* outcome = command
                             .add_option_function<std::string>(
                                 "--outcome", [&request](const std::string& text) { request.outcome = text; },
                                 "The outcome to explain: 'P1:r0 == 1 && x == 2'. Default: the test's own condition")
                             ->type_name("OUTCOME");
  command.add_flag("--race", request.race, "Explain races")->excludes(outcome);
  add_checking_options(command, request.checking);
}

}  // namespace ambit::cli
