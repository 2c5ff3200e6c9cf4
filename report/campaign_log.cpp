#include "report/campaign_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>

#include "core/assert.h"
#include "report/race_text.h"
#include "report/test_hash.h"

namespace ambit::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kKind = "campaign";

std::optional<CampaignHeader> read_header(const std::string& line) {
  try {
    const Json json = Json::parse(line);
    if (!json.contains(kKind)) return std::nullopt;
    CampaignHeader header;
    json.at(kKind).get_to(header.corpus);
    json.at("tests").get_to(header.tests);
    json.at("shard").get_to(header.shard);
    json.at("shards").get_to(header.shards);
    if (header.shard < 1 || header.shard > header.shards) return std::nullopt;
    for (const auto& [name, value] : json.at("settings").items()) {
      header.settings.emplace_back(name, value.get<std::string>());
    }
    return header;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

Diagnostic line_error(const SourceFilePtr& source, std::uint32_t line, std::string message, std::string hint) {
  return {source, {line, 1, 1}, std::move(message), std::move(hint)};
}

/// A result with where it stands.
struct Line {
  const CrossRow* row;
  const CampaignLog* log;
  std::string text;
  auto order() const { return std::tie(row->number, row->seed, row->device, text); }
};

/// Two results of one test must agree in all that hardware has no part in.
std::string contradiction(const CrossRow& one, const CrossRow& other) {
  if (one.file != other.file || one.test != other.test) {
    return fmt::format("test number {} is '{}' in one and '{}' in the other", one.number, one.test, other.test);
  }
  for (const CrossModel& model : one.models) {
    const auto same = std::find_if(other.models.begin(), other.models.end(),
                                   [&](const CrossModel& second) { return second.model == model.model; });
    if (same == other.models.end() || !model.is_complete || !same->is_complete) continue;
    if (same->allowed != model.allowed || (same->race && model.race && *same->race != *model.race)) {
      return fmt::format("{} answers differently in the two for '{}'", model.model, one.test);
    }
  }
  return {};
}

std::vector<MissingShard> find_missing(const CampaignHeader& whole, const std::set<std::uint64_t>& found) {
  std::vector<MissingShard> missing;
  for (std::uint32_t shard = 1; shard <= whole.shards; ++shard) {
    MissingShard part{shard, whole.shards, 0, false};
    for (std::uint64_t test = shard - 1; test < whole.tests; test += whole.shards) {
      if (found.contains(test)) {
        part.is_begun = true;
      } else {
        ++part.tests;
      }
    }
    if (part.tests > 0) missing.push_back(part);
  }
  return missing;
}

void add(CrossModel& into, const CrossModel& from) {
  if (!into.race) into.race = from.race;
  if (into.is_complete || !from.is_complete) return;
  into.allowed = from.allowed;
  into.is_complete = true;
}

void add(CrossOutcome& into, const CrossOutcome& from) {
  into.runs += from.runs;
  // A model that did not know in one run may have known in the other.
  for (auto list : {&CrossOutcome::allowed_by, &CrossOutcome::forbidden_by}) {
    for (const std::string& model : from.*list) {
      if (std::find((into.*list).begin(), (into.*list).end(), model) == (into.*list).end())
        (into.*list).push_back(model);
    }
  }
}

/// Adds another run of the same test.
void add(CrossRow& into, const CrossRow& from) {
  if (!into.error.empty()) {
    into = from;
    return;
  }
  if (!from.error.empty()) return;
  if (fmt::format(", {},", into.device).find(fmt::format(", {},", from.device)) == std::string::npos) {
    into.device += ", " + from.device;
  }
  into.runs += from.runs;
  into.recorded += from.recorded;
  into.traces += from.traces;
  into.weak += from.weak;
  for (const CrossOutcome& one : from.histogram) {
    const auto known = std::find_if(into.histogram.begin(), into.histogram.end(),
                                    [&](const CrossOutcome& other) { return other.outcome == one.outcome; });
    if (known == into.histogram.end()) {
      into.histogram.push_back(one);
    } else {
      add(*known, one);
    }
  }
  for (std::size_t i = 0; i < std::min(into.models.size(), from.models.size()); ++i) {
    add(into.models[i], from.models[i]);
  }
  for (std::size_t i = 0; i < std::min(into.detectors.size(), from.detectors.size()); ++i) {
    into.detectors[i].racy += from.detectors[i].racy;
    into.detectors[i].without_verdict += from.detectors[i].without_verdict;
    std::vector<std::string>& kept = into.detectors[i].sentences;
    for (const std::string& sentence : from.detectors[i].sentences) {
      const bool is_new = std::find(kept.begin(), kept.end(), sentence) == kept.end();
      if (is_new && kept.size() < kKeptSentences) kept.push_back(sentence);
    }
    if (into.detectors[i].sentences.empty()) into.detectors[i].sentences = from.detectors[i].sentences;
  }
  for (const Detections& found : from.in_gpu) {
    const auto known = std::find_if(into.in_gpu.begin(), into.in_gpu.end(),
                                    [&](const Detections& one) { return one.detector == found.detector; });
    if (known == into.in_gpu.end()) {
      into.in_gpu.push_back(found);
    } else {
      add(*known, found);
    }
  }
  if (into.witness.empty()) {
    into.witness = from.witness;
    into.witness_detector = from.witness_detector;
  }
  into.count_outcomes();
}

}  // namespace

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
      auto header = read_header(line);
      if (!header) break;
      log.header = *std::move(header);
      continue;
    }
    auto row = read_crossval(line);
    if (!row && lines.eof() && has_torn_end) {
      log.is_cut = true;
      break;
    }
    if (!row) {
      const bool is_header = read_header(line).has_value();
      return line_error(source, number,
                        is_header ? "here begins the file of another run" : "this line is no result of a campaign",
                        is_header ? "ambit merge puts several files together"
                                  : "each line but the first is what ambit crossval wrote of one test");
    }
    if (row->number >= log.header.tests) {
      return line_error(source, number, fmt::format("the campaign has no test number {}", row->number), "");
    }
    log.rows.push_back(*std::move(row));
  }
  if (log.header.corpus.empty()) {
    return line_error(source, 1, "this is no file of a campaign: the first line does not say which one it is",
                      "ambit crossval --log writes such files");
  }
  return log;
}

Diagnostics differences(const CampaignHeader& first, const std::string& first_name, const CampaignHeader& second,
                        const SourceFilePtr& where) {
  Diagnostics errors;
  const auto differ = [&](const std::string& what, const std::string& hint) {
    errors.push_back(line_error(where, 1, fmt::format("not the campaign of {}: {}", first_name, what), hint));
  };
  if (first.corpus != second.corpus) {
    differ(fmt::format("other tests ({} there, {} here)", first.tests, second.tests),
           "the same files, under the same paths, in every shard");
  }
  const std::map<std::string, std::string> here(second.settings.begin(), second.settings.end());
  std::map<std::string, std::string> left = here;
  for (const auto& [name, value] : first.settings) {
    const auto same = here.find(name);
    left.erase(name);
    if (same != here.end() && same->second == value) continue;
    differ(fmt::format("{} is {} there and {} here", name, value, same == here.end() ? "not given" : same->second), "");
  }
  for (const auto& [name, value] : left) {
    differ(fmt::format("{} is not given there and {} here", name, value), "");
  }
  return errors;
}

Result<MergedCampaign> merge_campaigns(std::span<const CampaignLog> logs) {
  AMBIT_ASSERT(!logs.empty());
  MergedCampaign merged;
  merged.header = logs.front().header;
  bool is_divided_alike = true;
  std::vector<Line> lines;
  for (const CampaignLog& log : logs) {
    Diagnostics wrong = differences(logs.front().header, logs.front().source->path, log.header, log.source);
    if (!wrong.empty()) return wrong;
    is_divided_alike = is_divided_alike && log.header.shards == merged.header.shards;
    for (const CrossRow& row : log.rows) lines.push_back({&row, &log, crossval_json(row)});
  }
  if (!is_divided_alike) merged.header.shards = 1;
  std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.order() < b.order(); });
  std::set<std::uint64_t> found;
  const Line* last = nullptr;
  for (const Line& line : lines) {
    if (last != nullptr && line.text == last->text) continue;
    if (last != nullptr && last->row->number == line.row->number) {
      if (const std::string wrong = contradiction(*last->row, *line.row); !wrong.empty()) {
        return line_error(line.log->source, 1, fmt::format("{} and this file: {}", last->log->source->path, wrong), "");
      }
    }
    last = &line;
    found.insert(line.row->number);
    merged.rows.push_back(*line.row);
  }
  merged.missing = find_missing(merged.header, found);
  merged.header.shard = 1;
  merged.header.shards = 1;
  return merged;
}

std::vector<CrossRow> combined(std::span<const CrossRow> rows) {
  std::map<std::uint64_t, CrossRow> by_number;
  for (const CrossRow& row : rows) {
    const auto [known, is_new] = by_number.emplace(row.number, row);
    if (!is_new) add(known->second, row);
  }
  std::vector<CrossRow> list;
  for (auto& [number, row] : by_number) list.push_back(std::move(row));
  return list;
}

}  // namespace ambit::report
