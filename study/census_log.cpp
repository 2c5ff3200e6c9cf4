#include <fmt/format.h>

#include <sstream>

#include "study/census.h"

namespace ambit::study {
namespace {

constexpr std::string_view kFirstLine = "ambit-exhaust 1";

/// Reads lines of the form "key value value ...". The caller names the expected key.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(std::string(text)) {}

  /// Returns the rest of the next line after the key. Returns nothing at the end, or if the line has another key.
  std::optional<std::string> next(std::string_view key) {
    const auto place = text_.tellg();
    std::string line;
    if (std::getline(text_, line) && line.starts_with(key) && line.size() > key.size() && line[key.size()] == ' ') {
      return line.substr(key.size() + 1);
    }
    text_.clear();
    text_.seekg(place);
    return std::nullopt;
  }
  bool next_is(std::string_view whole) {
    std::string line;
    return static_cast<bool>(std::getline(text_, line)) && line == whole;
  }

 private:
  std::istringstream text_;
};

template <typename... Numbers>
bool read_numbers(const std::optional<std::string>& text, Numbers&... numbers) {
  if (!text) return false;
  std::istringstream in(*text);
  return static_cast<bool>((in >> ... >> numbers));
}

bool read_subject(Lines& lines, Census& census) {
  const auto name = lines.next("subject");
  if (!name) return false;
  census.setting.subjects.push_back(*name);
  Counts counts;
  for (std::size_t t = 0; t < kTallies; ++t) {
    const auto line = lines.next(fmt::format("  {}", t));
    if (!read_numbers(line, counts.tallies[t], counts.examples[t].size)) return false;
    std::istringstream in(*line);
    std::string skipped;
    in >> skipped >> skipped;
    if (counts.examples[t].size > 0) in >> counts.examples[t].program;
  }
  census.counts.push_back(std::move(counts));
  return true;
}

}  // namespace

std::string log_of(const Census& census) {
  const synthesis::Bounds& bounds = census.setting.bounds;
  std::string text = fmt::format("{}\nbounds {} {} {} {} {} {}\nalphabet {}\nshard {} {}\n", kFirstLine, bounds.events,
                                 bounds.threads, bounds.blocks, bounds.variables, bounds.locks, bounds.all ? 1 : 0,
                                 census.setting.alphabet, census.setting.shard, census.setting.shards);
  text += fmt::format("position {} {}\n", census.position, census.is_complete ? 1 : 0);
  text += fmt::format("programs {} {} {} {}\nruns {} {}\n", census.programs, census.real_programs,
                      census.unordered_programs, census.skipped_programs, census.runs, census.real_runs);
  for (std::size_t i = 0; i < census.setting.subjects.size(); ++i) {
    text += fmt::format("subject {}\n", census.setting.subjects[i]);
    for (std::size_t t = 0; t < kTallies; ++t) {
      const Example& example = census.counts[i].examples[t];
      text += fmt::format("  {} {} {}{}\n", t, census.counts[i].tallies[t], example.size,
                          example.size == 0 ? "" : " " + example.program);
    }
  }
  return text + "end\n";
}

std::optional<Census> census_of(std::string_view log) {
  Lines lines(log);
  Census census;
  if (!lines.next_is(kFirstLine)) return std::nullopt;
  synthesis::Bounds& bounds = census.setting.bounds;
  int all = 0;
  int complete = 0;
  if (!read_numbers(lines.next("bounds"), bounds.events, bounds.threads, bounds.blocks, bounds.variables, bounds.locks,
                    all)) {
    return std::nullopt;
  }
  bounds.all = all != 0;
  const auto alphabet = lines.next("alphabet");
  if (!alphabet || !read_numbers(lines.next("shard"), census.setting.shard, census.setting.shards) ||
      !read_numbers(lines.next("position"), census.position, complete) ||
      !read_numbers(lines.next("programs"), census.programs, census.real_programs, census.unordered_programs,
                    census.skipped_programs) ||
      !read_numbers(lines.next("runs"), census.runs, census.real_runs)) {
    return std::nullopt;
  }
  census.setting.alphabet = *alphabet;
  census.is_complete = complete != 0;
  while (read_subject(lines, census)) {}
  if (!lines.next_is("end") || census.setting.shards == 0) return std::nullopt;
  return census;
}

}  // namespace ambit::study
