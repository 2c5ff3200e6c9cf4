#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/source.h"
#include "parser/text/reporter.h"

namespace ambit::parser {

/// The text before the first declaration: `CUDA name` or `PTX name`, quoted texts, Key=Value lines.
struct Header {
  std::string name;
  std::string description;  ///< the quoted texts that are not URLs; each text is one line
  /// The Key=Value lines. The quoted URLs, separated by blanks, are the value of the key "URL".
  std::map<std::string, std::string> metadata;
  std::size_t end = 0;  ///< byte offset of the beginning of the body
};

/// Returns the first word of the text, after blanks and comments; an empty string if the text does not begin with a
/// word.
std::string_view first_word(const SourceFile& source);

/// Returns whether the text is a CUDA source (docs/reference/cuda-sources.md). The file's extension determines the
/// result. If the file has no extension, for example a pipe, the contents determine the result.
bool is_cuda_source(const SourceFile& source);

/// Reads the header. Error: the file is empty, or does not begin with `CUDA name` or `PTX name`.
std::optional<Header> read_header(const SourceFile& source, Reporter& reporter);

/// Returns the line and column of a byte offset.
SourceSpan span_at(const std::string& text, std::size_t offset, std::size_t length);

}  // namespace ambit::parser
