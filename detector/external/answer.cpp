#include "detector/external/answer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "detector/race_log.h"

namespace ambit::external {
namespace {

using Json = nlohmann::ordered_json;

/// The exception for an invalid line. Only this file throws and catches the exception.
struct Wrong {
  std::string message;
};

/// Maximum number of characters that an error message quotes from an invalid line.
constexpr std::size_t kShown = 60;

std::string shown(std::string_view line) {
  std::string text;
  for (const char c : line.substr(0, kShown)) text += c >= ' ' && c <= '~' ? c : '?';
  return fmt::format("'{}{}'", text, line.size() > kShown ? "..." : "");
}

std::string text_of(const Json& json, const char* name) {
  if (!json.is_string()) throw Wrong{fmt::format("\"{}\" must be a string", name)};
  return json.get<std::string>();
}

std::uint64_t number_of(const Json& json, const char* name) {
  if (!json.is_number_unsigned()) throw Wrong{fmt::format("\"{}\" must be a number, 0 or more", name)};
  return json.get<std::uint64_t>();
}

bool flag_of(const Json& json, const char* name) {
  if (!json.is_boolean()) throw Wrong{fmt::format("\"{}\" must be true or false", name)};
  return json.get<bool>();
}

/// Calls `use` with a field of an object if the field exists and is not null.
template <typename Use>
void with(const Json& object, const char* name, const Use& use) {
  const auto field = object.find(name);
  if (field != object.end() && !field->is_null()) use(*field);
}

AnsweredSide side_of(const Json& json) {
  AnsweredSide side;
  if (json.is_number_unsigned()) {
    side.event = json.get<std::uint64_t>();
  } else if (json.is_string()) {
    side.place = json.get<std::string>();
  } else if (json.is_object()) {
    with(json, "event", [&](const Json& field) { side.event = number_of(field, "event"); });
    with(json, "thread", [&](const Json& field) { side.thread = text_of(field, "thread"); });
    with(json, "place", [&](const Json& field) { side.place = text_of(field, "place"); });
    with(json, "write", [&](const Json& field) { side.is_write = flag_of(field, "write"); });
    with(json, "atomic", [&](const Json& field) { side.is_atomic = flag_of(field, "atomic"); });
  } else {
    throw Wrong{"a side of a race must be the number of an event, a source place or an object"};
  }
  return side;
}

RaceKind kind_of(const std::string& text) {
  if (const auto kind = kind_from_text(text)) return *kind;
  std::vector<std::string_view> all;
  for (std::size_t i = 0; i < kRaceKinds; ++i) all.push_back(to_string(static_cast<RaceKind>(i)));
  throw Wrong{fmt::format("unknown kind {} of a race; kinds: {}", shown(text), fmt::join(all, ", "))};
}

AnsweredRace race_of(const Json& json) {
  const Json& sides = json["race"];
  if (!sides.is_array() || sides.size() != 2) throw Wrong{"\"race\" must be an array of two accesses"};
  AnsweredRace race;
  race.first = side_of(sides[0]);
  race.second = side_of(sides[1]);
  with(json, "location", [&](const Json& field) { race.location = text_of(field, "location"); });
  with(json, "kind", [&](const Json& field) { race.kind = kind_of(text_of(field, "kind")); });
  with(json, "why", [&](const Json& field) { race.why = text_of(field, "why"); });
  with(json, "count", [&](const Json& field) { race.count = std::max<std::uint64_t>(1, number_of(field, "count")); });
  with(json, "witness", [&](const Json& field) {
    if (!field.is_array()) throw Wrong{"\"witness\" must be an array of numbers of events"};
    race.witness.emplace();
    for (const Json& event : field) race.witness->push_back(number_of(event, "witness"));
  });
  return race;
}

EndOfRun end_of(const Json& json) {
  EndOfRun end{.run = number_of(json["end"], "end"), .test = {}, .events = {}};
  with(json, "test", [&](const Json& field) { end.test = text_of(field, "test"); });
  with(json, "events", [&](const Json& field) { end.events = number_of(field, "events"); });
  return end;
}

Answer answer_of(const Json& json) {
  constexpr std::array kAnswers = {"race", "gave_up", "remark", "end"};
  if (std::ranges::count_if(kAnswers, [&](const char* name) { return json.contains(name); }) > 1) {
    throw Wrong{R"(expected only one of "race", "gave_up", "remark", "end" in a line)"};
  }
  if (json.contains("race")) return race_of(json);
  if (json.contains("end")) return end_of(json);
  if (json.contains("gave_up")) return GaveUp{text_of(json["gave_up"], "gave_up")};
  if (json.contains("remark")) return Remark{text_of(json["remark"], "remark")};
  throw Wrong{R"(expected one of "race", "gave_up", "remark", "end")"};
}

std::string described(const RaceAccess& access, std::uint32_t location, const TraceTables& tables) {
  if (location == kNoName) {
    if (access.thread == kNoName && !access.is_write) return "some access";
    return fmt::format("{} {} memory",
                       access.thread == kNoName ? std::string("a thread") : tables.threads()[access.thread].name,
                       access.is_write ? "writes" : "reads");
  }
  detector::RaceSide side;
  side.thread = access.thread;
  side.site = access.site;
  side.is_write = access.is_write;
  side.is_atomic = access.is_atomic;
  return describe(side, location, tables);
}

Json side_json(const RaceAccess& access, const TraceTables& tables) {
  if (access.event != RaceAccess::kNoEvent) return access.event;
  Json json = Json::object();
  if (access.thread != kNoName) json["thread"] = tables.threads()[access.thread].name;
  if (access.site != kNoName) json["place"] = tables.sites()[access.site];
  if (access.is_write) json["write"] = true;
  if (access.is_atomic) json["atomic"] = true;
  return json;
}

std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

std::optional<RaceKind> kind_from_text(std::string_view text) {
  for (std::size_t i = 0; i < kRaceKinds; ++i) {
    if (to_string(static_cast<RaceKind>(i)) == text) return static_cast<RaceKind>(i);
  }
  return std::nullopt;
}

std::variant<Answer, std::string> read_answer(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return fmt::format("expected a JSON object, found {}", shown(line));
  try {
    return answer_of(json);
  } catch (const Wrong& wrong) {
    return fmt::format("{}: {}", wrong.message, shown(line));
  }
}

std::string accesses_text(const RaceReport& race, const TraceTables& tables) {
  return described(race.first, race.location, tables) + ", " + described(race.second, race.location, tables);
}

std::string race_line(const RaceReport& race, const TraceTables& tables) {
  Json json;
  json["race"] = Json::array({side_json(race.first, tables), side_json(race.second, tables)});
  if (race.location != kNoName) json["location"] = tables.locations()[race.location].name;
  json["kind"] = to_string(race.kind);
  const std::string prefix = accesses_text(race, tables) + ": ";
  const std::string_view sentence = race.sentence;
  const std::string_view why = sentence.substr(sentence.starts_with(prefix) ? prefix.size() : 0);
  if (!why.empty()) json["why"] = why;
  if (race.count != 1) json["count"] = race.count;
  if (race.witness) json["witness"] = *race.witness;
  return line_of(json);
}

std::string gave_up_line(std::string_view reason) {
  Json json;
  json["gave_up"] = reason;
  return line_of(json);
}

std::string remark_line(std::string_view text) {
  Json json;
  json["remark"] = text;
  return line_of(json);
}

std::string end_line(std::string_view test, std::uint64_t run, std::uint64_t events) {
  Json json;
  json["end"] = run;
  json["test"] = test;
  json["events"] = events;
  return line_of(json);
}

}  // namespace ambit::external
