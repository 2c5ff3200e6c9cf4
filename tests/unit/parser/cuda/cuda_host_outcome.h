#pragma once

#include <memory>
#include <string>

#include "parser/parse.h"

namespace ambit::parser {

/// Reads `text` as if it were the file host.cu.
inline Result<std::shared_ptr<const Program>> read(const std::string& text) {
  return parse_program(std::make_shared<const SourceFile>(SourceFile{"host.cu", text}));
}

/// Returns the place and message of the first error, such as "4:12 what".
inline std::string first_error(const Diagnostics& errors) {
  const Diagnostic& first = errors.front();
  return std::to_string(first.span.line) + ":" + std::to_string(first.span.column) + " " + first.message;
}

/// Returns the initial values of all cells, "d[0]=0 d[1]=5", or the first error.
inline std::string outcome(const std::string& text) {
  const auto result = read(text);
  if (!result.ok()) return first_error(result.errors());
  std::string cells;
  for (const Location& cell : result.value()->locations) {
    cells += (cells.empty() ? "" : " ") + cell.name + "=" + std::to_string(cell.initial);
  }
  return cells;
}

/// Returns whether the first error is at `place`, such as "4:12", and contains `part`.
inline bool is_error(const std::string& text, const std::string& place, const std::string& part) {
  return text.starts_with(place + " ") && text.find(part) != std::string::npos;
}

}  // namespace ambit::parser
