#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parser/cat/rules_lowering.h"

namespace ambit::parser::cat {

/// The statements of a model and its includes, in the order in which they take effect.
struct FlatModel {
  struct Entry {
    const Statement* statement;
    const Unit* unit;
  };
  std::vector<Entry> entries;
  std::vector<std::shared_ptr<const File>> files;  ///< the files that own the statements; the model file is first
  std::vector<std::unique_ptr<Unit>> units;        ///< one unit for each file
  Diagnostics errors;                              ///< syntax errors, and errors of includes whose files cannot be read
};

/// The options that the user has chosen. Errors about these options have the place `where` in `origin`.
struct Choice {
  const std::map<std::string, std::string>& options;
  SourceFilePtr origin;
  SourceSpan where;
};

/// Turns statements into rules. Declares options, resolves names, removes unused definitions, and infers whether each
/// name of a `let rec` is a set or a relation.
Result<std::shared_ptr<const rules::Rules>> resolve(const FlatModel& model, const Choice& choice);

/// Returns the name of a model file: "mine" for "models/mine.cat" and "<mine.cat>".
std::string model_name(const std::string& path);
/// Returns the source file that represents the command line in errors.
SourceFilePtr command_line();
/// Returns whether `model` is the path of a model file: it contains '/' or ends in ".cat".
bool is_model_file(std::string_view model);

}  // namespace ambit::parser::cat
