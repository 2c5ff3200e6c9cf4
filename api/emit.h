#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/program.h"
#include "core/source.h"
#include "runner/cuda/layout.h"

namespace ambit::api {

/// The forms in which `ambit emit` prints a test.
enum class EmitForm : std::uint8_t {
  Cuda,     ///< the kernel of `ambit run` in CUDA C++
  Ptx,      ///< what NVRTC compiles it to
  Sass,     ///< the machine code of the test's instructions
  Program,  ///< a CUDA C++ program with main that needs nothing of Ambit
};

struct EmitRequest {
  std::string path;  ///< a file, or "-"
  EmitForm form = EmitForm::Cuda;
  std::uint32_t arch = 90;  ///< the GPU architecture, for PTX and machine code
  cuda::Shape shape;
};

/// The kernels that run the tests of a file on a GPU.
struct Emitted {
  std::string text;
  Diagnostics remarks;  ///< of the reader of the tests
};
/// Errors: of the file; of NVRTC or nvdisasm; compiled code without some of the test's instructions; what a whole
/// program cannot say (docs/standalone.md), or several tests in the file, which a program does not hold.
Result<Emitted> emit(const EmitRequest& request, const std::atomic<bool>& interrupted);

/// The program of one test of a file (docs/standalone.md). Errors: what CUDA C++ cannot say.
Result<std::string> standalone_program(const SourceFilePtr& source, const Program& program);

/// What write_programs did.
struct WrittenPrograms {
  std::size_t written = 0;
  Diagnostics errors;   ///< of tests that CUDA C++ cannot say, of files that cannot be read, two tests of one name
  Diagnostics remarks;  ///< of the reader of the tests
};
/// Writes the programs of all tests of a folder to files NAME.cu in `output`, a folder that exists. Errors: the folder
/// cannot be read; `interrupted`.
Result<WrittenPrograms> write_programs(const std::string& folder, const std::string& output,
                                       const std::atomic<bool>& interrupted);

}  // namespace ambit::api
