#pragma once

#include <memory>

#include "base/source.h"
#include "core/program.h"
#include "parser/compiled/flat_code.h"
#include "parser/text/program_options.h"

namespace ambit::parser::compiled {

/// Returns whether a file is PTX: its name ends in .ptx, or its text begins with .version.
bool is_module(const SourceFile& source);

/// Returns whether the file has a comment `// ambit: launch ...`.
bool has_launch_comment(const SourceFile& source);

/// Reads a module of PTX with the launch in ProgramOptions::launch, for example `k<<<2, 32>>>(data[4], 7)`. `data[N]`
/// allocates N elements. The kernel's accesses determine the type of the elements: a number, or a struct with a field
/// fB for each accessed byte B. Comments `// ambit: ...` contain conditions and expectations. Errors: the PTX is
/// malformed; there is no launch; accesses to the same bytes have different sizes; memory contains addresses; an
/// instruction is not supported.
Result<std::shared_ptr<const Program>> read_module(const SourceFilePtr& source, const ProgramOptions& options);

/// Like read_module(), but for a module that a compiler made from `source`. `places` maps instructions to places in
/// `source`.
Result<std::shared_ptr<const Program>> read_module_of(const SourceFilePtr& source, const assembly::Module& module,
                                                      const Places& places, const ProgramOptions& options);

}  // namespace ambit::parser::compiled
