#pragma once

#include <span>
#include <string_view>

namespace ambit::rules {

/// A model file of model/cat, compiled into the program so that it needs no files at run time.
struct ShippedFile {
  std::string_view name;  ///< "ptx.cat"
  std::string_view text;
};

/// Returns all shipped files in order of names, including files that models include ("stdlib.cat").
std::span<const ShippedFile> shipped_files();
/// Returns the names, without ".cat", of the files that are models. Files that are only included are not models.
std::span<const std::string_view> shipped_models();

}  // namespace ambit::rules
