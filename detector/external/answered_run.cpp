#include "detector/external/answered_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/plural.h"

namespace ambit::external {
void AnsweredRun::add(const TraceEvent& event) {
  events_.push_back({event.thread, event.object, event.site, event.is_access(), event.is_write(), event.is_atomic()});
}

std::string AnsweredRun::resolve(const AnsweredSide& side, RaceAccess& access) const {
  if (side.event) {
    if (*side.event >= events_.size()) {
      return fmt::format("a race names event {}, but the run has {}", *side.event, plural(events_.size(), "event"));
    }
    const Brief& event = events_[*side.event];
    if (!event.is_access) return fmt::format("a race names event {}, which is not an access of memory", *side.event);
    access = {event.thread, event.site, *side.event, event.is_write, event.is_atomic};
    return {};
  }
  access.is_write = side.is_write;
  access.is_atomic = side.is_atomic;
  if (!side.thread.empty()) {
    const auto thread = tables_.find_thread(side.thread);
    if (!thread) return fmt::format("a race names thread '{}', which has no event in the run", side.thread);
    access.thread = *thread;
  }
  if (!side.place.empty()) {
    const auto site = std::ranges::find(tables_.sites(), side.place);
    if (site == tables_.sites().end()) {
      return fmt::format("a race names the place '{}', which no event of the run has", side.place);
    }
    access.site = static_cast<std::uint32_t>(site - tables_.sites().begin());
  }
  return {};
}

std::string AnsweredRun::find_location(const AnsweredRace& race, std::uint32_t& location) const {
  for (const AnsweredSide* side : {&race.second, &race.first}) {
    if (side->event) location = events_[*side->event].object;
  }
  if (race.location.empty()) return {};
  const auto named = tables_.find_location(race.location);
  if (!named) return fmt::format("a race names the location '{}', which no event of the run accesses", race.location);
  location = *named;
  return {};
}

/// Returns the reason why the two events cannot race in any order; empty if they may race. If the answer names a
/// location, the events may access different locations, because the detector may use a coarser granularity.
std::string_view AnsweredRun::no_race(const RaceReport& race, bool has_location) const {
  if (race.first.thread == race.second.thread) return "belong to one thread";
  const bool is_one_location = events_[race.first.event].object == events_[race.second.event].object;
  if (!is_one_location && !has_location) return "access different locations";
  if (!race.first.is_write && !race.second.is_write) return "are both reads";
  return {};
}

std::string AnsweredRun::take(const AnsweredRace& answer) {
  if (races_.size() == kMostRaces) return fmt::format("reports more than {} races of one run", kMostRaces);
  RaceReport race;
  if (std::string wrong = resolve(answer.first, race.first); !wrong.empty()) return wrong;
  if (std::string wrong = resolve(answer.second, race.second); !wrong.empty()) return wrong;
  if (std::string wrong = find_location(answer, race.location); !wrong.empty()) return wrong;
  if (answer.first.event && answer.second.event) {
    if (const std::string_view why = no_race(race, !answer.location.empty()); !why.empty()) {
      return fmt::format("a race names events {} and {}, which {}", race.first.event, race.second.event, why);
    }
    if (race.first.event > race.second.event) std::swap(race.first, race.second);
  }
  if (race.first.thread != kNoName && race.second.thread != kNoName) {
    race.level = race_level(tables_.threads()[race.first.thread].place, tables_.threads()[race.second.thread].place);
  }
  race.kind = answer.kind;
  race.count = answer.count;
  const std::string accesses = accesses_text(race, tables_);
  race.sentence = answer.why.empty()                        ? accesses
                  : answer.why.starts_with(accesses + ": ") ? answer.why
                                                            : accesses + ": " + answer.why;
  const auto exists = [&](std::uint64_t event) { return event < events_.size(); };
  if (answer.witness && !std::ranges::all_of(*answer.witness, exists)) {
    return fmt::format("a witness names an event that does not exist; the run has {}", plural(events_.size(), "event"));
  }
  for (const std::uint64_t event : {race.first.event, race.second.event}) {
    if (!answer.witness || std::ranges::find(*answer.witness, event) == answer.witness->end()) continue;
    return fmt::format("a witness contains event {}, one of the two accesses, which must come after it", event);
  }
  race.witness = answer.witness;
  races_.push_back(std::move(race));
  return {};
}

std::string AnsweredRun::take(const GaveUp& gave_up) {
  is_open_ = true;
  return add_remark("gave up: " + gave_up.reason);
}

std::string AnsweredRun::take(const Remark& remark) { return add_remark(remark.text); }

std::string AnsweredRun::add_remark(std::string text) {
  if (remarks_.size() == kMostRemarks) return fmt::format("makes more than {} remarks about one run", kMostRemarks);
  remarks_.push_back(std::move(text));
  return {};
}

}  // namespace ambit::external
