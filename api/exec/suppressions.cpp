#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "api/exec/program_run.h"
#include "api/files.h"
#include "base/trimmed.h"

namespace ambit::api {
namespace {

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
  std::istringstream words(line.substr(0, hash));
  Suppression made;
  words >> made.place;
  if (made.place.find(':') == std::string::npos) return wrong("expected a file and a line");
  std::string kind;
  std::getline(words, kind);
  kind = std::string(trimmed(kind));
  if (kind.empty()) return made;
  for (std::size_t i = 0; i < kRaceKinds; ++i) {
    if (kind == to_string(static_cast<RaceKind>(i))) made.kind = static_cast<RaceKind>(i);
  }
  if (!made.kind) return wrong(fmt::format("unknown kind of race '{}'", kind));
  return made;
}

bool names(const Suppression& one, const ProgramSite& site) {
  return std::ranges::any_of(site.places, [&](const ProgramPlace& place) {
    const std::string text = fmt::format("{}:{}", place.file, place.line);
    return text == one.place || text.ends_with("/" + one.place);
  });
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
  return static_cast<std::uint64_t>(std::erase_if(report.races, [&](const ProgramRace& race) {
    return std::ranges::any_of(suppressions, [&](const Suppression& one) {
      return (!one.kind || *one.kind == race.kind) && (names(one, race.first.site) || names(one, race.second.site));
    });
  }));
}

}  // namespace ambit::api
