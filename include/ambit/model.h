// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ambit/export.h>

#include <memory>
#include <string>
#include <vector>

namespace AMBIT_NAMESPACE {

/// An option of a model.
struct ModelOption {
  std::string name;
  std::vector<std::string> values;  ///< the first of these values is the default
  std::string meaning;
};

/// A memory model. Immutable and cheap to copy.
class AMBIT_API Model {
 public:
  /// Loads a shipped model ("ptx"), with options ("hrf-relaxed(rlx=acquire)"), or a .cat file. Throws Error.
  Model(const char* reference);         // NOLINT(google-explicit-constructor): check(test, {"sc", "ptx"})
  Model(const std::string& reference);  // NOLINT(google-explicit-constructor)
  /// Reads the text of a model. Throws Error.
  static Model parse(const std::string& text, const std::string& name = "<model>");

  /// Returns the name with the options that differ from the default: "hrf-relaxed(rlx=acquire)".
  std::string name() const;
  /// Returns a description of the model in one line.
  const std::string& title() const;
  std::vector<ModelOption> options() const;
  /// Returns whether the model defines races.
  bool speaks_of_races() const;

 private:
  friend struct Internals;
  struct Content;
  explicit Model(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
  std::shared_ptr<const Content> content_;
};

/// The shipped models.
AMBIT_API std::vector<Model> models();

}  // namespace AMBIT_NAMESPACE
