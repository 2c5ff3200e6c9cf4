#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/source.h"

namespace ambit::suite {

/// Returns the line and column of a byte, from 1.
SourceSpan place_of(const std::string& text, std::size_t byte);

/// The places of the fields in a JSON text. A path names a field: "/arrays/out/direction".
class JsonPlaces {
 public:
  /// `text` must be valid JSON.
  explicit JsonPlaces(const std::string& text);

  /// Returns the place of a field's name. If there is no such field, returns the place of the nearest field that
  /// contains it; without such a field, the beginning of the text.
  SourceSpan of(std::string path) const;
  /// Returns the paths of fields that occur more than once in their object.
  const std::vector<std::string>& repeated() const { return repeated_; }

 private:
  const std::string& text_;
  std::map<std::string, std::size_t> fields_;  ///< maps a path to the byte of the name
  std::vector<std::string> repeated_;
};

}  // namespace ambit::suite
