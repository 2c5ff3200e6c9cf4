#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/source.h"
#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"
#include "parser/text/token_origins.h"

namespace ambit::parser {

/// The part of the grammar that a text must match.
enum class Part : std::uint8_t {
  Body,      ///< a CUDA litmus test after its header
  Tail,      ///< conditions and expectations: a PTX litmus file after its columns
  Commands,  ///< assert, permit and check: a .test file after its threads
  Outcome,   ///< only one proposition: an option of the command line
};

/// Parses a text from byte offset `begin` on into abstract syntax. Syntax errors leave out the parts that they damaged
/// (FileNode::is_damaged); the result is nothing if too little is left or if there are other errors. The words of the
/// result are slices of the source. `origins` maps the words of a generated text to their places in the original
/// text; null for a text that the user wrote.
std::optional<FileNode> read_file(const SourceFile& source, std::size_t begin, Part part, Reporter& reporter,
                                  const TokenOrigins* origins = nullptr);

}  // namespace ambit::parser
