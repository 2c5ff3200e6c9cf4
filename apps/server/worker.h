#pragma once

#include <chrono>
#include <string>

#include "base/child_process.h"
#include "parser/cat/model_store.h"

namespace ambit::server {

/// Answers requests of the playground's page. Requests and answers are JSON (docs/guide/playground/server.md describes
/// every field). Requests are not trusted: every answer is a JSON object, even if the request is malformed. If the
/// worker cannot answer the request, the object has the member "error".
///
/// A request has the form `{"do": "check", "text": ..., "name": "test.litmus", "models": ["ptx", ...]}`. "do" is one of
/// edit, check, outcomes, hover, complete, models, step, detect, explain, fix, graph.
///
/// If an answer has "limited", the computation reached a time limit, and the same request may later get a longer
/// answer. An answer without "limited" depends only on the request.
class Worker {
 public:
  /// `time`: the time limit for the whole answer. Each question gets less time. If a question reaches its limit, the
  /// answer says what is unknown.
  std::string answer(const std::string& request, std::chrono::milliseconds time = ChildLimits{}.time);

  /// Fills the caches for later requests: reads every shipped model and answers some sample requests. Call this
  /// function in a process that later forks copies of itself (serve_forks).
  void warm_up();

 private:
  parser::ModelStore models_{parser::ModelStore::Files::Refused};
};

}  // namespace ambit::server
