#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/source.h"

namespace ambit::cuda {

/// NVIDIA's runtime compiler. Ambit opens the library on demand. The compiler needs no GPU, no driver and no header.
class Nvrtc {
 public:
  /// Opens the library: the path in AMBIT_NVRTC if set, otherwise libnvrtc.so of CUDA 13 or 12 in the loader's path,
  /// CUDA_HOME or /usr/local/cuda. Errors: the library is not found; the message lists the searched places.
  static Result<std::shared_ptr<const Nvrtc>> open();
  ~Nvrtc();
  Nvrtc(const Nvrtc&) = delete;
  Nvrtc& operator=(const Nvrtc&) = delete;

  /// Returns the version, for example "13.0".
  std::string version() const;
  /// Returns the path of the library.
  const std::string& path() const { return path_; }

  struct Code {
    std::string ptx;
    std::string cubin;
    double milliseconds = 0;
  };
  /// The result of a compilation.
  enum class Target : std::uint8_t {
    Ptx,
    Machine,
    MachineWithLines,  ///< machine code with the source line of each instruction
  };
  /// Compiles a kernel for compute capability `arch` (75 means sm_75). With `is_specific`, the kernel may use features
  /// that only this architecture has (90 means sm_90a). Errors: the compiler's errors, each with its source line.
  Result<Code> compile(const std::string& source, const std::string& name, std::uint32_t arch,
                       Target target = Target::Machine, bool is_specific = false) const;

 private:
  struct Functions;
  Nvrtc(void* library, std::string path, std::unique_ptr<Functions> functions);
  void* library_;
  std::string path_;
  std::unique_ptr<Functions> functions_;
};

}  // namespace ambit::cuda
