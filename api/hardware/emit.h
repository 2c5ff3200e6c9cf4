#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/source.h"
#include "core/program.h"
#include "runner/cuda/emit/layout.h"

namespace ambit::api {

/// The forms in which `ambit emit` prints a test.
enum class EmitForm : std::uint8_t {
  Cuda,     ///< the kernel of `ambit run` in CUDA C++
  Ptx,      ///< the output of NVRTC
  Sass,     ///< the machine code of the test's instructions
  Program,  ///< a CUDA C++ program with main that does not need Ambit
};

struct EmitRequest {
  std::string path;  ///< a file, or "-"
  EmitForm form = EmitForm::Cuda;
  std::uint32_t arch = 90;  ///< GPU architecture for PTX and machine code
  cuda::Shape shape;
};

/// The kernels that run the tests of a file on a GPU.
struct Emitted {
  std::string text;
  Diagnostics remarks;  ///< remarks from reading the tests
};
/// Errors: the file cannot be read; NVRTC or nvdisasm fails; the compiled code lacks some of the test's instructions; a
/// standalone program cannot express the test (docs/guide/standalone.md); a standalone program is requested for a file
/// with several tests.
Result<Emitted> emit(const EmitRequest& request, const std::atomic<bool>& interrupted);

/// Returns the program of one test of a file (docs/guide/standalone.md). Errors: a test that CUDA C++ cannot express.
Result<std::string> standalone_program(const SourceFilePtr& source, const Program& program);

/// The result of write_programs.
struct WrittenPrograms {
  std::size_t written = 0;
  Diagnostics errors;   ///< tests that CUDA C++ cannot express, files that cannot be read, two tests with the same name
  Diagnostics remarks;  ///< remarks from reading the tests
};
/// Writes the program of each test in a folder to NAME.cu in `output`, an existing folder. Errors: the folder cannot be
/// read; `interrupted` was set.
Result<WrittenPrograms> write_programs(const std::string& folder, const std::string& output,
                                       const std::atomic<bool>& interrupted);

}  // namespace ambit::api
