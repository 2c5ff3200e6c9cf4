#include "apps/cli/graph_trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "api/files.h"
#include "detector/detector.h"
#include "trace/open_trace.h"

namespace ambit::cli {
namespace {

std::optional<std::uint64_t> number_from(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number ? std::optional(number) : std::nullopt;
}

/// "12-80" or "12".
std::optional<std::pair<std::uint64_t, std::uint64_t>> range_from(std::string_view text) {
  const std::size_t dash = std::min(text.find('-'), text.size());
  const auto first = number_from(text.substr(0, dash));
  const auto last = dash == text.size() ? first : number_from(text.substr(dash + 1));
  if (!first || !last || *last < *first) return std::nullopt;
  return std::pair(*first, *last);
}

struct FoundRaces {
  std::vector<RaceReport> races;
  std::uint64_t events = 0;
  std::vector<std::string> silent;  ///< titles of the detectors that report no race, and know
  std::vector<std::string> open;    ///< of those that gave up before they found one, with the reason
};

/// "races by a, b", or who sees none and who does not know.
std::string found_text(const FoundRaces& found, const std::vector<ChosenDetector>& chosen) {
  std::vector<std::string> titles;
  std::ranges::transform(chosen, std::back_inserter(titles), &ChosenDetector::title);
  if (!found.races.empty()) return fmt::format("races by {}", fmt::join(titles, ", "));
  std::vector<std::string> parts;
  if (!found.silent.empty()) parts.push_back(fmt::format("no race by {}", fmt::join(found.silent, ", ")));
  for (const std::string& open : found.open) parts.push_back("not known by " + open);
  return fmt::format("{}", fmt::join(parts, "; "));
}

Result<FoundRaces> find_races(const std::string& file, const std::vector<ChosenDetector>& chosen) {
  const auto reader = trace::open_trace(file);
  if (!reader.ok()) return reader.errors();
  std::vector<std::unique_ptr<detector::Detector>> detectors;
  for (const ChosenDetector& one : chosen) {
    auto made = detector::make_detector(one.name, one.options, reader.value()->tables());
    AMBIT_ASSERT(made.ok());  // chosen_detectors has seen to it
    detectors.push_back(std::move(made.value()));
  }
  const auto replayed = detector::replay(*reader.value(), detectors);
  if (!replayed.ok()) return replayed.errors();
  FoundRaces found;
  found.events = replayed.value().events;
  for (std::size_t i = 0; i < detectors.size(); ++i) {
    std::vector<RaceReport> races = detectors[i]->races();
    if (races.empty() && detectors[i]->is_open()) {
      found.open.push_back(fmt::format("{}: {}", chosen[i].title, fmt::join(detectors[i]->remarks(), "; ")));
    } else if (races.empty()) {
      found.silent.push_back(chosen[i].title);
    }
    for (RaceReport& race : races) {
      const bool is_known = std::any_of(found.races.begin(), found.races.end(),
                                        [&](const RaceReport& other) { return is_same_race(race, other); });
      if (!is_known) found.races.push_back(std::move(race));
    }
  }
  return found;
}

}  // namespace

void add_trace_options(CLI::App& command, TraceQuestion& question) {
  add_detector_options(command, question.detectors);
  command.get_option("--detector")->description("Whose races are drawn, or all");
  command.get_option("-O")->description("An option of a detector: gwcp.overlap=either");
  command
      .add_option_function<std::string>(
          "--events",
          [&question](const std::string& text) {
            question.timeline.events = range_from(text);
            if (!question.timeline.events) {
              throw CLI::ValidationError("--events",
                                         fmt::format("expected FIRST-LAST, counted from 0, not '{}'", text));
            }
          },
          "The events to draw, counted from 0")
      ->type_name("FIRST-LAST");
  command.add_option("--threads", question.timeline.threads, "The threads to draw")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME[,NAME]");
  command.add_flag("--clocks", question.timeline.clocks, "Vector clocks after each event");
  for (const char* name : {"--detector", "-O", "--events", "--threads", "--clocks"}) {
    command.get_option(name)->group(kTraceOptions);
  }
}

Result<report::Timeline> read_timeline(const std::string& file, const TraceQuestion& question) {
  auto chosen = chosen_detectors(question.detectors);
  if (!chosen.ok()) return chosen.errors();
  if (question.detectors.names == kAllDetectors) {
    std::erase_if(chosen.value(), [](const ChosenDetector& one) { return one.needs_program; });
  }
  for (const ChosenDetector& one : chosen.value()) {
    if (one.needs_program) {
      return api::path_error("--detector", fmt::format("'{}' runs programs and looks at no trace", one.name));
    }
  }
  const auto found = find_races(file, chosen.value());
  if (!found.ok()) return found.errors();
  const auto reader = trace::open_trace(file);
  if (!reader.ok()) return reader.errors();
  auto timeline = report::read_timeline(*reader.value(), found.value().events, found.value().races, question.timeline);
  if (!timeline.ok()) return timeline.errors();
  const std::uint64_t events = found.value().events;
  timeline.value().title = fmt::format("{}: {} {}\n{}", std::filesystem::path(file).filename().string(), events,
                                       events == 1 ? "event" : "events", found_text(found.value(), chosen.value()));
  return timeline;
}

}  // namespace ambit::cli
