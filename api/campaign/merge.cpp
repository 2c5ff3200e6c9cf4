#include "api/campaign/merge.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "api/campaign/part_result.h"
#include "api/campaign/scratch_folder.h"
#include "api/campaign/work_queue.h"
#include "api/files.h"
#include "api/hardware/campaign_file.h"
#include "api/study/exhaustion.h"
#include "base/plural.h"
#include "base/shared_file.h"

namespace ambit::api {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kUnknown = 3;

/// Combines the exit statuses of several runs into one (docs/reference/cli.md, docs/reference/judge.md).
int combined_status(const CampaignCommand& command, const std::vector<int>& statuses) {
  constexpr std::array kOrder = {4, 2, 1, 3, 0};
  constexpr std::array kOrderOfJudge = {4, 1, 2, 3, 0};
  for (const int status : command.name == "judge" ? kOrderOfJudge : kOrder) {
    if (std::ranges::find(statuses, status) != statuses.end()) return status;
  }
  return statuses.empty() ? 0 : statuses.front();
}

/// The parts' results, without the parts that have no result.
struct Parts {
  std::vector<PartResult> results;
  std::vector<int> statuses;
};

/// Reads the results. Adds the names of parts without a result to `merged`.
Result<Parts> read_parts(const std::string& folder, const Campaign& campaign, CampaignResult& merged) {
  const PartResults files(folder);
  Parts parts;
  Diagnostics errors;
  for (std::uint64_t part = 0; part < campaign.parts; ++part) {
    if (!files.has(part)) {
      merged.missing.push_back(campaign.part_name(part));
      continue;
    }
    auto result = files.read(part);
    if (!result.ok()) {
      errors.insert(errors.end(), result.errors().begin(), result.errors().end());
    } else if (!result.value().failure.empty()) {
      merged.failed.push_back(campaign.part_name(part) + ": " + result.value().failure);
    } else {
      parts.statuses.push_back(result.value().status);
      parts.results.push_back(std::move(result).value());
    }
  }
  if (!errors.empty()) return errors;
  return parts;
}

/// Adds the list of `other` to `document`. Sets "timed_out" and "interrupted" if either document sets them.
void append(Json& document, Json& other, const std::string& list) {
  for (Json& element : other.at(list)) document[list].push_back(std::move(element));
  for (const char* fact : {"timed_out", "interrupted"}) {
    if (other.contains(fact) && other[fact] == true) document[fact] = true;
  }
}

/// Returns one document with the elements of all documents, in the format in which the command prints a document.
std::string merged_documents(const CampaignCommand& command, const Parts& parts, int status) {
  const std::string list(command.list);
  std::optional<Json> document;
  for (const PartResult& result : parts.results) {
    Json one = Json::parse(result.output);
    if (!document) {
      document = std::move(one);
    } else {
      append(*document, one, list);
    }
  }
  if (!document) return {};
  if (document->contains("status")) (*document)["status"] = status;
  return document->dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Writes the logs of all shards into a folder. Returns their paths.
Result<std::vector<std::string>> write_logs(const Parts& parts, const std::string& folder) {
  std::vector<std::string> paths;
  for (const PartResult& result : parts.results) {
    paths.push_back(fmt::format("{}/shard-{}", folder, result.part + 1));
    if (auto error = write_file(paths.back(), result.output)) return *std::move(error);
  }
  return paths;
}

Result<std::string> merged_shards(const CampaignCommand& command, const Parts& parts) {
  const ScratchFolder folder;
  const auto logs = write_logs(parts, folder.path());
  if (!logs.ok()) return logs.errors();
  if (command.name == "exhaust") {
    const auto census = merge_exhaustions(logs.value());
    if (!census.ok()) return census.errors();
    return census_text(census.value());
  }
  const auto merged = merge_logs(logs.value());
  if (!merged.ok()) return merged.errors();
  return merged.value().text;
}

Result<CampaignResult> merge(const std::string& folder, const Campaign& campaign) {
  CampaignResult merged;
  const auto parts = read_parts(folder, campaign, merged);
  if (!parts.ok()) return parts.errors();
  const bool is_whole = merged.missing.empty() && merged.failed.empty();
  merged.status = combined_status(*campaign.command, parts.value().statuses);
  if (merged.status == 0 && !is_whole) merged.status = kUnknown;
  if (campaign.command->division == Division::Files) {
    merged.text = merged_documents(*campaign.command, parts.value(), merged.status);
    return merged;
  }
  if (is_whole) {
    const auto text = merged_shards(*campaign.command, parts.value());
    if (!text.ok()) return text.errors();
    merged.text = text.value();
  }
  return merged;
}

std::string merged_path(const std::string& folder, const Campaign& campaign) {
  return folder + "/" + std::string(campaign.command->result);
}

}  // namespace

Result<CampaignResult> merge_campaign(const std::string& folder) {
  const auto campaign = read_campaign(folder);
  if (!campaign.ok()) return campaign.errors();
  return merge(folder, campaign.value());
}

Result<std::string> write_merged(const std::string& folder) {
  const auto campaign = read_campaign(folder);
  if (!campaign.ok()) return campaign.errors();
  const std::string path = merged_path(folder, campaign.value());
  if (access(path.c_str(), F_OK) == 0) return path;
  const auto merged = merge(folder, campaign.value());
  if (!merged.ok()) return merged.errors();
  if (replace_file(path, merged.value().text)) return path;
  return path_error(path, fmt::format("cannot write the file: {}", std::strerror(errno)));
}

void forget_merged(const std::string& folder, const Campaign& campaign) {
  unlink(merged_path(folder, campaign).c_str());
}

Result<CampaignStatus> campaign_status(const std::string& folder) {
  const auto read = read_campaign(folder);
  if (!read.ok()) return read.errors();
  const Campaign& campaign = read.value();
  CampaignStatus status;
  status.command = fmt::format("ambit {}", campaign.command->name);
  for (const std::string& word : campaign.words) status.command += " " + word;
  status.parts = campaign.parts;
  status.done = PartResults(folder).count();
  const WorkQueue queue(folder, "");
  status.queued = queue.queued().size();
  for (const Lease& lease : queue.leases()) {
    const std::uint64_t begin = lease.ticket.chunk * campaign.chunk;
    if (begin >= campaign.parts) continue;
    const std::uint64_t others = std::min(campaign.chunk, campaign.parts - begin) - 1;
    const std::string more = others > 0 ? fmt::format(" and {} more", others) : "";
    status.working.push_back(fmt::format("{}: {}{}", lease.worker, campaign.part_name(begin), more));
  }
  if (access(merged_path(folder, campaign).c_str(), F_OK) == 0) status.result = merged_path(folder, campaign);
  return status;
}

}  // namespace ambit::api
