#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "model/events/execution.h"
#include "model/rules/rules.h"
#include "report/text/style.h"

namespace ambit::report {

/// How much of a verdict a text shows.
enum class Detail {
  Plain,      ///< the model's answer, without executions
  Witness,    ///< the answer with an execution for the condition and another for the first race
  Witnesses,  ///< the answer with an execution for the condition and another for every race, flag and incident
};

/// Returns one execution as a numbered list of its events. Each event has its thread, its effect, the write that it
/// reads from, and its source line. Three parts follow the list: the coherence order of each location with several
/// writes, the orders that the model declares, and the outcome. Every line begins with `indent` spaces.
///
/// The first line says how the events are ordered. If the union of po, rf, co, fr, barriers and the declared orders has
/// no cycle, the order of the list agrees with all these relations, like an interleaving of the threads. If the union
/// has a cycle, the order agrees with po and rf. If po and rf alone have a cycle, the list shows one thread after the
/// other.
std::string witness_text(const events::EventGraph& graph, const rules::Rules& rules, const events::Execution& execution,
                         const Style& style, std::size_t indent);

/// Like witness_text(), but shortens an execution with more than kMostEvents events. Lists only the events of
/// `threads`, and gives the number of omitted events. If an order has more than kMostInOrder events, gives only the
/// number of events.
std::string witness_excerpt(const events::EventGraph& graph, const rules::Rules& rules,
                            const events::Execution& execution, const std::set<std::uint32_t>& threads,
                            const Style& style, std::size_t indent);
inline constexpr std::size_t kMostEvents = 40;
inline constexpr std::size_t kMostInOrder = 12;

/// Like witness_text(), but shows only the first `threads` threads and `locations` locations, and no outcome. The
/// program of a termination verdict contains additional threads and locations, which users must not see.
std::string partial_witness_text(const events::EventGraph& graph, const rules::Rules& rules,
                                 const events::Execution& execution, std::size_t threads, std::size_t locations,
                                 const Style& style, std::size_t indent);

}  // namespace ambit::report
