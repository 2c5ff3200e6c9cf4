#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace ambit::api {

/// How the work of a command is divided into parts.
enum class Division : std::uint8_t {
  Files,   ///< a part is one input file; its result is the JSON document that the command prints
  Shards,  ///< a part is one shard, `--shard K/N`; its result is the log that the command writes
};

/// A command whose work a campaign can share.
struct CampaignCommand {
  std::string_view name;
  std::string_view option;  ///< an option that the command line must have, such as "--tool"; may be empty
  Division division = Division::Files;
  std::string_view list;                        ///< for Division::Files: name of the list in the JSON document
  std::string_view format;                      ///< for Division::Files: the option that prints JSON; may be empty
  std::string_view result;                      ///< the name of the merged file in the campaign's folder
  std::span<const std::string_view> forbidden;  ///< options that a campaign cannot have
};

/// All commands whose work a campaign can share.
std::span<const CampaignCommand> campaign_commands();
/// Returns the command with this name. `options`: the names of the options on its command line.
const CampaignCommand* find_campaign_command(std::string_view name, const std::vector<std::string>& options);

/// An input file of a campaign.
struct CampaignInput {
  std::string file;  ///< path as on the command line, or path of a file in a folder on the command line
  std::string hash;  ///< hash of the file's bytes, 32 hexadecimal digits
};

/// The description of a campaign: the file `campaign.json` in its folder.
struct Campaign {
  std::string version;             ///< of Ambit
  std::string program;             ///< hash of the program file
  const CampaignCommand* command;  ///< not null
  std::vector<std::string> words;  ///< words of the command line after the command's name, without the input files
  std::vector<CampaignInput> inputs;
  std::uint64_t parts = 0;
  std::uint64_t chunk = 1;  ///< number of parts in one ticket
  std::chrono::milliseconds lease_time{60000};

  std::uint64_t chunks() const { return (parts + chunk - 1) / chunk; }
  /// Returns a short name of a part: its file, or "shard 3/64".
  std::string part_name(std::uint64_t part) const;
};

/// Settings of a new campaign.
struct CampaignRequest {
  std::string command;
  std::vector<std::string> options;  ///< names of the options in `words`
  std::vector<std::string> words;    ///< words of the command line after the command's name, without `paths`
  std::vector<std::string> paths;    ///< for Division::Files: the files and folders on the command line
  std::uint64_t parts = 64;          ///< for Division::Shards: the number of shards
  std::uint64_t chunk = 0;           ///< number of parts in one ticket; if 0, depends on `parts`
  double lease_seconds = 60;
  std::string version;       ///< of Ambit
  std::string program_path;  ///< path of the program file
};

/// Makes the folder of a campaign with its description and its queue. Errors: the folder is not empty or cannot be
/// made; a campaign cannot have the command or an option; a file cannot be read; there is no input file.
Result<Campaign> create_campaign(const std::string& folder, const CampaignRequest& request);

/// Reads the description of a campaign. Errors: the folder has no campaign; the description is damaged, or another
/// version of Ambit wrote it.
Result<Campaign> read_campaign(const std::string& folder);

/// Returns the hash of the program file; empty if the file cannot be read.
std::string program_hash(const std::string& path);

}  // namespace ambit::api
