#include "apps/cli/graph_trace.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "apps/cli/detector_options.h"

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

}  // namespace

void add_trace_options(CLI::App& command, api::TraceQuestion& question) {
  add_detector_options(command, question.detectors);
  command.get_option("--detector")->description("The detectors whose races are drawn, or all");
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
  command.add_flag("--clocks", question.timeline.clocks, "Draw vector clocks after each event");
  for (const char* name : {"--detector", "-O", "--events", "--threads", "--clocks"}) {
    command.get_option(name)->group(kTraceOptions);
  }
}

}  // namespace ambit::cli
