#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "model/events/execution.h"
#include "model/rules/rules.h"
#include "report/text/style.h"

namespace ambit::report {

/// The parts of a verdict to show.
enum class Detail {
  Plain,      ///< the model's answer, without executions
  Witness,    ///< the answer with an execution for the condition and another for the first race
  Witnesses,  ///< the answer with an execution for the condition and another for every race, flag and incident
};

/// Returns one execution as a numbered list of its events, each with its thread, its effect, the write that it reads
/// from and its source line. After the list come the order of the writes of every location with two or more writes, the
/// orders that the model declares, and the outcome. If po, rf, co, fr, barriers and the declared orders have no cycle,
/// the order of the list is one in which the execution could have taken place step by step. Otherwise it agrees with po
/// and rf, or else the list goes thread by thread. The first line names the kind of order. Every line begins with
/// `indent` spaces.
std::string witness_text(const events::EventGraph& graph, const rules::Rules& rules, const events::Execution& execution,
                         const Style& style, std::size_t indent);

/// Like witness_text(), but shortens an execution with more than kMostEvents events: lists only the events of
/// `threads`, with the number of omitted events, and counts orders of more than kMostInOrder events instead of listing
/// them.
std::string witness_excerpt(const events::EventGraph& graph, const rules::Rules& rules,
                            const events::Execution& execution, const std::set<std::uint32_t>& threads,
                            const Style& style, std::size_t indent);
inline constexpr std::size_t kMostEvents = 40;
inline constexpr std::size_t kMostInOrder = 12;

/// Like witness_text(), but with only the first `threads` threads and `locations` locations, and without the outcome.
/// Used for the witness of a termination verdict, whose program has further threads and locations for the question.
std::string partial_witness_text(const events::EventGraph& graph, const rules::Rules& rules,
                                 const events::Execution& execution, std::size_t threads, std::size_t locations,
                                 const Style& style, std::size_t indent);

}  // namespace ambit::report
