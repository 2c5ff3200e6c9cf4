#include "api/study/exhaustion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

#include "api/files.h"
#include "api/study/subjects.h"
#include "base/plural.h"

namespace ambit::api {
namespace {

using study::Census;
using study::Tally;

bool is_same_setting(const study::CensusSetting& a, const study::CensusSetting& b) {
  const auto key = [](const study::CensusSetting& s) {
    const synthesis::Bounds& n = s.bounds;
    return std::tuple(n.events, n.threads, n.blocks, n.variables, n.locks, n.all, s.alphabet, s.subjects, s.shards);
  };
  return key(a) == key(b);
}

Result<Census> read_log(const std::string& path) {
  const auto source = read_results(path);
  if (!source.ok()) return source.errors();
  auto census = study::census_of(source.value()->text);
  if (!census) return path_error(path, "this is not a log of ambit exhaust");
  return *std::move(census);
}

std::string setting_text(const Census& census) {
  const synthesis::Bounds& bounds = census.setting.bounds;
  return fmt::format("at most {}, {}, {}, {} and {}; statements {}", plural(bounds.events, "statement"),
                     plural(bounds.threads, "thread"), plural(bounds.blocks, "block"),
                     plural(bounds.variables, "variable"), plural(bounds.locks, "lock"), census.setting.alphabet);
}

}  // namespace

Result<Census> exhaust(const ExhaustionRequest& request, const std::atomic<bool>& interrupted,
                       const std::function<void(const Census&)>& progress) {
  const auto subjects = subjects_of(request.subjects.empty() ? all_subjects() : request.subjects);
  if (!subjects.ok()) return subjects.errors();
  Census census;
  census.setting = {request.bounds, request.alphabet, {}, request.shard.index, request.shard.count};
  for (const study::Subject& subject : subjects.value()) census.setting.subjects.push_back(subject.name);
  const bool has_log = !request.log.empty() && std::filesystem::exists(request.log);
  if (has_log) {
    auto known = read_log(request.log);
    if (!known.ok()) return known.errors();
    if (!is_same_setting(known.value().setting, census.setting) ||
        known.value().setting.shard != census.setting.shard) {
      return path_error(request.log, "this log has other bounds, statements or subjects, or is of another shard");
    }
    census = std::move(known).value();
  }
  std::optional<Diagnostic> failed;
  const auto keep = [&] {
    if (!request.log.empty() && !failed) failed = write_file(request.log, study::log_of(census));
  };
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  auto last = begin;
  const auto pause = [&] {
    const auto now = Clock::now();
    if (now - last > std::chrono::seconds(1)) {
      last = now;
      keep();
      progress(census);
    }
    const bool is_over = request.seconds > 0 && std::chrono::duration<double>(now - begin).count() > request.seconds;
    return interrupted || is_over || failed.has_value();
  };
  const std::string wrong = census.is_complete ? "" : study::continue_census(census, subjects.value(), pause);
  if (!wrong.empty()) {
    const auto alphabet = synthesis::Alphabet::read(request.alphabet, "--alphabet");
    if (!alphabet.ok()) return alphabet.errors();
  }
  keep();
  if (failed) return *std::move(failed);
  return census;
}

Result<Census> merge_exhaustions(const std::vector<std::string>& logs) {
  std::optional<Census> all;
  std::vector<std::uint64_t> shards;
  for (const std::string& path : logs) {
    auto read = read_log(path);
    if (!read.ok()) return read.errors();
    Census& one = read.value();
    if (!one.is_complete) return path_error(path, "this shard is not complete: finish it first");
    if (std::ranges::find(shards, one.setting.shard) != shards.end()) {
      return path_error(path, fmt::format("duplicate shard {}", one.setting.shard + 1));
    }
    shards.push_back(one.setting.shard);
    if (!all) {
      all = std::move(one);
    } else if (is_same_setting(all->setting, one.setting)) {
      add(*all, one);
    } else {
      return path_error(path, "this log and the first log have different settings");
    }
  }
  if (!all) return path_error("--merge", "name the logs of all shards");
  if (shards.size() != all->setting.shards) {
    return path_error("--merge", fmt::format("there are {} shards, but {} logs", all->setting.shards, shards.size()));
  }
  all->setting.shard = 0;
  all->setting.shards = 1;
  return *std::move(all);
}

namespace {

/// Returns the counts as a Markdown table whose columns are aligned.
std::string tally_table(const Census& census) {
  std::size_t name_width = 0;
  for (const std::string& name : census.setting.subjects) name_width = std::max(name_width, name.size());
  std::string text = fmt::format("| {:{}} |", "", name_width);
  std::string rule = fmt::format("|-{:-<{}}-|", "", name_width);
  std::vector<std::size_t> widths;
  for (std::size_t t = 0; t < study::kTallies; ++t) {
    const std::string_view head = to_string(static_cast<Tally>(t));
    std::size_t width = head.size();
    for (const auto& counts : census.counts) width = std::max(width, fmt::format("{}", counts.tallies[t]).size());
    text += fmt::format(" {:>{}} |", head, width);
    rule += fmt::format("-{:-<{}}:|", "", width);
    widths.push_back(width);
  }
  text += "\n" + rule + "\n";
  for (std::size_t i = 0; i < census.counts.size(); ++i) {
    const bool is_model = !census.setting.subjects[i].starts_with(kDetectorPrefix);
    text += fmt::format("| {:{}} |", census.setting.subjects[i], name_width);
    for (std::size_t t = 0; t < study::kTallies; ++t) {
      const bool is_about_runs = t < static_cast<std::size_t>(Tally::RacyPrograms);
      const std::string count = is_model && is_about_runs ? "" : fmt::format("{}", census.counts[i].tallies[t]);
      text += fmt::format(" {:>{}} |", count, widths[t]);
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::string census_text(const Census& census) {
  std::string text = fmt::format("{} ({}), {} that differ\n", plural(census.programs, "program"), setting_text(census),
                                 plural(census.runs, "schedule"));
  text += fmt::format("a real race: {}, on {}; unordered accesses only: {}; not judged: {}\n\n",
                      plural(census.real_programs, "program"), plural(census.real_runs, "schedule"),
                      plural(census.unordered_programs, "program"), plural(census.skipped_programs, "program"));
  text += tally_table(census);
  std::string examples;
  for (std::size_t i = 0; i < census.counts.size(); ++i) {
    for (std::size_t t = 0; t < study::kTallies; ++t) {
      const study::Example& example = census.counts[i].examples[t];
      if (example.size == 0) continue;
      examples += fmt::format("- {}, {}: `{}`\n", census.setting.subjects[i], to_string(static_cast<Tally>(t)),
                              example.program);
    }
  }
  return examples.empty() ? text : text + "\nSmallest programs\n\n" + examples;
}

}  // namespace ambit::api
