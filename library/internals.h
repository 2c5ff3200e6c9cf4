#pragma once

#include <fmt/format.h>

#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "api/check/checking_options.h"
#include "api/check/explanation.h"
#include "base/assert.h"
#include "base/source.h"
#include "core/program.h"
#include "parser/cat/model_store.h"
#include "runner/sim/simulator_options.h"

// These headers come after the internal headers, because clang cannot parse `namespace ambit::explain` after the
// function ambit::v0::explain.
#include <ambit/explain.h>
#include <ambit/limits.h>
#include <ambit/model.h>
#include <ambit/simulate.h>
#include <ambit/test.h>

namespace AMBIT_NAMESPACE {

using ProgramPtr = std::shared_ptr<const Program>;

struct Test::Content {
  ProgramPtr program;
};
struct Model::Content {
  parser::RulesPtr rules;
};
struct Explanation::Content {
  api::Explanation explanation;
};

/// Converts between the types of the public interface and the internal types.
struct Internals {
  static Test test(ProgramPtr program) {
    return Test(std::make_shared<const Test::Content>(Test::Content{std::move(program)}));
  }
  static const ProgramPtr& program(const Test& test) { return test.content_->program; }
  static Model model(parser::RulesPtr rules) {
    return Model(std::make_shared<const Model::Content>(Model::Content{std::move(rules)}));
  }
  static const parser::RulesPtr& rules(const Model& model) { return model.content_->rules; }
  static std::vector<parser::RulesPtr> rules(const std::vector<Model>& models);
  static Explanation explanation(api::Explanation explanation) {
    return Explanation(std::make_shared<const Explanation::Content>(Explanation::Content{std::move(explanation)}));
  }
  static const api::Explanation& explanation(const Explanation& explanation) {
    return explanation.content_->explanation;
  }
};

Problem problem_of(const Diagnostic& diagnostic);
/// Throws Error.
[[noreturn]] void raise(const Diagnostics& errors);

template <typename T>
T taken(Result<T> result) {
  if (!result.ok()) raise(result.errors());
  return std::move(result).value();
}

/// Calls an internal function. Turns internal errors into errors that callers can catch.
template <typename Function>
auto guarded(const Function& function) {
  try {
    return function();
  } catch (const InternalError& error) {
    throw std::logic_error(
        fmt::format("internal error: {}\nThis is a bug in Ambit: please report it with the test.", error.what()));
  }
}

/// Sets the flag that the internal modules read when a stop token is triggered.
class StopFlag {
 public:
  explicit StopFlag(const std::stop_token& token)
      : callback_(token, [this] { flag_.store(true, std::memory_order_relaxed); }) {}
  const std::atomic<bool>& flag() const { return flag_; }

 private:
  std::atomic<bool> flag_{false};
  std::stop_callback<std::function<void()>> callback_;  // must follow flag_: the constructor may already set flag_
};

api::CheckingOptions checking_options(const Solving& solving);
sim::Options simulator_options(const Simulating& simulating);

}  // namespace AMBIT_NAMESPACE
