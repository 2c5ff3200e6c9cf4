#pragma once

#include <chrono>
#include <string>

#include "base/child_process.h"
#include "parser/cat/model_store.h"

namespace ambit::server {

/// Answers requests of the playground's page. Requests and answers are JSON (docs/guide/playground/server.md has every
/// field). Requests are not trusted: every answer is a JSON object, even if the request is malformed. If the request
/// cannot be answered, the object has "error".
///
/// A request has the form `{"do": "check", "text": ..., "name": "test.litmus", "models": ["ptx", ...]}`. "do" is one of
/// check, outcomes, hover, complete, models, step, detect, explain, fix, graph.
///
/// If an answer has "limited", its computation reached a time limit, and the same request may get a longer answer
/// another time. Answers without "limited" depend on the request alone.
class Worker {
 public:
  /// `time`: the time in which the answer must be complete. Questions get less time. If a question reaches its limit,
  /// the answer says what is unknown.
  std::string answer(const std::string& request, std::chrono::milliseconds time = ChildLimits{}.time);

  /// Reads every shipped model and answers some sample requests, so that the caches are full for later requests. Call
  /// this function in a process that is copied afterwards (serve_forks).
  void warm_up();

 private:
  parser::ModelStore models_{parser::ModelStore::Files::Refused};
};

}  // namespace ambit::server
