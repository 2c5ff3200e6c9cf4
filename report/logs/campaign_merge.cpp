// Merges several results of a test, and several logs of a campaign.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/assert.h"
#include "report/json/json.h"
#include "report/logs/campaign_log.h"
#include "report/results/detection_result.h"

namespace ambit::report {
namespace {

/// A result and the log that contains it.
struct Line {
  const CrossRow* row;
  const CampaignLog* log;
  std::string text;
  auto order() const { return std::tie(row->number, row->seed, row->device, text); }
};

/// The answers about one test that do not depend on hardware, such as the answers of models. All results of the test
/// must agree on these answers.
class Agreement {
 public:
  explicit Agreement(const Line& first) : first_(&first) {}

  /// Adds a result. If the result contradicts an earlier result, returns a description of the contradiction and the log
  /// of the earlier result.
  std::optional<std::pair<std::string, const CampaignLog*>> take(const Line& line) {
    const CrossRow& row = *line.row;
    if (row.file != first_->row->file || row.test != first_->row->test) {
      return std::make_pair(
          fmt::format("test number {} is '{}' in one and '{}' in the other", row.number, first_->row->test, row.test),
          first_->log);
    }
    for (const CrossModel& model : row.models) {
      if (const CampaignLog* other = contradicted(line, model)) {
        return std::make_pair(fmt::format("{} has two different answers for '{}'", model.model, row.test), other);
      }
    }
    return std::nullopt;
  }

 private:
  template <typename T>
  struct Said {
    T what;
    const CampaignLog* log;
  };

  /// Records the answer `what` for `key`. Returns the log that has a different answer; null if no log contradicts it.
  template <typename Key, typename T>
  static const CampaignLog* say(std::map<Key, Said<T>>& all, const Key& key, T what, const CampaignLog* log) {
    const auto [known, is_new] = all.try_emplace(key, Said<T>{what, log});
    return is_new || known->second.what == what ? nullptr : known->second.log;
  }

  const CampaignLog* contradicted(const Line& line, const CrossModel& model) {
    const CampaignLog* other = nullptr;
    if (model.is_complete) other = say(allowed_, model.model, model.allowed, line.log);
    if (other == nullptr && model.race) other = say(race_, model.model, *model.race, line.log);
    for (const CrossOutcome& one : line.row->histogram) {
      for (const bool allows : {true, false}) {
        const auto& names = allows ? one.allowed_by : one.forbidden_by;
        if (other != nullptr || std::ranges::find(names, model.model) == names.end()) continue;
        other = say(allows_, {model.model, one.outcome}, allows, line.log);
      }
    }
    return other;
  }

  const Line* first_;
  std::map<std::string, Said<std::uint64_t>> allowed_;  ///< for each model, the number of outcomes that it allows
  std::map<std::string, Said<bool>> race_;
  std::map<std::pair<std::string, std::string>, Said<bool>> allows_;  ///< for each pair of model and outcome
};

void add(CrossModel& into, const CrossModel& from) {
  if (!into.race) into.race = from.race;
  if (into.is_complete || !from.is_complete) return;
  into.allowed = from.allowed;
  into.is_complete = true;
}

void add(CrossOutcome& into, const CrossOutcome& from) {
  into.runs += from.runs;
  // The lists of the two runs can differ, because a model may have an answer in only one of the runs.
  for (auto list : {&CrossOutcome::allowed_by, &CrossOutcome::forbidden_by}) {
    for (const std::string& model : from.*list) {
      if (std::find((into.*list).begin(), (into.*list).end(), model) == (into.*list).end())
        (into.*list).push_back(model);
    }
  }
}

void add(CrossDetector& into, const CrossDetector& from) {
  into.racy += from.racy;
  into.without_verdict += from.without_verdict;
  for (const std::string& sentence : from.sentences) {
    const bool is_new = std::find(into.sentences.begin(), into.sentences.end(), sentence) == into.sentences.end();
    if (is_new && into.sentences.size() < kKeptSentences) into.sentences.push_back(sentence);
  }
}

void add(CrossIncidents& into, const CrossIncidents& from) {
  into.deadlocks += from.deadlocks;
  into.bound_hits += from.bound_hits;
  into.dropped += from.dropped;
  into.uncounted += from.uncounted;
  into.unrecorded += from.unrecorded;
  for (const std::string& note : from.notes) {
    if (std::ranges::find(into.notes, note) == into.notes.end()) into.notes.push_back(note);
  }
}

/// Adds each element of `from` to the element of `into` with the same name. If `into` has no element with this name,
/// appends the element of `from`.
template <typename T>
void add_by_name(std::vector<T>& into, const std::vector<T>& from, std::string T::*name) {
  for (const T& one : from) {
    const auto known = std::ranges::find(into, one.*name, name);
    if (known == into.end()) {
      into.push_back(one);
    } else {
      add(*known, one);
    }
  }
}

/// Adds the result of another run of the same test.
void add(CrossRow& into, const CrossRow& from) {
  if (fmt::format(", {},", into.device).find(fmt::format(", {},", from.device)) == std::string::npos) {
    into.device += ", " + from.device;
  }
  if (!from.error.empty()) into.error += (into.error.empty() ? "" : "\n") + from.error;
  if (from.seed != into.seed && std::ranges::find(into.more_seeds, from.seed) == into.more_seeds.end()) {
    into.more_seeds.push_back(from.seed);
  }
  into.spent_milliseconds += from.spent_milliseconds;
  into.runs += from.runs;
  into.recorded += from.recorded;
  into.traces += from.traces;
  into.weak += from.weak;
  add(into.incidents, from.incidents);
  add_by_name(into.histogram, from.histogram, &CrossOutcome::outcome);
  add_by_name(into.models, from.models, &CrossModel::model);
  add_by_name(into.detectors, from.detectors, &CrossDetector::detector);
  add_by_name(into.in_gpu, from.in_gpu, &Detections::detector);
  if (into.witness.empty()) {
    into.witness = from.witness;
    into.witness_detector = from.witness_detector;
  }
  into.count_outcomes();
}

/// Adds device and seed to a run's error.
CrossRow with_named_error(CrossRow row) {
  if (!row.error.empty()) row.error = fmt::format("{}, seed {}: {}", row.device, row.seed, row.error);
  return row;
}

/// Keeps only the settings that are equal in both logs.
void keep_common_settings(CampaignHeader& header, const CampaignHeader& other) {
  std::erase_if(header.settings, [&](const auto& setting) {
    return std::ranges::find(other.settings, setting) == other.settings.end();
  });
}

}  // namespace

std::vector<MissingShard> missing_shards(const CampaignHeader& whole, const std::set<std::uint64_t>& found) {
  std::vector<std::uint64_t> known(whole.shards, 0);
  for (const std::uint64_t test : found) ++known[test % whole.shards];
  std::vector<MissingShard> missing;
  for (std::uint32_t i = 0; i < whole.shards && i < whole.tests; ++i) {
    const std::uint64_t tests = (whole.tests - i - 1) / whole.shards + 1;  // number of tests i, i + shards ...
    if (known[i] < tests) missing.push_back({i + 1, whole.shards, tests - known[i], known[i] > 0});
  }
  return missing;
}

Result<MergedCampaign> merge_campaigns(std::span<const CampaignLog> logs) {
  AMBIT_ASSERT(!logs.empty());
  MergedCampaign merged;
  merged.header = logs.front().header;
  bool is_divided_alike = true;
  std::vector<Line> lines;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    const CampaignLog& log = logs[i];
    for (const CampaignLog& earlier : logs.first(i)) {
      Diagnostics wrong = differences(earlier.header, earlier.source->path, log.header, log.source);
      if (!wrong.empty()) return wrong;
    }
    keep_common_settings(merged.header, log.header);
    is_divided_alike = is_divided_alike && log.header.shards == merged.header.shards;
    for (const CrossRow& row : log.rows) lines.push_back({&row, &log, crossval_json(row)});
  }
  if (!is_divided_alike) merged.header.shards = 1;
  std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.order() < b.order(); });
  std::set<std::uint64_t> found;
  std::optional<Agreement> agreement;
  const Line* last = nullptr;
  for (const Line& line : lines) {
    if (last != nullptr && line.text == last->text) continue;
    if (last == nullptr || last->row->number != line.row->number) agreement.emplace(line);
    if (const auto wrong = agreement->take(line)) {
      const std::string where =
          wrong->second == line.log ? "two results of this file" : wrong->second->source->path + " and this file";
      return Diagnostic{line.log->source, {1, 1, 1}, fmt::format("{}: {}", where, wrong->first), ""};
    }
    last = &line;
    found.insert(line.row->number);
    merged.rows.push_back(*line.row);
  }
  merged.missing = missing_shards(merged.header, found);
  merged.header.shard = 1;
  merged.header.shards = 1;
  return merged;
}

std::vector<CrossRow> combined(std::span<const CrossRow> rows) {
  std::map<std::uint64_t, std::vector<const CrossRow*>> by_number;
  for (const CrossRow& row : rows) by_number[row.number].push_back(&row);
  std::vector<CrossRow> list;
  for (const auto& [number, same] : by_number) {
    if (same.size() == 1) {
      list.push_back(*same.front());
      continue;
    }
    CrossRow sum = with_named_error(*same.front());
    for (const CrossRow* row : std::span(same).subspan(1)) add(sum, with_named_error(*row));
    list.push_back(std::move(sum));
  }
  return list;
}

}  // namespace ambit::report
