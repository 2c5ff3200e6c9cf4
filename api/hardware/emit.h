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
  Cuda,     ///< the CUDA C++ kernel that `ambit run` compiles
  Ptx,      ///< the PTX that NVRTC produces
  Sass,     ///< the machine code of the test's instructions
  Program,  ///< a CUDA C++ program that has its own main() and does not need Ambit
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

/// Returns the standalone program for one test (docs/guide/standalone.md). Errors: CUDA C++ cannot express the test.
Result<std::string> standalone_program(const SourceFilePtr& source, const Program& program);

/// The result of write_programs.
struct WrittenPrograms {
  std::size_t written = 0;
  Diagnostics errors;   ///< tests that CUDA C++ cannot express, files that cannot be read, two tests with the same name
  Diagnostics remarks;  ///< remarks from reading the tests
};
/// For each test in a folder, writes a program NAME.cu into the existing folder `output`. Errors: the folder cannot be
/// read; `interrupted` was set.
Result<WrittenPrograms> write_programs(const std::string& folder, const std::string& output,
                                       const std::atomic<bool>& interrupted);

}  // namespace ambit::api
