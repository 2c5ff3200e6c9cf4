#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "detector/detector.h"
#include "detector/transaction_sections.h"

namespace ambit::detector {

Result<ReplayResult> replay(TraceReader& reader, std::span<const std::unique_ptr<Detector>> detectors) {
  constexpr std::size_t kBatch = 1024;
  std::vector<TraceEvent> events(kBatch);
  const bool needs_all = std::ranges::any_of(
      detectors, [](const auto& detector) { return detector->depth() == SyncInference::Depth::All; });
  const bool infers = detectors.empty() ||
                      std::ranges::any_of(detectors, [](const auto& detector) { return detector->looks_at_actions(); });
  std::vector<Detector*> active;
  for (const auto& detector : detectors) active.push_back(detector.get());
  bool has_operations = false;
  SyncInference inference(reader.tables(), needs_all ? SyncInference::Depth::All : SyncInference::Depth::Sections);
  TransactionSections transactions;
  const auto show = [&](const TraceEvent& event, std::uint64_t number) {
    if (event.is_asynchronous() && !has_operations) {
      has_operations = true;
      std::erase_if(active, [](Detector* detector) {
        if (!detector->orders_operations()) detector->give_up_at_operations();
        return detector->has_given_up();
      });
    }
    const std::span<const Action> actions = infers ? inference.on(event) : std::span<const Action>();
    const Observation observation{event, number, actions, inference};
    for (Detector* detector : active) detector->on(observation);
  };
  ReplayResult result;
  while (true) {
    const auto count = reader.read(events);
    if (!count.ok()) return count.errors();
    if (count.value() == 0) break;
    for (std::size_t i = 0; i < count.value(); ++i, ++result.events) {
      if (transactions.is_idle() && !events[i].is_transaction()) {
        show(events[i], result.events);
        continue;
      }
      for (const NumberedEvent& shown : transactions.on(events[i], result.events)) show(shown.event, shown.number);
    }
  }
  const std::span<const Action> rest = infers ? inference.finish() : std::span<const Action>();
  for (Detector* detector : active) detector->finish(rest, inference);
  const TraceTables& tables = reader.tables();
  for (const auto& [thread, lock] : inference.open_sections()) {
    result.open_sections.push_back(
        fmt::format("{} holds {}", tables.threads()[thread].name, tables.locations()[lock].name));
  }
  return result;
}

}  // namespace ambit::detector
