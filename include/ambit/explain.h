// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ambit/draw.h>
#include <ambit/export.h>
#include <ambit/limits.h>
#include <ambit/model.h>
#include <ambit/test.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace AMBIT_NAMESPACE {

/// Says whether the model allows the outcome or the race.
enum class Possibility : std::uint8_t { Impossible, Possible, Unknown };
/// "Impossible", "Possible", "Unknown".
AMBIT_API std::string_view to_string(Possibility possibility);

/// Explains why a model allows or forbids an outcome, or why a program has a race or has none. Immutable and cheap to
/// copy.
class AMBIT_API Explanation {
 public:
  Possibility possibility() const;
  /// Returns the explanation in plain English, at most 40 lines.
  std::string text() const;
  /// Like text(), but with every path, pair and step.
  std::string full_text() const;
  /// Returns the explanation as `ambit explain --json` prints it (docs/reference/cli/explain.md).
  std::string json() const;

 private:
  friend struct Internals;
  struct Content;
  explicit Explanation(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
  std::shared_ptr<const Content> content_;
};

struct ExplainOptions {
  /// The outcome to explain: "P1:r0 == 1 && x == 2". If absent, Ambit explains the answer to the test's own question
  /// (its condition or its race).
  std::optional<std::string> outcome = std::nullopt;
  bool race = false;  ///< explain the race instead of an outcome
  Solving solving = {};
};

/// Explains a model's answer about a test. Throws Error.
AMBIT_API Explanation explain(const Test& test, const Model& model, const ExplainOptions& options = {});

/// Draws the execution of an explanation. `all` adds initial values and every pair of rf, co and fr. Returns nothing if
/// there is no execution to draw.
AMBIT_API std::optional<Picture> draw(const Explanation& explanation, bool all = false);

}  // namespace AMBIT_NAMESPACE
