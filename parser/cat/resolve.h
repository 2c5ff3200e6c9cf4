#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parser/cat/rules_lowering.h"

namespace ambit::parser::cat {

/// A model's text with its includes in place: statements in the order in which they take effect.
struct FlatModel {
  struct Entry {
    const Statement* statement;
    const Unit* unit;
  };
  std::vector<Entry> entries;
  std::vector<std::shared_ptr<const File>> files;  ///< owns the statements; the model itself first
  std::vector<std::unique_ptr<Unit>> units;        ///< one a file
};

/// Options asked for, and where (for errors).
struct Choice {
  const std::map<std::string, std::string>& options;
  SourceFilePtr origin;
  SourceSpan where;
};

/// Statements to rules: declares options, resolves names, solves `let rec` kinds, prunes what nothing uses.
Result<std::shared_ptr<const rules::Rules>> resolve(const FlatModel& model, const Choice& choice);

/// "models/mine.cat" and "<mine.cat>" are "mine".
std::string model_name(const std::string& path);
/// The file that an error on the command line points at.
SourceFilePtr command_line();
/// Whether a model is named by the path of its file: it contains '/' or ends in ".cat".
bool is_model_file(std::string_view model);

}  // namespace ambit::parser::cat
