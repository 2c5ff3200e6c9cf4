#include "apps/cli/options.h"

#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "apps/cli/interrupt.h"

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

std::string file_can_be_written(const std::string& file) {
  if (file.empty()) return "expected a file name";
  if (file == "-") return "expected a file name; /dev/stdout is the standard output";
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

std::string file_or_output(const std::string& file) { return file == "-" ? std::string() : file_can_be_written(file); }

std::string into_memory_size(std::string& text) {
  constexpr std::uint64_t kLeast = std::uint64_t{64} << 20;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  std::string error = "'" + text + "' is not a size from 64MiB to 1TiB";
  if (text.empty() || text.front() < '0' || text.front() > '9' || !into_bytes(text).empty()) return error;
  std::uint64_t bytes = 0;
  return read_number(text, bytes) && bytes >= kLeast && bytes <= kMost ? std::string() : error;
}

void add_timeout_option(Command command, double& seconds, const std::string& help) {
  const auto is_positive = [](const std::string& text) {
    double number = 0;
    const bool good = read_number(text, number) && number > 0;
    return good ? std::string() : "'" + text + "' is not a number above 0";
  };
  command.option("--timeout", seconds, help).value_name("SECONDS").check(is_positive).show_default();
}

void add_sarif_option(Command command, std::string& file) {
  command.option("--sarif", file, "Also write a SARIF file, for code scanning (docs/guide/ci.md)")
      .value_name("FILE")
      .check(file_can_be_written);
}

void add_expectation_options(Command command, api::AddedExpectations& added) {
  command
      .option("--expect", added.lines, "Add this expectation to every test, like a line `expect ...`; can be repeated")
      .value_name("EXPECTATION")
      .one_value_each();
  const auto add_models = [&added](const std::vector<std::string>& values) {
    added.no_race = true;
    for (const std::string& value : values) {
      const std::vector<std::string> models = split_models(value);
      if (models.empty()) throw UsageError("--fail-on-race", "names no model");
      added.no_race_models.insert(added.no_race_models.end(), models.begin(), models.end());
    }
  };
  command
      .flag_with_values(
          "--fail-on-race", add_models,
          "Treat races that the test does not expect as failures (status 1), under these models or, without "
          "names, under all checked models")
      .shown_as("[=MODEL[,MODEL]]");
}

void add_detector_options(Command command, api::DetectorSelection& selection) {
  command.option("--detector", selection.names, "The detectors to run, or all")
      .show_default()
      .value_name("DETECTOR[,DETECTOR]");
  command.option("-O", selection.options, "An option of a detector, such as gwcp.overlap=either")
      .value_name("DETECTOR.OPTION=VALUE")
      .one_value_each();
}

api::ExternalRules external_rules() {
  std::error_code error;
  return {.plugin_host = std::filesystem::read_symlink("/proc/self/exe", error).string(),
          .interrupted = &interrupt_flag()};
}

void add_external_detector_options(Command command, api::DetectorSelection& selection) {
  add_detector_options(command, selection);
  command.find_option("--detector")
      .describe("The detectors to run, or all; also programs (exec:PROGRAM) and plugins (FILE.so)");
  selection.external = external_rules();
}

void add_format_options(Command command, OutputFormat& format) {
  const auto set_format = [&format](const std::string& name) {
    format = name == "json" ? OutputFormat::Json : name == "herd" ? OutputFormat::Herd : OutputFormat::Text;
  };
  const Option named = command
                           .choice("--format", {"text", "json", "herd"}, set_format,
                                   "text, json (one document, docs/reference/json.md) or herd (a log that can be "
                                   "compared, docs/reference/logs.md)")
                           .show_default("text");
  command
      .flag(
          "--json", [&format] { format = OutputFormat::Json; }, "Short for --format json")
      .excludes(named);
}

void choose_deepening(Command command, api::CheckingOptions& options) {
  options.deepen = command.find_option("--timeout").is_given() && !command.find_option("--unroll").is_given();
}

void require_sense(OutputFormat format, const api::CheckingOptions& options) {
  if (!options.dump_directory.empty() && options.engine == verdict::Engine::Explicit) {
    throw UsageError("--dump-smt", "the explicit engine has no SMT queries");
  }
  if (format != OutputFormat::Herd) return;
  if (options.only_termination) throw UsageError("--format herd", "a log has no termination verdicts");
  if (options.models.size() == 1) return;
  throw UsageError("--format herd", "a log holds the outcomes of one model: name it with --model");
}

namespace {

/// `is_one`: whether the command takes only one model (api::read_question checks the number).
void add_model_options(Command command, api::CheckingOptions& options, bool is_one) {
  const auto add_models = [&options](const std::vector<std::string>& arguments) {
    for (const std::string& argument : arguments) {
      for (std::string& model : split_models(argument)) options.models.push_back(std::move(model));
    }
    if (options.models.empty()) throw UsageError("--model", "names no model");
  };
  command
      .option("-m,--model", add_models,
              is_one ? "The model to check: a name with options, or a .cat file. Default: one of the models of "
                       "ambit check"
                     : "Models to check: names with options, or .cat files, separated by commas. Default: the models "
                       "that the test's expectations name. Without expectations: ptx, also cuda-cpp unless the code "
                       "is PTX, and also sc if the test has a condition")
      .value_name(is_one ? "MODEL" : "MODEL[,MODEL]")
      .one_value_each();
  const auto set_engine = [&options](const std::string& name) {
    for (const verdict::Engine engine : {verdict::Engine::Auto, verdict::Engine::Smt, verdict::Engine::Explicit}) {
      if (verdict::to_string(engine) == name) options.engine = engine;
    }
  };
  command
      .choice("--engine", {"auto", "smt", "explicit"}, set_engine,
              "auto (chooses by size), smt (uses a SAT solver) or explicit (enumerates executions)")
      .show_default("auto");
}

void add_limit_options(Command command, api::CheckingOptions& options) {
  command.option("--unroll", options.unroll, "Maximum iterations of each loop, except spin loops")
      .value_name("K")
      .range(0, 1000)
      .show_default();
  command.flag("--uninit", options.uninitialized, "Treat memory without an initial value as undefined instead of 0");
  command.flag("--opaque-branches", options.opaque_branches,
               "Take both sides of each branch on a value that Ambit does not track, such as a floating-point value");
  command.flag(
      "--no-symmetry", [&options] { options.symmetry = false; },
      "Check every execution, including executions that differ only by a permutation of equivalent threads");
  command.option("--max-threads", options.max_threads, "Maximum threads with events in a test")
      .value_name("N")
      .range(1, 4096)
      .show_default();
  command
      .option("--max-events", options.max_events,
              "Maximum number of events in a test, including one event for each "
              "memory cell")
      .value_name("N")
      .range(1, 32768)
      .show_default();
  add_timeout_option(command, options.timeout_seconds, "Time limit in seconds for one test under one model");
  command.option("--memory", options.memory_bytes, "Maximum memory of the process: 512MiB, 4GiB")
      .value_name("SIZE")
      .transform(into_memory_size)
      .show_default("4GiB");
}

void add_source_options(Command command, api::CheckingOptions& options) {
  command
      .option("--launch", options.launch,
              "CUDA sources (.cu), PTX modules (.ptx): the launch to check, 'kernel<<<2, 64>>>(int data[64] = 1, 5)'")
      .value_name("LAUNCH");
  add_reading_options(command, options.reading);
  const auto is_macro = [](const std::string& text) {
    const std::string name = text.substr(0, text.find('='));
    const bool good = !name.empty() &&
                      name.find_first_not_of(
                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                          "0123456789_") == std::string::npos &&
                      (name[0] < '0' || name[0] > '9');
    return good ? std::string() : "'" + text + "' is not NAME or NAME=VALUE";
  };
  command.option("-D,--define", options.defines, "CUDA sources (.cu): a macro")
      .value_name("NAME[=VALUE]")
      .one_value_each()
      .check(is_macro);
}

}  // namespace

void add_reading_options(Command command, api::ReadingOptions& reading) {
  const auto set_reading = [&reading](const std::string& name) {
    reading.reading = name == "source"        ? api::Reading::Source
                      : name == "unoptimised" ? api::Reading::Unoptimised
                      : name == "optimised"   ? api::Reading::Optimised
                                              : api::Reading::Automatic;
  };
  const Option choice =
      command
          .choice("--reading", {"auto", "source", "unoptimised", "optimised"}, set_reading,
                  "CUDA sources (.cu): the source, or its PTX from nvcc (-G or optimised), under the PTX models; "
                  "auto: the source, or unoptimised if Ambit cannot read the source")
          .show_default("auto");
  command
      .flag(
          "--compiled", [&reading] { reading.reading = api::Reading::Optimised; }, "Short for --reading optimised")
      .excludes(choice);
  command
      .option("--ptx", reading.ptx,
              "CUDA sources (.cu): the PTX of the source, or a folder with NAME.ptx for each NAME.cu; nvcc is not run")
      .value_name("PATH");
  add_architecture_option(command, reading.architecture).show_default("sm_90");
}

Option add_architecture_option(Command command, std::string& architecture) {
  const auto is_architecture = [](const std::string& text) {
    std::string digits = text.starts_with("sm_") ? text.substr(3) : std::string();
    if (digits.size() > 2 && (digits.back() == 'a' || digits.back() == 'f')) digits.pop_back();
    const bool good = digits.size() >= 2 && digits.size() <= 3 &&
                      digits.find_first_not_of("0123456789") == std::string::npos && digits.front() != '0';
    return good ? std::string() : "'" + text + "' is not an architecture such as sm_80 or sm_90a";
  };
  return command.option("--arch", architecture, "CUDA sources (.cu): the architecture that nvcc compiles for")
      .value_name("sm_NN")
      .check(is_architecture);
}

Option add_stm_option(Command command, std::optional<Stm>& stm) {
  return command.choice(
      "--stm", {"estm", "pstm", "istm", "istm-as-published"},
      [&stm](const std::string& name) { stm = stm_from_string(name); },
      "Run transactions by this software transactional memory");
}

Option add_attempts_option(Command command, std::uint32_t& attempts, Option stm) {
  return command
      .option("--attempts", attempts,
              "With --stm: maximum attempts of each transaction (0: no limit); executions with more attempts are left "
              "out")
      .show_default()
      .value_name("N")
      .needs(stm);
}

void add_checking_options(Command command, api::CheckingOptions& options, bool takes_one_model) {
  add_model_options(command, options, takes_one_model);
  add_limit_options(command, options);
  add_source_options(command, options);
}

void add_stm_options(Command command, api::CheckingOptions& options) {
  add_attempts_option(command, options.attempts, add_stm_option(command, options.stm));
}

void add_dump_option(Command command, api::CheckingOptions& options) {
  // Checks the folder now, because the first query may be written hours later.
  command.option("--dump-smt", options.dump_directory, "Write every query to this folder (implies --engine smt)")
      .value_name("DIR")
      .check(folder_can_be_made);
}

void add_property_options(Command command, api::CheckingOptions& options) {
  const auto set_property = [&options](const std::string&) { options.only_termination = true; };
  const Option property = command.choice("--property", {"termination"}, set_property,
                                         "termination: check only whether spin loops and barriers can wait forever");
  const auto add_schedulers = [&options](const std::vector<std::string>& arguments) {
    for (const std::string& argument : arguments) {
      for (const std::string& name : split_models(argument)) {
        const std::optional<Scheduler> scheduler = scheduler_from_string(name);
        if (!scheduler) {
          throw UsageError("--scheduler", "'" + name + "' is not one of fair, hsa, obe, lobe, lockstep");
        }
        options.schedulers.push_back(*scheduler);
      }
    }
  };
  command
      .option("--scheduler", add_schedulers,
              "Schedulers, separated by commas. Default: the schedulers of the test's "
              "expectations, or fair")
      .value_name("fair|hsa|obe|lobe|lockstep[,...]")
      .one_value_each()
      .needs(property);
}

void add_question_options(Command command, api::ExplainRequest& request) {
  command.argument("FILE", request.file, "A test (.litmus, .test, .cu), or - for the standard input").required();
  command.option("--test", request.test, "The name of the test, if the file holds several").value_name("NAME");
  const Option outcome = command
                             .option(
                                 "--outcome", [&request](const std::string& text) { request.outcome = text; },
                                 "The outcome to explain: 'P1:r0 == 1 && x == 2'. Default: the test's own condition")
                             .value_name("OUTCOME");
  command.flag("--race", request.race, "Explain races").excludes(outcome);
  add_checking_options(command, request.checking, true);
  add_stm_options(command, request.checking);
}

void add_bounds_options(Command command, synthesis::Bounds& bounds, std::string& alphabet) {
  constexpr std::int64_t kMostEvents = 16;
  constexpr std::int64_t kMostThreads = 6;
  constexpr std::int64_t kMostCells = 4;
  command.option("--size", bounds.events, "Statements of a program, at most").range(1, kMostEvents).show_default();
  command.option("--threads", bounds.threads, "Threads, at most").range(1, kMostThreads).show_default();
  command.option("--blocks", bounds.blocks, "Blocks, at most").range(1, kMostThreads).show_default();
  command.option("--variables", bounds.variables, "Variables, at most").range(1, kMostCells).show_default();
  command.option("--locks", bounds.locks, "Locks, at most").range(0, kMostCells).show_default();
  command.option("--alphabet", alphabet, "The statements of programs, or sets of them, separated by commas")
      .value_name("LIST")
      .show_default();
}

void add_shard_option(Command command, api::Shard& shard) {
  command
      .option(
          "--shard",
          [&shard](const std::string& text) {
            const auto read = api::read_shard(text);
            if (!read) throw UsageError("--shard", "'" + text + "' is not of the form K/N with K from 1 to N");
            shard = *read;
          },
          "Part K of N of the programs")
      .value_name("K/N");
}

}  // namespace ambit::cli
