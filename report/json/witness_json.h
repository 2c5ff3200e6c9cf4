#pragma once

#include <nlohmann/json.hpp>

#include "core/program.h"
#include "model/verdict/verdict.h"

namespace ambit::report {

/// Returns the execution. The program of the graph may contain threads and locations that were added for the question.
/// If `only` is given, includes only its threads and locations.
nlohmann::ordered_json witness_json(const events::EventGraph& graph, const events::Execution& execution,
                                    const Program* only = nullptr);

}  // namespace ambit::report
