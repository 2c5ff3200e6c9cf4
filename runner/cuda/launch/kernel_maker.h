#pragma once

#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/source.h"
#include "core/program.h"
#include "runner/cuda/emit/kernel.h"
#include "runner/cuda/launch/driver.h"
#include "runner/cuda/launch/kernel_cache.h"
#include "runner/cuda/launch/nvrtc.h"

namespace ambit::cuda {

/// A kernel's code for a device.
struct KernelCode {
  std::string cubin;
  double milliseconds = 0;  ///< time to compile the code or to find it in the cache
  bool is_new = false;      ///< the code was not in the cache
};

/// Makes the code of kernels for one device. Takes the code from the cache, or compiles, checks and stores the code.
/// Prepares the code of the next tests on other threads.
class KernelMaker {
 public:
  /// If `checks_machine_code` is true, compiles every kernel without the cache and checks its machine code.
  KernelMaker(DeviceInfo device, std::string driver_version, std::string cache_folder, bool checks_machine_code);

  /// Keeps the code of all kernels in memory after this call, for tests that run more than once.
  void keep_all() { keeps_all_ = true; }

  /// Returns the code of a kernel. Errors: a device that is too old, no compiler, compiler errors, instructions that
  /// the compiler did not keep.
  Result<KernelCode> make(const Kernel& kernel, const Program& program);

  /// Starts to make a test's kernels with the given shapes. `program` must live until make() is called for `program`,
  /// or until this object is destroyed.
  void make_ahead(const Program& program, std::vector<Shape> shapes);

 private:
  using Codes = std::map<std::string, KernelCode>;  ///< by KernelCache::key

  std::string key_of(const Kernel& kernel) const;
  Result<KernelCode> compile(const Kernel& kernel, const Program& program);
  Result<std::shared_ptr<const Nvrtc>> compiler();
  Codes make_all(const Program& program, const std::vector<Shape>& shapes);

  DeviceInfo device_;
  std::string driver_version_;
  KernelCache cache_;
  bool checks_machine_code_;
  std::mutex mutex_;  ///< guards nvrtc_
  std::shared_ptr<const Nvrtc> nvrtc_;
  const Program* current_ = nullptr;  ///< the test whose kernels are in `ready_`
  Codes ready_;
  bool keeps_all_ = false;
  Codes kept_;
  std::map<const Program*, std::future<Codes>> ahead_;  ///< must be last: the threads use the other members
};

}  // namespace ambit::cuda
