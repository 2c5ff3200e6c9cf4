// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ambit/export.h>
#include <ambit/limits.h>
#include <ambit/model.h>
#include <ambit/test.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace AMBIT_NAMESPACE {

/// A model's verdict on one outcome.
enum class Permission : std::uint8_t { Forbidden, Allowed, Unknown };
/// "Forbidden", "Allowed", "Unknown".
AMBIT_API std::string_view to_string(Permission permission);

/// The final values of a test's observables.
struct Outcome {
  /// Values in the order of Test::observables; 64-bit unsigned values keep their bits.
  std::vector<std::int64_t> values;
  std::string text;                     ///< "P1:r0 == 1, P1:r1 == 0"
  bool holds = false;                   ///< whether the outcome satisfies the test's proposition
  std::vector<Permission> permissions;  ///< one verdict for each model
};

/// The outcomes that models allow.
struct OutcomesResult {
  std::vector<std::string> observables;
  std::vector<std::string> models;
  std::vector<std::string> unknown;  ///< for each model, why the list may be incomplete; empty if it is complete
  std::vector<Outcome> outcomes;     ///< outcomes that some model allows, sorted
  std::string text;                  ///< the outcomes as a table
  std::string json;                  ///< the output of `ambit outcomes --json` (docs/reference/json.md)
};

/// Finds the outcomes of a test that models allow. An empty `models` means the models that the test's expectations
/// name, or the default models if they name none. Throws Error.
AMBIT_API OutcomesResult outcomes(const Test& test, const std::vector<Model>& models = {}, const Solving& solving = {});

}  // namespace AMBIT_NAMESPACE
