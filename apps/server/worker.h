#pragma once

#include <chrono>
#include <string>

#include "core/child_process.h"
#include "parser/cat/model_store.h"

namespace ambit::server {

/// Answers one request of the playground's page: JSON in, JSON out (docs/guide/playground/server.md has every field).
/// Requests are not trusted: for any request the answer is a JSON object, with "error" if the request cannot be
/// answered.
///
/// A request has the form `{"do": "check", "text": ..., "name": "test.litmus", "models": ["ptx", ...]}`; "do" is one of
/// check, outcomes, hover, complete, models, step, detect, explain, fix, graph.
///
/// An answer depends on the request alone, unless it has "limited": in this case it reached a time limit, and the same
/// request may get a longer answer another time.
class Worker {
 public:
  /// `time`: the time in which the answer must be complete. Questions get less time; the answer names its unknown
  /// parts.
  std::string answer(const std::string& request, std::chrono::milliseconds time = ChildLimits{}.time);

  /// Reads every shipped model and answers some requests of its own, so that later answers find the caches filled.
  /// Intended for a process that is copied afterwards (serve_forks).
  void warm_up();

 private:
  parser::ModelStore models_{parser::ModelStore::Files::Refused};
};

}  // namespace ambit::server
