#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/source.h"
#include "parser/text/reporter.h"
#include "parser/text/syntax_tree.h"
#include "parser/text/token_origins.h"

namespace ambit::parser {

/// What a text is read as, from some place on.
enum class Part : std::uint8_t {
  Body,      ///< a CUDA litmus test after its header
  Tail,      ///< conditions and expectations: a PTX litmus file after its columns
  Commands,  ///< assert, permit and check: a .test file after its threads
  Outcome,   ///< one proposition and nothing else: an option of the command line
};

/// Text to abstract syntax, from byte offset `begin` on; nothing when there are errors. The words of the result are
/// slices of the source. `origins`: where the words of a text that was laid out from another one stand in that one;
/// null where the text itself was written.
std::optional<FileNode> read_file(const SourceFile& source, std::size_t begin, Part part, Reporter& reporter,
                                  const TokenOrigins* origins = nullptr);

}  // namespace ambit::parser
