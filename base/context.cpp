#include "base/context.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <utility>

#include "base/activity.h"

namespace ambit {
namespace {

constexpr std::uint64_t kWorkBetweenLooks = 1000;
constexpr std::chrono::milliseconds kBetweenMemoryLooks{10};

}  // namespace

std::string_view to_string(UnknownReason reason) {
  constexpr std::array<std::string_view, 10> kNames = {"bound",       "timeout", "memory",   "interrupted", "values",
                                                       "unsupported", "opaque",  "barriers", "model",       "endless"};
  return kNames[static_cast<std::size_t>(reason)];
}

void Context::begin(std::string words) {
  if (activity_ != nullptr) activity_->set_part(std::move(words));
}

std::optional<UnknownReason> Context::should_stop(std::uint64_t cost) {
  if (is_cancelled() && Clock::now() >= lenient_until_) return UnknownReason::Interrupted;
  work_ += cost;
  if (work_ < kWorkBetweenLooks) return std::nullopt;
  work_ = 0;
  const Clock::time_point now = Clock::now();
  if (now < lenient_until_) return std::nullopt;
  if (deadline_ && now >= *deadline_) return UnknownReason::Timeout;
  if (memory_limit_ && now >= next_memory_look_) {
    if (resident_memory() > *memory_limit_) return UnknownReason::Memory;
    next_memory_look_ = now + kBetweenMemoryLooks;
  }
  return std::nullopt;
}

Context Context::with_grace(std::chrono::milliseconds grace) const {
  Context result = *this;
  result.lenient_until_ = Clock::now() + grace;
  return result;
}

std::optional<std::uint64_t> Context::milliseconds_left() const {
  if (!deadline_) return std::nullopt;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline_ - Clock::now()).count();
  return left < 1 ? 1 : static_cast<std::uint64_t>(left);
}

std::uint64_t resident_memory() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long total = 0;
  unsigned long resident = 0;
  const int fields = std::fscanf(file, "%lu %lu", &total, &resident);
  std::fclose(file);
  return fields == 2 ? std::uint64_t{resident} * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace ambit
