#pragma once

#include <nlohmann/json.hpp>

#include "core/program.h"
#include "model/verdict/verdict.h"

namespace ambit::report {

/// Returns the execution. The program of the graph may have additional threads and locations for the question. With
/// `only`, includes only the threads and locations of `only`.
nlohmann::ordered_json witness_json(const events::EventGraph& graph, const events::Execution& execution,
                                    const Program* only = nullptr);

}  // namespace ambit::report
