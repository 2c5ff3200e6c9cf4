#pragma once

#include <cstdint>

#include "core/trace.h"
#include "runner/virtual/observer.h"

namespace ambit::shadow {

/// Sets the launch in the tables.
void set_launch(TraceTables& tables, const virtual_gpu::LaunchInfo& info);
/// Returns an event with the data that all lanes of an access share. Does not set the site, the thread and the object.
TraceEvent event_of(const virtual_gpu::WarpAccess& access);
/// Sets the old value of one lane's access, and whether the lane's compare-exchange failed.
void set_lane(TraceEvent& event, const virtual_gpu::WarpAccess& access, std::uint32_t lane);

/// The values of the words of one lane's access. next() returns them one after the other.
class WordValues {
 public:
  WordValues(const TraceEvent& event, const virtual_gpu::WarpAccess& access, std::uint32_t lane, bool is_one_word)
      : rest_(event.has_value ? access.values[lane] : 0), is_wide_(!is_one_word && access.bytes > 4) {}
  Value next() {
    const auto value = static_cast<Value>(is_wide_ ? rest_ & 0xffffffffU : rest_);
    if (is_wide_) rest_ >>= 32U;
    return value;
  }

 private:
  std::uint64_t rest_;
  bool is_wide_;
};

}  // namespace ambit::shadow
