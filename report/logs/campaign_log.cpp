#include "report/logs/campaign_log.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "report/json/json.h"
#include "report/logs/test_hash.h"

namespace ambit::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kKind = "campaign";

Diagnostic line_error(const SourceFilePtr& source, std::uint32_t line, std::string message, std::string hint) {
  return {source, {line, 1, 1}, std::move(message), std::move(hint)};
}

/// Returns the error that describes a line that is not a result.
Diagnostic bad_line(const SourceFilePtr& source, std::uint32_t number, const std::string& line,
                    const std::string& why) {
  if (read_campaign_header(line)) {
    return line_error(source, number, "another log begins here", "ambit merge combines several logs");
  }
  return line_error(source, number, "this line is not a result of a campaign" + (why.empty() ? "" : ": " + why),
                    "each line after the first is a result that ambit crossval wrote");
}

/// Returns whether a log may lack a setting. Logs of older versions lack the hash of the rules, so a missing hash is
/// not a difference.
bool may_be_unknown(const std::string& setting) { return setting == kRulesSetting; }

}  // namespace

std::optional<CampaignHeader> read_campaign_header(const std::string& line) {
  try {
    const Json json = Json::parse(line);
    if (!json.contains(kKind)) return std::nullopt;
    CampaignHeader header;
    json.at(kKind).get_to(header.corpus);
    for (const char* name : {"tests", "shard", "shards"}) {
      if (!json.at(name).is_number_unsigned()) return std::nullopt;
    }
    json.at("tests").get_to(header.tests);
    const auto shard = json.at("shard").get<std::uint64_t>();
    const auto shards = json.at("shards").get<std::uint64_t>();
    if (shard < 1 || shard > shards || shards > kMostShards) return std::nullopt;
    header.shard = static_cast<std::uint32_t>(shard);
    header.shards = static_cast<std::uint32_t>(shards);
    for (const auto& [name, value] : json.at("settings").items()) {
      header.settings.emplace_back(name, value.get<std::string>());
    }
    return header;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

std::string corpus_hash(std::span<const CorpusTest> tests) {
  std::string all;
  for (const CorpusTest& test : tests) {
    all += fmt::format("{}\n{}\n{}\n", test.file, test.program->name, test_hash(*test.program));
  }
  return text_hash(all);
}

std::string campaign_json(const CampaignHeader& header) {
  Json settings = Json::object();
  for (const auto& [name, value] : header.settings) settings[name] = value;
  const Json json = {{kKind, header.corpus},
                     {"tests", header.tests},
                     {"shard", header.shard},
                     {"shards", header.shards},
                     {"settings", settings}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<CampaignLog> read_campaign(const SourceFilePtr& source) {
  CampaignLog log;
  log.source = source;
  const bool has_torn_end = !source->text.ends_with('\n');
  std::istringstream lines(source->text);
  std::uint32_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (number == 1) {
      auto header = read_campaign_header(line);
      if (!header) break;
      log.header = *std::move(header);
      continue;
    }
    std::string why;
    auto row = read_crossval(line, &why);
    if (!row && why.empty() && lines.eof() && has_torn_end) {
      log.is_cut = true;
      break;
    }
    if (!row) return bad_line(source, number, line, why);
    if (row->number >= log.header.tests) {
      return line_error(source, number, fmt::format("the campaign has no test number {}", row->number), "");
    }
    if (row->number % log.header.shards != log.header.shard - 1) {
      return line_error(source, number,
                        fmt::format("test number {} does not belong to shard {}/{}", row->number, log.header.shard,
                                    log.header.shards),
                        "");
    }
    log.lines.push_back(number);
    log.rows.push_back(*std::move(row));
  }
  if (log.header.corpus.empty()) {
    return line_error(source, 1, "this is not the log of a campaign: the first line is not its header",
                      "ambit crossval --log writes such logs");
  }
  return log;
}

Diagnostics differences(const CampaignHeader& first, const std::string& first_name, const CampaignHeader& second,
                        const SourceFilePtr& where) {
  Diagnostics errors;
  const auto differ = [&](const std::string& what, const std::string& hint) {
    errors.push_back(line_error(where, 1, fmt::format("not the same campaign as {}: {}", first_name, what), hint));
  };
  if (first.corpus != second.corpus || first.tests != second.tests) {
    differ(fmt::format("different tests ({} there, {} here)", first.tests, second.tests),
           "give every shard the same files under the same paths");
  }
  const std::map<std::string, std::string> here(second.settings.begin(), second.settings.end());
  std::map<std::string, std::string> left = here;
  for (const auto& [name, value] : first.settings) {
    const auto same = here.find(name);
    left.erase(name);
    if (same != here.end() && same->second == value) continue;
    if (same == here.end() && may_be_unknown(name)) continue;
    differ(fmt::format("{} is {} there and {} here", name, value, same == here.end() ? "not given" : same->second), "");
  }
  for (const auto& [name, value] : left) {
    if (may_be_unknown(name)) continue;
    differ(fmt::format("{} is not given there and {} here", name, value), "");
  }
  return errors;
}

}  // namespace ambit::report
