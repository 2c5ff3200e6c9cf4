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
  std::vector<std::shared_ptr<const File>> files;  ///< own the statements; the model file is first
  std::vector<std::unique_ptr<Unit>> units;        ///< one per file
  Diagnostics errors;                              ///< of syntax, and of includes that cannot be followed
};

/// The requested options, with their place for errors.
struct Choice {
  const std::map<std::string, std::string>& options;
  SourceFilePtr origin;
  SourceSpan where;
};

/// Turns statements into rules: declares options, resolves names, infers the kinds of `let rec`, removes unused
/// definitions.
Result<std::shared_ptr<const rules::Rules>> resolve(const FlatModel& model, const Choice& choice);

/// Returns the name of a model file: "mine" for "models/mine.cat" and "<mine.cat>".
std::string model_name(const std::string& path);
/// Returns the source file of errors on the command line.
SourceFilePtr command_line();
/// Returns whether `model` is the path of a model file: it contains '/' or ends in ".cat".
bool is_model_file(std::string_view model);

}  // namespace ambit::parser::cat
