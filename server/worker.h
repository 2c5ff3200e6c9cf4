#pragma once

#include <string>

namespace ambit::server {

/// Answers one request of the playground's page: JSON in, JSON out (docs/playground.md has every field). Requests are
/// strangers': whatever stands in them, the answer is a JSON object, with "error" where it cannot be given.
///
/// `{"do": "check", "text": ..., "name": "test.litmus", "models": ["ptx", ...], "seconds": 3}` and so on; "do" is one
/// of check, outcomes, hover, complete, models, step, detect, explain, graph.
std::string answer(const std::string& request);

}  // namespace ambit::server
