#include "apps/cli/hardware_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>

#include "apps/cli/backend.h"
#include "apps/cli/commands.h"
#include "report/logs/campaign_log.h"
#include "runner/cuda/emit/in_gpu.h"
#include "runner/cuda/stress/stress.h"

namespace ambit::cli {
namespace {

/// Reads a decimal number up to kMostShards. Returns 0 for any other text.
std::uint32_t shard_number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc{} && end == text.data() + text.size();
  return is_number && value <= report::kMostShards ? value : 0;
}

/// Reads a shard and the number of shards from a text such as "2/8".
void set_shard(const std::string& text, std::uint32_t& shard, std::uint32_t& shards) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  shard = shard_number(std::string_view(text).substr(0, slash));
  shards = slash == text.size() ? 0 : shard_number(std::string_view(text).substr(slash + 1));
  if (shard < 1 || shard > shards) {
    throw UsageError("--shard",
                     fmt::format("expected K/N with 1 <= K <= N <= {}, found {}", report::kMostShards, text));
  }
}

std::string names_of_in_gpu_detectors(std::string_view separator) {
  std::string names;
  for (const cuda::InGpuDetector& detector : cuda::in_gpu_detectors()) {
    names += fmt::format("{}{}", names.empty() ? "" : separator, detector.name);
  }
  return names;
}

/// Reads detector names from a text such as "scord,iguard".
void set_in_gpu(const std::string& text, std::vector<std::string>& names) {
  std::istringstream in(text);
  for (std::string name; std::getline(in, name, ',');) {
    if (cuda::find_in_gpu_detector(name) == nullptr) {
      throw UsageError("--in-gpu", fmt::format("detector '{}' has no form inside kernels; expected one of: {}", name,
                                               names_of_in_gpu_detectors(", ")));
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
}

/// Reads device numbers from a text such as "0,1".
void set_devices(const std::string& text, std::vector<std::uint32_t>& devices) {
  std::istringstream in(text);
  devices.clear();
  for (std::string number; std::getline(in, number, ',');) {
    const char* const end = number.data() + number.size();
    const auto [rest, error] = std::from_chars(number.data(), end, devices.emplace_back());
    if (error != std::errc{} || rest != end) {
      throw UsageError("--device", fmt::format("expected numbers of GPUs with commas between them, found {}", text));
    }
  }
}

}  // namespace

void add_hardware_options(Command command, api::HardwareOptions& options) {
  cuda::RunOptions& run = options.run;
  command
      .option(
          "--device", [&options](const std::string& text) { set_devices(text, options.devices); },
          "Numbers of the GPUs to use (ambit devices lists them); a test on N GPUs uses the first N (default: all "
          "GPUs)")
      .value_name("N[,...]")
      .group(kOnGpu);
  command.option("--seconds", run.seconds, "Seconds of kernel time for each test; 0: no limit")
      .not_negative()
      .show_default()
      .group(kOnGpu);
  command.option("--rounds", run.rounds, "Maximum rounds of each test; 0: no limit").show_default().group(kOnGpu);
  command.option("--timeout", options.timeout_seconds, "Seconds after which a launch is abandoned")
      .positive()
      .show_default()
      .group(kOnGpu);
  command.option("--max-loops", run.max_steps, "Maximum backward jumps of a thread in one run")
      .positive()
      .show_default()
      .group(kOnGpu);
  add_mbarrier_option(command, run.hardware_mbarriers).group(kOnGpu);
  command.flag("--vary", run.vary, "Vary parameters that no option sets every few launches").group(kOnGpu);
  const Option tune =
      command
          .option("--tune", run.tune_seconds, "Search for the parameters that show the condition's outcome most often")
          .value_name("SECONDS")
          .positive()
          .group(kOnGpu);
  command
      .option("--profile", options.profile,
              "Start from the parameters in this file (default: the shipped parameters of the device)")
      .value_name("FILE")
      .group(kOnGpu);
  command.option("--save-profile", options.save_profile, "Write the parameters that --tune found to this file")
      .value_name("FILE")
      .needs(tune)
      .group(kOnGpu);
  command
      .flag(
          "--no-cache", [&options] { options.use_cache = false; }, "Compile every kernel anew, without the cache")
      .group(kOnGpu);
  command
      .flag("--check-code", options.check_code,
            "Check the machine code of every kernel before it runs (needs nvdisasm)")
      .group(kOnGpu);
  for (const cuda::StressField& field : cuda::stress_fields()) {
    const auto set = [&options, &field](std::uint32_t value) { options.run.fixed[std::string(field.name)] = value; };
    command.option(api::stress_option(field), set, std::string(field.meaning))
        .range(field.low, field.high)
        .show_default(fmt::format("{}", cuda::Stress{}.*(field.member)))
        .value_name("N")
        .group(kStressOnGpu);
  }
}

Option add_mbarrier_option(Command command, bool& hardware_mbarriers) {
  return command.choice(
      "--mbarrier", {"atomics", "hardware"},
      [&hardware_mbarriers](const std::string& name) { hardware_mbarriers = name == "hardware"; },
      "How to run mbarriers in tests without asynchronous operations: as atomics on a cell (default), or as the "
      "mbarrier.* instructions of sm_90");
}

Option add_shard_option(Command command, std::uint32_t& shard, std::uint32_t& shards) {
  return command
      .option(
          "--shard", [&shard, &shards](const std::string& text) { set_shard(text, shard, shards); },
          "Run only part K of N parts of the tests, so that N machines can share them")
      .value_name("K/N");
}

void add_in_gpu_option(Command command, api::HardwareOptions& options) {
  command
      .option(
          "--in-gpu", [&options](const std::string& text) { set_in_gpu(text, options.run.in_gpu); },
          "Run the test again with each of these race detectors inside the kernel")
      .value_name(names_of_in_gpu_detectors("|") + "[,...]")
      .group(kOnGpu);
}

}  // namespace ambit::cli
