#include "apps/cli/hardware_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>

#include "parser/parse.h"
#include "report/logs/campaign_log.h"
#include "runner/cuda/in_gpu.h"
#include "runner/cuda/stress.h"

namespace ambit::cli {
namespace {

/// A field's name as an option: "block_threads" is --block-threads.
std::string option_name(std::string_view field) {
  std::string name(field);
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

/// Decimal digits and nothing else, up to kMostShards; 0: it is no such number.
std::uint32_t shard_number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc{} && end == text.data() + text.size();
  return is_number && value <= report::kMostShards ? value : 0;
}

/// "2/8".
void set_shard(const std::string& text, HardwareOptions& options) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  options.shard = shard_number(std::string_view(text).substr(0, slash));
  options.shards = slash == text.size() ? 0 : shard_number(std::string_view(text).substr(slash + 1));
  if (options.shard < 1 || options.shard > options.shards) {
    throw CLI::ValidationError("--shard",
                               fmt::format("expected K/N with 1 <= K <= N <= {}, found {}", report::kMostShards, text));
  }
}

std::string names_of_in_gpu_detectors() {
  std::string names;
  for (const cuda::InGpuDetector& detector : cuda::in_gpu_detectors()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", detector.name);
  }
  return names;
}

/// "scord,iguard".
void set_in_gpu(const std::string& text, std::vector<std::string>& names) {
  std::istringstream in(text);
  for (std::string name; std::getline(in, name, ',');) {
    if (cuda::find_in_gpu_detector(name) == nullptr) {
      throw CLI::ValidationError("--in-gpu", fmt::format("no detector '{}' runs inside a kernel; these do: {}", name,
                                                         names_of_in_gpu_detectors()));
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
}

}  // namespace

void add_hardware_options(CLI::App& command, HardwareOptions& options) {
  cuda::RunOptions& run = options.run;
  command.add_option("--device", options.device, "Number of the GPU, see ambit devices")->group(kOnGpu);
  command.add_option("--seconds", run.seconds, "Kernel time for a test; 0: no limit")
      ->check(CLI::NonNegativeNumber.description(""))
      ->capture_default_str()
      ->group(kOnGpu);
  command.add_option("--rounds", run.rounds, "Most rounds of a test; 0: no limit")
      ->capture_default_str()
      ->group(kOnGpu);
  command.add_option("--timeout", options.timeout_seconds, "A launch without an end for so many seconds is abandoned")
      ->check(CLI::PositiveNumber.description(""))
      ->capture_default_str()
      ->group(kOnGpu);
  command.add_option("--max-loops", run.max_steps, "Backward jumps of a thread before its run is given up")
      ->check(CLI::PositiveNumber.description(""))
      ->capture_default_str()
      ->group(kOnGpu);
  command.add_flag("--vary", run.vary, "Change the parameters that are not given every few launches")->group(kOnGpu);
  CLI::Option* tune = command
                          .add_option("--tune", run.tune_seconds,
                                      "Look for the parameters that show the condition's outcome most often")
                          ->type_name("SECONDS")
                          ->check(CLI::PositiveNumber.description(""))
                          ->group(kOnGpu);
  command
      .add_option("--profile", options.profile,
                  "Start from the parameters in this file (default: those found for the device)")
      ->type_name("FILE")
      ->group(kOnGpu);
  command.add_option("--save-profile", options.save_profile, "Write the parameters that --tune found")
      ->type_name("FILE")
      ->needs(tune)
      ->group(kOnGpu);
  command
      .add_flag_callback(
          "--no-cache", [&options] { options.use_cache = false; }, "Compile every kernel anew")
      ->group(kOnGpu);
  command
      .add_flag("--check-code", options.check_code,
                "Run only kernels whose machine code is what it should be (nvdisasm)")
      ->group(kOnGpu);
  for (const cuda::StressField& field : cuda::stress_fields()) {
    const auto set = [&options, &field](std::uint32_t value) {
      options.given.*(field.member) = value;
      options.run.fixed[std::string(field.name)] = value;
    };
    command.add_option_function<std::uint32_t>(option_name(field.name), set, std::string(field.meaning))
        ->check(CLI::Range(field.low, field.high).description(""))
        ->default_str(fmt::format("{}", cuda::Stress{}.*(field.member)))
        ->type_name("N")
        ->group(kStressOnGpu);
  }
}

CLI::Option* add_shard_option(CLI::App& command, HardwareOptions& options) {
  return command
      .add_option_function<std::string>(
          "--shard", [&options](const std::string& text) { set_shard(text, options); },
          "Run only part K of N of the tests, as one of N machines")
      ->type_name("K/N");
}

void add_in_gpu_option(CLI::App& command, HardwareOptions& options) {
  command
      .add_option_function<std::string>(
          "--in-gpu", [&options](const std::string& text) { set_in_gpu(text, options.run.in_gpu); },
          "Run the test again with each of these race detectors inside the kernel: " + names_of_in_gpu_detectors())
      ->type_name("DETECTOR[,DETECTOR]")
      ->group(kOnGpu);
}

Result<cuda::Stress> starting_stress(const HardwareOptions& options) {
  cuda::Stress stress;
  if (!options.profile.empty()) {
    const Result<SourceFilePtr> source = parser::read_source(options.profile);
    if (!source.ok()) return source.errors();
    Result<cuda::Stress> profile = cuda::parse_profile(source.value());
    if (!profile.ok()) return profile;
    stress = profile.value();
  }
  for (const cuda::StressField& field : cuda::stress_fields()) {
    if (options.run.fixed.contains(std::string(field.name))) stress.*(field.member) = options.given.*(field.member);
  }
  return stress;
}

std::string stress_options(const cuda::Stress& stress) {
  const cuda::Stress usual;
  std::string text;
  for (const cuda::StressField& field : cuda::stress_fields()) {
    if (stress.*(field.member) == usual.*(field.member)) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : " ", option_name(field.name), stress.*(field.member));
  }
  return text.empty() ? "the default parameters" : text;
}

}  // namespace ambit::cli
