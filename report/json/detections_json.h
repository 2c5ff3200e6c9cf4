#pragma once

#include <nlohmann/json.hpp>

#include "report/results/detections.h"

namespace ambit::report {

/// Returns an element of the list "detections" (docs/reference/cli/run.md).
nlohmann::ordered_json detections_json(const Detections& found);
/// Reads an element of the list "detections". Throws nlohmann::json::exception if the JSON does not have the form of an
/// element.
Detections read_detections(const nlohmann::ordered_json& json);

}  // namespace ambit::report
