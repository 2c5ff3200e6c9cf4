#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "detector/detector.h"
#include "detector/transaction_sections.h"

namespace ambit::detector {
namespace {

using Detectors = std::span<Detector* const>;

class Replay {
 public:
  Replay(const TraceTables& tables, Detectors detectors)
      : inference_(tables, depth_of(detectors),
                   detectors.empty() ? SyncInference::Rules::Papers : detectors.front()->rules()),
        infers_(detectors.empty() ||
                std::ranges::any_of(detectors, [](const auto& detector) { return detector->looks_at_actions(); })) {
    active_.assign(detectors.begin(), detectors.end());
  }

  /// `number` is the number of the first of these events.
  void on(std::span<const TraceEvent> events, std::uint64_t number) {
    const auto is_special = [](const TraceEvent& event) { return event.is_asynchronous() || event.is_transaction(); };
    while (!events.empty()) {
      const auto special = transactions_.is_idle() ? std::ranges::find_if(events, is_special) : events.begin();
      const auto plain = static_cast<std::size_t>(special - events.begin());
      for (const TraceEvent& event : events.first(plain)) show(event, number++);
      if (plain == events.size()) return;
      for (const NumberedEvent& shown : transactions_.on(*special, number++)) {
        if (shown.event.is_asynchronous() && !has_operations_) begin_operations();
        show(shown.event, shown.number);
      }
      events = events.subspan(plain + 1);
    }
  }
  void finish() {
    const std::span<const Action> rest = infers_ ? inference_.finish() : std::span<const Action>();
    for (Detector* detector : active_) detector->finish(rest, inference_);
  }
  const SyncInference& inference() const { return inference_; }

 private:
  static SyncInference::Depth depth_of(Detectors detectors) {
    const bool needs_all = std::ranges::any_of(
        detectors, [](const auto& detector) { return detector->depth() == SyncInference::Depth::All; });
    return needs_all ? SyncInference::Depth::All : SyncInference::Depth::Sections;
  }
  void show(const TraceEvent& event, std::uint64_t number) {
    const std::span<const Action> actions = infers_ ? inference_.on(event) : std::span<const Action>();
    const Observation observation{event, number, actions, inference_};
    for (Detector* detector : active_) detector->on(observation);
  }
  void begin_operations() {
    has_operations_ = true;
    std::erase_if(active_, [](Detector* detector) {
      if (!detector->orders_operations()) detector->give_up_at_operations();
      return detector->has_given_up();
    });
  }

  SyncInference inference_;
  TransactionSections transactions_;
  std::vector<Detector*> active_;  ///< detectors that have not given up
  bool infers_;
  bool has_operations_ = false;
};

}  // namespace

Result<ReplayResult> replay(TraceReader& reader, std::span<const std::unique_ptr<Detector>> detectors) {
  constexpr std::size_t kBatch = 1024;
  std::vector<TraceEvent> events(kBatch);
  // Detectors that use different rules get separate inferences.
  std::vector<Detector*> sorted;
  for (const auto& detector : detectors) sorted.push_back(detector.get());
  const auto others = std::ranges::stable_partition(
      sorted, [&](const Detector* detector) { return detector->rules() == sorted.front()->rules(); });
  const auto first = static_cast<std::size_t>(others.begin() - sorted.begin());
  Replay replay(reader.tables(), Detectors(sorted).first(first));
  std::optional<Replay> second;
  if (!others.empty()) second.emplace(reader.tables(), Detectors(sorted).subspan(first));
  ReplayResult result;
  while (true) {
    const auto count = reader.read(events);
    if (!count.ok()) return count.errors();
    if (count.value() == 0) break;
    replay.on(std::span(events).first(count.value()), result.events);
    if (second) second->on(std::span(events).first(count.value()), result.events);
    result.events += count.value();
  }
  replay.finish();
  if (second) second->finish();
  const TraceTables& tables = reader.tables();
  for (const auto& [thread, lock] : replay.inference().open_sections()) {
    result.open_sections.push_back(
        fmt::format("{} holds {}", tables.threads()[thread].name, tables.locations()[lock].name));
  }
  return result;
}

}  // namespace ambit::detector
