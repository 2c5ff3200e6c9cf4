#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "core/source.h"
#include "runner/cuda/layout.h"

namespace ambit::api {

/// The forms in which `ambit emit` prints a test.
enum class EmitForm : std::uint8_t {
  Cuda,  ///< CUDA C++
  Ptx,   ///< what NVRTC compiles it to
  Sass,  ///< the machine code of the test's instructions
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
/// Errors: of the file; of NVRTC or nvdisasm; compiled code without some of the test's instructions.
Result<Emitted> emit(const EmitRequest& request, const std::atomic<bool>& interrupted);

}  // namespace ambit::api
