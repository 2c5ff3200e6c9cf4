#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/source.h"

namespace ambit::cuda {

/// NVIDIA's runtime compiler, opened when it is needed: no GPU, no driver and no header is.
class Nvrtc {
 public:
  /// Opens the library: the path in AMBIT_NVRTC if set, else libnvrtc.so of CUDA 13 or 12 where the loader or CUDA_HOME
  /// or /usr/local/cuda has it. Errors: none found, with the places that were looked at.
  static Result<std::shared_ptr<const Nvrtc>> open();
  ~Nvrtc();
  Nvrtc(const Nvrtc&) = delete;
  Nvrtc& operator=(const Nvrtc&) = delete;

  /// "13.0".
  std::string version() const;
  /// Where the library was found.
  const std::string& path() const { return path_; }

  struct Code {
    std::string ptx;
    std::string cubin;
    double milliseconds = 0;
  };
  /// How far a kernel is compiled.
  enum class Target : std::uint8_t {
    Ptx,
    Machine,
    MachineWithLines,  ///< the same code, with the line of the source behind each instruction
  };
  /// Compiles a kernel for compute capability `arch` (75: sm_75). Errors: the compiler's, each with the line of the
  /// source that it is about.
  Result<Code> compile(const std::string& source, const std::string& name, std::uint32_t arch,
                       Target target = Target::Machine) const;

 private:
  struct Functions;
  Nvrtc(void* library, std::string path, std::unique_ptr<Functions> functions);
  void* library_;
  std::string path_;
  std::unique_ptr<Functions> functions_;
};

}  // namespace ambit::cuda
