#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "core/program.h"
#include "parser/cuda/launch/kernel_stubs.h"
#include "parser/text/program_options.h"
#include "parser/text/token_origins.h"

namespace ambit::parser::litmus {
class ThreadMaker;
}

namespace ambit::parser::cuda {

/// Reads a CUDA source (docs/reference/cuda-sources.md): device code, one launch, `ambit:` comments. `source` must have
/// passed check_text. `maker` makes the threads of the launch; if it is null, the threads have the code of the source's
/// kernels. `stubs` replaces kernel bodies that Ambit does not read, and requires `maker`; if `stubs` is null, Ambit
/// reads all device code.
Result<std::shared_ptr<const Program>> read_program(const SourceFilePtr& source, const ProgramOptions& options,
                                                    litmus::ThreadMaker* maker = nullptr,
                                                    const KernelStubs* stubs = nullptr);

/// Returns an example of a launch of `kernel`, or of the first kernel if `kernel` is empty. Each array has one element
/// for each thread. Each number is 1. Returns an empty string if the file does not have the kernel.
std::string example_launch(const SourceFilePtr& source, const ProgramOptions& options, std::string_view kernel = {});

/// A CUDA source that has been translated into the litmus language.
struct LitmusText {
  SourceFile text;
  std::vector<TokenOrigin> origins;  ///< the places of the text's words in the CUDA source
  /// The part of the text after the device code: the memory that the host allocates, and the launches.
  std::string launch;
};
/// Translates a CUDA source into the litmus language. Reports the errors of read_program, except errors about
/// instructions.
Result<LitmusText> litmus_text(const SourceFilePtr& source, const ProgramOptions& options);

}  // namespace ambit::parser::cuda
