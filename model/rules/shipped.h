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
/// Returns the names of the shipped models, without ".cat". Files that are only included by others are not models.
std::span<const std::string_view> shipped_models();

}  // namespace ambit::rules
