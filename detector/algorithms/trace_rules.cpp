#include "detector/algorithms/trace_rules.h"

namespace ambit::detector {

void TraceRuleLog::report(const TraceName& first, const TraceName& second, std::uint32_t location,
                          ambit_kernel::Kind kind, ambit_kernel::Detail detail) {
  const auto side = [](const TraceName& name) {
    return RaceSide{.thread = name.thread,
                    .site = name.site,
                    .event = name.event,
                    .is_write = name.is_write != 0,
                    .is_atomic = name.is_atomic != 0};
  };
  state_->log.add(side(first), side(second), location, static_cast<RaceKind>(kind), state_->why(kind, detail));
}

void RuleDetector::set_values(TraceRuleEvent& made, const TraceEvent& event) {
  const Value unknown = event.rmw == TraceRmw::CompareExchange ? 1 : 0;
  made.is_failed = event.is_failed;
  made.value = event.has_value ? event.value : unknown;
  made.old_value = event.has_old_value ? event.old_value : 0;
  if (event.rmw == TraceRmw::Generic && made.value == 0) made.info.rmw = ambit_kernel::EventRmw::Exchange;
}

}  // namespace ambit::detector
