#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/race_report.h"
#include "core/trace.h"
#include "detector/external/answer.h"

namespace ambit::external {

/// The events of one run, and the races in the answers. Stores 16 bytes for each event: the properties to which answers
/// can refer.
class AnsweredRun {
 public:
  /// `tables` must outlive this object.
  explicit AnsweredRun(const TraceTables& tables) : tables_(tables) {}

  void add(const TraceEvent& event);
  std::uint64_t events() const { return events_.size(); }

  /// Handles an answer about the run, after the run's last event. Returns the error in the answer, or an empty string.
  /// An answer is wrong if it names an event that does not exist, an event that is not an access, or an unknown name.
  std::string take(const AnsweredRace& race);
  std::string take(const GaveUp& gave_up);
  std::string take(const Remark& remark);

  const std::vector<RaceReport>& races() const { return races_; }
  const std::vector<std::string>& remarks() const { return remarks_; }
  bool is_open() const { return is_open_; }

  /// Limits for one run. A detector that exceeds a limit fails.
  static constexpr std::size_t kMostRaces = 100'000;
  static constexpr std::size_t kMostRemarks = 1'000;

 private:
  /// The properties of an event to which a race can refer.
  struct Brief {
    std::uint32_t thread;
    std::uint32_t object;
    std::uint32_t site;
    bool is_access;
    bool is_write;
    bool is_atomic;
  };

  std::string resolve(const AnsweredSide& side, RaceAccess& access) const;
  std::string add_remark(std::string text);
  std::string_view no_race(const RaceReport& race, bool has_location) const;
  std::string find_location(const AnsweredRace& race, std::uint32_t& location) const;

  const TraceTables& tables_;
  std::vector<Brief> events_;
  std::vector<RaceReport> races_;
  std::vector<std::string> remarks_;
  bool is_open_ = false;
};

}  // namespace ambit::external
