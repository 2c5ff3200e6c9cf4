#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "model/events/execution.h"
#include "model/rules/rules.h"
#include "report/text/style.h"

namespace ambit::report {

/// How much of a verdict is shown.
enum class Detail {
  Plain,      ///< what the model says, without executions
  Witness,    ///< with one execution for the condition and one for the first race
  Witnesses,  ///< with one for the condition and one for every race, flag and incident
};

/// One execution as a numbered list of its events, each with its thread, what it did, whom it read from and its source
/// line; then the order of the writes of every location that has two or more, the orders that the model declares, and
/// the outcome. The list is in an order in which the execution could have taken place step by step where there is one
/// (po, rf, co, fr, barriers and the declared orders have no cycle), else in one that agrees with po and rf, else by
/// thread; the first line says which. Every line begins with `indent` spaces.
std::string witness_text(const events::EventGraph& graph, const rules::Rules& rules, const events::Execution& execution,
                         const Style& style, std::size_t indent);

/// The same; of an execution of more than kMostEvents events only those of `threads`, and how many events are left out.
/// Orders of more than kMostInOrder events are then counted, not listed.
std::string witness_excerpt(const events::EventGraph& graph, const rules::Rules& rules,
                            const events::Execution& execution, const std::set<std::uint32_t>& threads,
                            const Style& style, std::size_t indent);
inline constexpr std::size_t kMostEvents = 40;
inline constexpr std::size_t kMostInOrder = 12;

/// The same of the first `threads` threads and `locations` locations only, and without the outcome: the witness of a
/// termination verdict, whose program has others that serve the question.
std::string partial_witness_text(const events::EventGraph& graph, const rules::Rules& rules,
                                 const events::Execution& execution, std::size_t threads, std::size_t locations,
                                 const Style& style, std::size_t indent);

}  // namespace ambit::report
