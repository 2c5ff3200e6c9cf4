#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/source.h"

namespace ambit::suite {

/// Returns the line and the column of a byte; both count from 1.
SourceSpan place_of(const std::string& text, std::size_t byte);

/// Finds the places of fields in a JSON text. A path such as "/arrays/out/direction" names a field.
class JsonPlaces {
 public:
  /// `text` must be valid JSON.
  explicit JsonPlaces(const std::string& text);

  /// Returns the place of a field's name. For a missing field, returns the place of the nearest existing field that
  /// would contain it, or the beginning of the text.
  SourceSpan of(std::string path) const;
  /// Returns the paths of fields that occur more than once in their object.
  const std::vector<std::string>& repeated() const { return repeated_; }

 private:
  const std::string& text_;
  std::map<std::string, std::size_t> fields_;  ///< maps a field's path to the byte where its name begins
  std::vector<std::string> repeated_;
};

}  // namespace ambit::suite
