#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ambit::report {

/// Returns a text as a JSON string, or null if the text is empty.
inline nlohmann::ordered_json text_or_null(const std::string& text) {
  return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(text);
}

}  // namespace ambit::report
