#pragma once

#include <span>
#include <string_view>

namespace ambit::rules {

/// A model file of model/cat, compiled into the program so that it needs no files at run time.
struct ShippedFile {
  std::string_view name;  ///< "ptx.cat"
  std::string_view text;
};

/// All shipped files by name, includes among them ("stdlib.cat").
std::span<const ShippedFile> shipped_files();
/// Those that are models (not only included by others), by name without ".cat".
std::span<const std::string_view> shipped_models();

}  // namespace ambit::rules
