#pragma once

#include <span>
#include <string_view>

namespace ambit::rules {

/// A model file of model/cat. The program contains its text, so that it needs no files at run time.
struct ShippedFile {
  std::string_view name;  ///< "ptx.cat"
  std::string_view text;
};

/// Returns all shipped files in order of their names, with the files that models include ("stdlib.cat").
std::span<const ShippedFile> shipped_files();
/// Returns the names of the shipped models, without ".cat", in the order of model/cat/models.txt. Files that are only
/// included by others are not models.
std::span<const std::string_view> shipped_models();
/// Returns whether the source of a shipped model gives no meaning to programs with a race (definitions 1.1).
bool leaves_races_undefined(std::string_view model);

}  // namespace ambit::rules
