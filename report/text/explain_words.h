#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/events/execution.h"
#include "model/explain/chain.h"
#include "model/explain/race_causes.h"
#include "model/explain/repair.h"

namespace ambit::report {

/// Describes in words the events of an execution, and the base relations between events.
class EventWords {
 public:
  enum class Detail : std::uint8_t {
    Short,  ///< "the release write at line 4"
    Usual,  ///< "P0's release write of x = 1 (line 4)"
    Scope,  ///< "P0's release write of x = 1 (line 4, device scope)"
  };

  EventWords(const events::EventGraph& graph, const events::Execution& execution)
      : graph_(graph), execution_(execution) {}

  /// Returns a noun phrase for an event: "P0's write of x = 1 (line 4)", "b1t0's seq_cst fence (line 9)", "the initial
  /// value of x".
  std::string noun(events::EventId event, Detail detail = Detail::Usual) const;
  /// Returns a sentence about a link without parts, such as program order or reads-from.
  std::string sentence(const explain::Link& link, Detail detail = Detail::Usual) const;

 private:
  std::string short_noun(events::EventId event) const;
  std::string place(events::EventId event, Detail detail) const;

  const events::EventGraph& graph_;
  const events::Execution& execution_;
};

/// Inserts the names of two events, `first` and `second`, into a model's phrase (rules::Definition::phrase).
std::string filled(std::string_view phrase, std::string_view first, std::string_view second);

/// Flattens a chain. Then replaces each inverse reads-from step and the following coherence step by one from-reads
/// step.
explain::Chain readable(const events::EventGraph& graph, const explain::Chain& chain);

/// Returns a list of line numbers as text: "lines 4, 7 and 9" or "line 4".
std::string lines_text(std::vector<std::uint32_t> lines);

}  // namespace ambit::report
