#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "core/source.h"
#include "parser/litmus_reporter.h"

namespace ambit::parser::litmus {

/// What stands before the first declaration: `CUDA name`, quoted text, Key=Value lines.
struct Header {
  std::string name;
  std::string description;
  std::map<std::string, std::string> metadata;
  std::size_t end = 0;  ///< byte offset at which the body begins
};

/// Reads the header. Errors (then nothing is returned): the file is empty, is PTX or a .test file, or does not begin
/// with `CUDA name`.
std::optional<Header> read_header(const SourceFile& source, Reporter& reporter);

/// Line and column of a byte offset.
SourceSpan span_at(const std::string& text, std::size_t offset, std::size_t length);

}  // namespace ambit::parser::litmus
