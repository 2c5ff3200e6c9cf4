#pragma once

#include <span>
#include <string_view>

namespace ambit::rules {

/// A model file in model/cat. The program contains the file's text, so that no files are read at run time.
struct ShippedFile {
  std::string_view name;  ///< "ptx.cat"
  std::string_view text;
};

/// Returns all shipped files in the order of their names, including the files that models include ("stdlib.cat").
std::span<const ShippedFile> shipped_files();
/// Returns the names of the shipped models, without ".cat", in the order of model/cat/models.txt. A file that other
/// files merely include is not a model.
std::span<const std::string_view> shipped_models();
/// Returns whether a shipped model's source leaves programs with a race undefined (definitions 1.1).
bool leaves_races_undefined(std::string_view model);

}  // namespace ambit::rules
