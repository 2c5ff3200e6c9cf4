#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "api/exec/program_run.h"
#include "api/files.h"
#include "base/trimmed.h"

namespace ambit::api {
namespace {

constexpr std::string_view kPtxPlace = " of the PTX";

/// Returns the place ("app.cu:12") at the end of `words`, without its column. Returns an empty text if `words` does not
/// end in a place, or if the words before the place do not describe an access.
std::string place_in(std::string_view words) {
  words = trimmed(words);
  if (words.ends_with(kPtxPlace)) {
    // "    block 0, thread 1 write  kernel, line 40 of the PTX"
    const std::size_t gap = words.rfind("  ");
    return std::string(trimmed(gap == std::string_view::npos ? words : words.substr(gap)));
  }
  const std::size_t blank = words.find_last_of(" \t");
  std::string place(blank == std::string_view::npos ? words : words.substr(blank + 1));
  const std::string_view before = trimmed(words.substr(0, words.size() - place.size()));
  if (!before.empty() && !before.ends_with("read") && !before.ends_with("write")) return {};
  const auto is_number = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const auto last = [&] { return std::string_view(place).substr(place.rfind(':') + 1); };
  if (place.find(':') == std::string::npos || !is_number(last())) return {};
  const std::string without = place.substr(0, place.rfind(':'));
  const std::size_t line = without.rfind(':');
  const bool has_column = line != std::string::npos && is_number(std::string_view(without).substr(line + 1));
  return has_column ? without : place;
}

/// Returns the offset at which the place in `text` ends. A kind of race may follow the place.
std::size_t end_of_place(std::string_view text) {
  if (const std::size_t at = text.find(kPtxPlace); at != std::string_view::npos) return at + kPtxPlace.size();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t word = std::min(text.find_first_not_of(" \t", begin), text.size());
    const std::size_t end = std::min(text.find_first_of(" \t", word), text.size());
    if (text.substr(word, end - word).find(':') != std::string_view::npos) return end;
    begin = end;
  }
  return text.size();
}

/// Reads "missing fence", "no synchronisation or missing fence, block level, 3 times". Returns a word that is not a
/// kind, if any.
std::optional<std::string> read_race_kinds(std::string_view text, std::vector<RaceKind>& kinds) {
  constexpr std::string_view kOr = " or ";
  text = trimmed(text.substr(0, text.find(',')));
  while (!text.empty()) {
    const std::size_t end = text.find(kOr);
    const std::string_view word = trimmed(text.substr(0, end));
    const std::size_t known = kinds.size();
    for (std::size_t i = 0; i < kRaceKinds; ++i) {
      if (word == to_string(static_cast<RaceKind>(i))) kinds.push_back(static_cast<RaceKind>(i));
    }
    if (kinds.size() == known) return std::string(word);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + kOr.size());
  }
  return std::nullopt;
}

Result<Suppression> read_line(const SourceFilePtr& file, std::uint32_t number, const std::string& line) {
  const auto wrong = [&](const std::string& message) {
    return Diagnostic{file,
                      {number, 1, static_cast<std::uint32_t>(line.size())},
                      message,
                      "write: app.cu:12 missing fence # why this race is harmless"};
  };
  const std::size_t hash = line.find('#');
  if (hash == std::string::npos || trimmed(std::string_view(line).substr(hash + 1)).empty())
    return wrong("expected # and a reason");
  const std::string_view words = std::string_view(line).substr(0, hash);
  const std::size_t end = end_of_place(words);
  Suppression made;
  made.origin = fmt::format("{}:{}", file->path, number);
  made.place = place_in(words.substr(0, end));
  if (made.place.empty()) return wrong("expected a file and a line");
  if (const auto unknown = read_race_kinds(words.substr(end), made.kinds)) {
    return wrong(fmt::format("unknown kind of race '{}'", *unknown));
  }
  return made;
}

bool names(const Suppression& one, const ProgramSite& site) {
  if (site.places.empty()) return site.text() == one.place;
  return std::ranges::any_of(site.places, [&](const ProgramPlace& place) {
    const std::string text = fmt::format("{}:{}", place.file, place.line);
    return text == one.place || text.ends_with("/" + one.place);
  });
}

bool concerns(const Suppression& one, const ProgramRace& race) {
  const bool is_kind = one.kinds.empty() || std::ranges::find(one.kinds, race.kind) != one.kinds.end();
  return is_kind && (names(one, race.first.site) || names(one, race.second.site));
}

}  // namespace

Result<std::vector<Suppression>> read_suppressions(const std::string& path, const std::atomic<bool>& interrupted) {
  std::vector<Suppression> all;
  if (path.empty()) return all;
  const auto source = read_results(path, &interrupted);
  if (!source.ok()) return source.errors();
  const SourceFilePtr& file = source.value();
  Diagnostics errors;
  std::istringstream lines(file->text);
  std::string line;
  for (std::uint32_t number = 1; std::getline(lines, line); ++number) {
    if (trimmed(line).empty() || trimmed(line).front() == '#') continue;
    auto one = read_line(file, number, line);
    if (one.ok()) {
      all.push_back(one.value());
    } else {
      errors.push_back(one.errors().front());
    }
  }
  if (!errors.empty()) return errors;
  return all;
}

std::uint64_t suppress(ProgramReport& report, const std::vector<Suppression>& suppressions) {
  for (const Suppression& one : suppressions) {
    const bool is_used =
        std::ranges::any_of(report.races, [&](const ProgramRace& race) { return concerns(one, race); });
    if (!is_used) report.remarks.push_back(fmt::format("{}: this suppression matches no race", one.origin));
  }
  return static_cast<std::uint64_t>(std::erase_if(report.races, [&](const ProgramRace& race) {
    return std::ranges::any_of(suppressions, [&](const Suppression& one) { return concerns(one, race); });
  }));
}

}  // namespace ambit::api
