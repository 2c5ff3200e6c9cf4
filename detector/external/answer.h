#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/race_report.h"
#include "core/trace.h"

namespace ambit::external {

/// One access of a race in an answer. The answer gives an event of the run, or the recorded properties of the access.
struct AnsweredSide {
  std::optional<std::uint64_t> event;
  std::string thread;  ///< empty if not recorded
  std::string place;   ///< empty if not recorded
  bool is_write = false;
  bool is_atomic = false;
};

struct AnsweredRace {
  AnsweredSide first;
  AnsweredSide second;
  std::string location;  ///< empty if a side gives an event, or if the program did not record the location
  RaceKind kind = RaceKind::Unsynchronized;
  std::string why;
  std::uint64_t count = 1;
  std::optional<std::vector<std::uint64_t>> witness;
};

struct GaveUp {
  std::string reason;
};
struct Remark {
  std::string text;
};
struct EndOfRun {
  std::uint64_t run = 0;
  std::optional<std::string> test;
  std::optional<std::uint64_t> events;
};

/// A line that a detector program writes (docs/detectors/protocol.md, "Answers").
using Answer = std::variant<AnsweredRace, GaveUp, Remark, EndOfRun>;

/// Parses a line. If the line is not an answer, returns an error such as "expected a JSON object, found 'x'".
std::variant<Answer, std::string> read_answer(std::string_view line);

/// Returns the kind of race with that name, such as "missing fence".
std::optional<RaceKind> kind_from_text(std::string_view text);

/// Returns the first part of a report's sentence: "b0t0 writes x (k.cu:3), b1t0 reads x (k.cu:9)".
std::string accesses_text(const RaceReport& race, const TraceTables& tables);

/// Returns a race as a line that read_answer() can read, with a newline.
std::string race_line(const RaceReport& race, const TraceTables& tables);
std::string gave_up_line(std::string_view reason);
std::string remark_line(std::string_view text);
std::string end_line(std::string_view test, std::uint64_t run, std::uint64_t events);

}  // namespace ambit::external
