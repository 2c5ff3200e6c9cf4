#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/context.h"
#include "base/source.h"
#include "runner/cudart/abi.h"
#include "runner/cudart/waiting_host.h"
#include "runner/shadow/watch.h"
#include "runner/virtual/device.h"

namespace ambit::cudart {

/// Returns a pointer of the program as a number, which is the form of device addresses.
inline std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

const char* error_name(int error);
const char* error_text(int error);

/// A fat binary that the program has registered.
struct Binary {
  const FatBinaryWrapper* wrapper = nullptr;
  std::optional<std::uint32_t> module;  ///< number of the module on the device, if the module has been loaded
  Error failure = cudaSuccess;          ///< reason why the binary cannot be loaded; reported once
};

/// A kernel that the program has registered (cudaKernel_t, cudaFunction_t).
struct Kernel {
  Binary* binary = nullptr;
  std::string name;
  int maximum_dynamic_shared_bytes = 48 << 10;
};

/// A variable that the program has registered.
struct HostVariable {
  Binary* binary = nullptr;
  std::string name;
  std::uint64_t bytes = 0;
  void** managed = nullptr;  ///< for a __managed__ variable: the place where the program expects the variable's address
};

/// A launch that the program requests.
struct LaunchRequest {
  const void* function = nullptr;  ///< address of the kernel's host function, or of a Kernel object
  Dim3 grid;
  Dim3 block;
  Dim3 cluster;
  void** arguments = nullptr;
  std::size_t dynamic_shared_bytes = 0;
  void* stream = nullptr;
  bool is_cooperative = false;
};

/// Returns the number of a stream in shadow::StreamOrder.
std::uint64_t stream_number(const void* stream);

/// The state of the program that has loaded this library. All threads of the program may call the runtime; each call
/// takes the session's lock. A process has one session. The session is never destroyed, because the program's own
/// destructors may still call the runtime.
class Session {
 public:
  static Session& get();

  std::recursive_mutex& lock() { return lock_; }
  virtual_gpu::Device& device() { return device_; }
  virtual_gpu::Memory& memory() { return device_.memory(); }
  shadow::Watch& watch() { return *watch_; }
  WaitingHost& waiting_host() { return waiting_host_; }

  // ---- registration ----
  Binary* add_binary(const FatBinaryWrapper* wrapper);
  void add_kernel(const void* function, Binary* binary, std::string name) {
    kernels_[function] = {binary, std::move(name)};
  }
  void add_variable(const void* variable, HostVariable what) { variables_[variable] = std::move(what); }
  /// Returns the kernel with this handle or host function, or null if no such kernel was registered. The address in
  /// `function` is the handle or the host function that launches the kernel.
  Kernel* find_kernel(const void* function);
  /// Finds a kernel and loads its module. Returns an error if there is no such kernel or its module cannot be loaded.
  Error loaded_kernel(const void* function, Kernel*& kernel, const virtual_gpu::KernelInfo*& info);
  /// Finds the variable's place on the device.
  Error find_symbol(const void* variable, virtual_gpu::Symbol& symbol);
  /// Stores the addresses of the program's __managed__ variables.
  void place_managed_variables();

  // ---- launches ----
  Error launch(const LaunchRequest& request);

  // ---- errors ----
  /// Stores the error for cudaGetLastError and returns it.
  Error note(Error error);
  Error sticky() const { return sticky_; }
  Error take_last_error();
  Error peek_last_error() const;
  /// Reports that a function is missing, once for each function.
  Error not_supported(const char* function);

  /// Returns a number that no earlier stream has.
  std::uint64_t number_of_new_stream() { return ++streams_; }

  /// Host memory that this library has allocated, indexed by address.
  std::unordered_map<void*, std::uint64_t>& host_memory() { return host_memory_; }

 private:
  Session();
  Error load(Binary& binary);
  Result<std::shared_ptr<const ptx::Module>> module_of(const Binary& binary) const;
  Error check_shape(const LaunchRequest& request, const Kernel& kernel, const virtual_gpu::KernelInfo& info);
  void end_if_host_waits(const std::string& kernel);
  Error end_of(const virtual_gpu::LaunchReport& report, const std::string& kernel);

  std::recursive_mutex lock_;
  shadow::WatchOptions options_;
  virtual_gpu::Device device_;
  Context context_;
  std::unique_ptr<shadow::Watch> watch_;
  std::vector<std::unique_ptr<Binary>> binaries_;
  std::unordered_map<const void*, Kernel> kernels_;
  std::unordered_map<const void*, HostVariable> variables_;
  std::unordered_map<void*, std::uint64_t> host_memory_;
  std::map<std::string, bool> named_missing_;
  std::uint64_t launches_ = 0;
  std::uint64_t streams_ = 0;  ///< number of streams created so far
  WaitingHost waiting_host_;
  Error sticky_ = cudaSuccess;
};

/// Takes the session's lock for one call of the runtime.
struct Call {
  Session& session = Session::get();
  std::lock_guard<std::recursive_mutex> guard{session.lock()};

  Call() { session.waiting_host().note_call(); }
};

}  // namespace ambit::cudart
