#pragma once

#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/program.h"
#include "core/source.h"
#include "runner/cuda/driver.h"
#include "runner/cuda/kernel.h"
#include "runner/cuda/kernel_cache.h"
#include "runner/cuda/nvrtc.h"

namespace ambit::cuda {

/// A kernel's code for a device.
struct KernelCode {
  std::string cubin;
  double milliseconds = 0;  ///< time to compile or find it
  bool is_new = false;      ///< it was not in the cache
};

/// Makes kernels' code for one device: from the cache, or compiled, checked and kept. Prepares the code of the next
/// tests on other threads.
class KernelMaker {
 public:
  /// `checks_machine_code`: does not use the cache, and also checks the machine code of every kernel.
  KernelMaker(DeviceInfo device, std::string driver_version, std::string cache_folder, bool checks_machine_code);

  /// From now on, keeps the code of every kernel in memory, for tests that run more than once.
  void keep_all() { keeps_all_ = true; }

  /// Errors: a device that is too old, no compiler, compiler errors, instructions that the compiler did not keep.
  Result<KernelCode> make(const Kernel& kernel, const Program& program);

  /// Begins to make a test's kernels of these shapes. `program` must live until make() was called for it, or until this
  /// is destroyed.
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
  std::mutex mutex_;  ///< of nvrtc_
  std::shared_ptr<const Nvrtc> nvrtc_;
  const Program* current_ = nullptr;  ///< the test of `ready_`
  Codes ready_;
  bool keeps_all_ = false;
  Codes kept_;
  std::map<const Program*, std::future<Codes>> ahead_;  ///< last member: the threads use the others
};

}  // namespace ambit::cuda
