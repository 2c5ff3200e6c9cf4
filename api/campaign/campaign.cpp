#include "api/campaign/campaign.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "api/campaign/part_result.h"
#include "api/campaign/work_queue.h"
#include "api/files.h"
#include "base/shared_file.h"
#include "report/logs/test_hash.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr std::string_view kFile = "/campaign.json";

using Names = std::string_view;
// A campaign refuses options that write files, that print times (times differ between runs) or that divide the work.
constexpr std::array<Names, 5> kNotInCheck = {"--format", "--junit", "--sarif", "--html", "--stats"};
constexpr std::array<Names, 6> kNotInRun = {"--trace", "--schedule-out", "--show",
                                            "--shard", "--tune",         "--save-profile"};
constexpr std::array<Names, 2> kNotInDetect = {"--list", "--sarif"};
constexpr std::array<Names, 4> kNotInExhaust = {"--shard", "--log", "--merge", "--time"};
constexpr std::array<Names, 5> kNotInCrossval = {"--shard", "--log", "--html", "--json", "--budget"};
constexpr std::array<Names, 3> kNotInTools = {"--shard", "--log", "--json"};

constexpr std::array kCommands = {
    CampaignCommand{"check", "", Division::Files, "tests", "--json", "result.json", kNotInCheck},
    CampaignCommand{"judge", "", Division::Files, "judged", "", "result.json", {}},
    CampaignCommand{"run", "", Division::Files, "tests", "--json", "result.json", kNotInRun},
    CampaignCommand{"detect", "", Division::Files, "results", "--json", "result.json", kNotInDetect},
    CampaignCommand{"exhaust", "", Division::Shards, "", "", "result.md", kNotInExhaust},
    CampaignCommand{"crossval", "", Division::Shards, "", "", "result.jsonl", kNotInCrossval},
    CampaignCommand{"validate", "--tool", Division::Shards, "", "", "result.jsonl", kNotInTools},
};

/// Returns the number of parts in one ticket. There are about 256 tickets, so that each worker takes several tickets.
std::uint64_t default_chunk(std::uint64_t parts) {
  constexpr std::uint64_t kTickets = 256;
  constexpr std::uint64_t kMost = 32;
  return std::clamp<std::uint64_t>(parts / kTickets, 1, kMost);
}

Json json_of(const Campaign& campaign) {
  Json inputs = Json::array();
  for (const CampaignInput& input : campaign.inputs) inputs.push_back({{"file", input.file}, {"hash", input.hash}});
  return {{"ambit", campaign.version},
          {"format", kFormat},
          {"document", "campaign"},
          {"program", campaign.program},
          {"command", campaign.command->name},
          {"words", campaign.words},
          {"parts", campaign.parts},
          {"chunk", campaign.chunk},
          {"lease_ms", campaign.lease_time.count()},
          {"inputs", std::move(inputs)}};
}

/// Returns the name of each option in `words`, without its value: "--tool" for "--tool=racecheck".
std::vector<std::string> option_names(const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const std::string& word : words) {
    if (word.starts_with('-')) names.push_back(word.substr(0, word.find('=')));
  }
  return names;
}

/// Throws nlohmann::json::exception if the JSON is not the description of a campaign.
Campaign campaign_of(const Json& json) {
  Campaign campaign;
  campaign.version = json.at("ambit").get<std::string>();
  campaign.program = json.at("program").get<std::string>();
  campaign.words = json.at("words").get<std::vector<std::string>>();
  campaign.command = find_campaign_command(json.at("command").get<std::string>(), option_names(campaign.words));
  campaign.parts = json.at("parts").get<std::uint64_t>();
  campaign.chunk = json.at("chunk").get<std::uint64_t>();
  campaign.lease_time = std::chrono::milliseconds(json.at("lease_ms").get<std::int64_t>());
  for (const Json& input : json.at("inputs")) {
    campaign.inputs.push_back({input.at("file").get<std::string>(), input.at("hash").get<std::string>()});
  }
  return campaign;
}

bool is_consistent(const Campaign& campaign) {
  if (campaign.command == nullptr || campaign.parts == 0 || campaign.chunk == 0) return false;
  return campaign.command->division == Division::Shards || campaign.inputs.size() == campaign.parts;
}

std::optional<Diagnostic> wrong_command(const CampaignRequest& request, const CampaignCommand* command) {
  if (command == nullptr) {
    std::vector<std::string> names;
    for (const CampaignCommand& one : kCommands) {
      names.push_back(one.option.empty() ? std::string(one.name) : fmt::format("{} {}", one.name, one.option));
    }
    Diagnostic error = path_error(request.command, "a campaign cannot divide the work of this command");
    error.hint = fmt::format("a campaign can divide {}", fmt::join(names, ", "));
    return error;
  }
  for (const std::string& option : request.options) {
    if (std::ranges::find(command->forbidden, option) == command->forbidden.end()) continue;
    return path_error(option, fmt::format("a campaign of ambit {} cannot have this option", command->name));
  }
  return std::nullopt;
}

/// Reads the hashes of the input files.
Result<std::vector<CampaignInput>> read_inputs(const CampaignRequest& request) {
  const auto kinds = request.command == "detect" ? FileKinds::TestsAndTraces : FileKinds::Tests;
  const auto files = collect_files(request.paths, kinds);
  if (!files.ok()) return files.errors();
  std::vector<CampaignInput> inputs;
  Diagnostics errors;
  for (const std::string& file : files.value()) {
    std::error_code ignored;
    if (file == "-") {
      errors.push_back(path_error("-", "several workers cannot read the standard input"));
    } else if (fs::is_directory(file, ignored)) {
      errors.push_back(path_error(file, "no test in this directory"));
    } else if (const auto bytes = read_bytes(file)) {
      inputs.push_back({file, report::text_hash(*bytes)});
    } else {
      errors.push_back(path_error(file, fmt::format("cannot read the file: {}", std::strerror(errno))));
    }
  }
  if (!errors.empty()) return errors;
  if (inputs.empty()) return error_without_place("the command line has no input files");
  return inputs;
}

/// Makes the folder. Returns an error if the folder contains files.
std::optional<Diagnostic> make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && fs::is_empty(folder, error) && !error) return std::nullopt;
  if (error) return path_error(folder, "cannot make the folder: " + error.message());
  Diagnostic used = path_error(folder, "the folder is not empty");
  used.hint = "name a new folder; ambit campaign work continues a campaign that exists";
  return used;
}

}  // namespace

std::span<const CampaignCommand> campaign_commands() { return kCommands; }

const CampaignCommand* find_campaign_command(std::string_view name, const std::vector<std::string>& options) {
  const auto found = std::ranges::find_if(kCommands, [&](const CampaignCommand& command) {
    return command.name == name &&
           (command.option.empty() || std::ranges::find(options, command.option) != options.end());
  });
  return found == kCommands.end() ? nullptr : &*found;
}

std::string Campaign::part_name(std::uint64_t part) const {
  if (command->division == Division::Files) return inputs.at(part).file;
  return fmt::format("shard {}/{}", part + 1, parts);
}

Result<Campaign> create_campaign(const std::string& folder, const CampaignRequest& request) {
  Campaign campaign;
  campaign.command = find_campaign_command(request.command, request.options);
  if (auto error = wrong_command(request, campaign.command)) return *std::move(error);
  campaign.version = request.version;
  campaign.program = program_hash(request.program_path);
  campaign.words = request.words;
  campaign.parts = request.parts;
  campaign.lease_time = std::chrono::milliseconds(static_cast<std::int64_t>(request.lease_seconds * 1000));
  if (campaign.command->division == Division::Files) {
    auto inputs = read_inputs(request);
    if (!inputs.ok()) return inputs.errors();
    campaign.inputs = std::move(inputs).value();
    campaign.parts = campaign.inputs.size();
  }
  campaign.chunk = request.chunk > 0 ? request.chunk : default_chunk(campaign.parts);
  if (auto error = make_folder(folder)) return *std::move(error);
  if (auto error = PartResults::create(folder)) return *std::move(error);
  if (auto error = WorkQueue::create(folder, campaign.chunks())) return *std::move(error);
  // The description is written last, so that a worker that starts too early finds no campaign and stops.
  const std::string path = folder + std::string(kFile);
  if (!replace_file(path, json_of(campaign).dump(1, ' ', false, Json::error_handler_t::replace) + "\n")) {
    return path_error(path, fmt::format("cannot write the file: {}", std::strerror(errno)));
  }
  return campaign;
}

Result<Campaign> read_campaign(const std::string& folder) {
  const std::string path = folder + std::string(kFile);
  const auto text = read_bytes(path);
  if (!text) {
    Diagnostic error = path_error(path, fmt::format("cannot read the file: {}", std::strerror(errno)));
    error.hint = "ambit campaign new FOLDER -- COMMAND makes a campaign";
    return error;
  }
  try {
    const Json json = Json::parse(*text);
    if (json.at("document") == "campaign" && json.at("format") != kFormat) {
      return path_error(path, fmt::format("Ambit {} made this campaign in another format: use that version",
                                          json.at("ambit").get<std::string>()));
    }
    Campaign campaign = campaign_of(json);
    if (is_consistent(campaign)) return campaign;
  } catch (const Json::exception&) {
    // The error below reports every malformed description.
  }
  return path_error(path, "this is not the description of a campaign");
}

std::string program_hash(const std::string& path) {
  const auto bytes = read_bytes(path);
  return bytes ? report::text_hash(*bytes) : "";
}

}  // namespace ambit::api
