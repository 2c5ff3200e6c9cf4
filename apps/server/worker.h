#pragma once

#include <chrono>
#include <string>

#include "core/child_process.h"
#include "parser/cat/model_store.h"

namespace ambit::server {

/// Answers one request of the playground's page: JSON in, JSON out (docs/playground.md has every field). Requests are
/// strangers': whatever stands in them, the answer is a JSON object, with "error" where it cannot be given.
///
/// `{"do": "check", "text": ..., "name": "test.litmus", "models": ["ptx", ...]}` and so on; "do" is one of check,
/// outcomes, hover, complete, models, step, detect, explain, graph.
///
/// An answer depends on nothing but the request, unless it has "limited": then a limit of time may have been reached,
/// and another time there may be more to say.
class Worker {
 public:
  /// `time`: until the answer must be there. Questions are given less, and the answer then says what is not known.
  std::string answer(const std::string& request, std::chrono::milliseconds time = ChildLimits{}.time);

  /// Reads every shipped model and answers some requests of its own, so that what other answers need is at hand. For a
  /// process that is copied afterwards (serve_forks).
  void warm_up();

 private:
  parser::ModelStore models_{parser::ModelStore::Files::Refused};
};

}  // namespace ambit::server
