#pragma once

#include <memory>

#include "core/program.h"
#include "core/source.h"
#include "parser/compiled/flat_code.h"
#include "parser/text/program_options.h"

namespace ambit::parser::compiled {

/// The text of a file is PTX: its name ends in .ptx, or it begins with .version.
bool is_module(const SourceFile& source);

/// Whether a comment `// ambit: launch ...` gives a launch.
bool has_launch_comment(const SourceFile& source);

/// Reads a module of PTX with the launch that ProgramOptions::launch gives, `k<<<2, 32>>>(data[4], 7)`. `data[N]`
/// allocates N elements; what an element is, the accesses of the kernel tell: a number, or a struct with a field fN for
/// each number at N bytes. Comments `// ambit: ...` hold conditions and expectations. Errors: malformed PTX; no launch;
/// accesses of different sizes to the same bytes; addresses in memory; instructions that are not supported.
Result<std::shared_ptr<const Program>> read_module(const SourceFilePtr& source, const ProgramOptions& options);

/// The same for a module that a compiler made of `source`; `places` are in it.
Result<std::shared_ptr<const Program>> read_module_of(const SourceFilePtr& source, const assembly::Module& module,
                                                      const Places& places, const ProgramOptions& options);

}  // namespace ambit::parser::compiled
