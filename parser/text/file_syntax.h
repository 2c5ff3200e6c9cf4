#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/source.h"
#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"
#include "parser/text/token_origins.h"

namespace ambit::parser {

/// The part of the grammar that a text must match.
enum class Part : std::uint8_t {
  Body,      ///< a CUDA litmus test after its header
  Tail,      ///< the conditions and expectations after the columns of a PTX litmus file
  Commands,  ///< the assert, permit and check commands after the threads of a .test file
  Outcome,   ///< a single proposition, from an option of the command line
};

/// Parses a text from byte offset `begin` into abstract syntax. Omits the parts that have syntax errors
/// (FileNode::is_damaged). Returns nothing if no useful part remains, or if the text has an error that is not a syntax
/// error. The words of the result are slices of the source. `origins` maps the words of a generated text to places in
/// the original text. For a text that the user wrote, `origins` is null.
std::optional<FileNode> read_file(const SourceFile& source, std::size_t begin, Part part, Reporter& reporter,
                                  const TokenOrigins* origins = nullptr);

}  // namespace ambit::parser
