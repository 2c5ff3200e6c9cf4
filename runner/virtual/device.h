#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/context.h"
#include "base/source.h"
#include "runner/virtual/launch.h"
#include "runner/virtual/memory.h"
#include "runner/virtual/observer.h"

namespace ambit::ptx {
struct Module;
}

namespace ambit::virtual_gpu {

/// A variable of a loaded module that the host can see.
struct Symbol {
  std::string name;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  bool is_constant = false;
  std::uint32_t allocation = 0;  ///< number of its allocation in Memory
};

/// A parameter in a kernel's parameter buffer.
struct KernelParameter {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

/// Properties of a kernel that the host can query.
struct KernelInfo {
  std::string name;  ///< mangled name
  std::vector<KernelParameter> parameters;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t local_bytes = 0;         ///< bytes of local memory of a thread, only for the kernel's own frame
  std::uint32_t registers = 0;           ///< 32-bit registers that the PTX declares; a GPU needs no more
  std::uint32_t target = 0;              ///< 90 for sm_90
  std::uint32_t maximum_threads = 1024;  ///< limit on the threads of a block (.maxntid)
  Extent required_block{0, 0, 0};        ///< .reqntid; 0 if absent
  Extent required_cluster{0, 0, 0};      ///< .reqnctapercluster; 0 if absent
  std::uint64_t constant_bytes = 0;      ///< bytes of the module's constant memory
};

/// A place in the user's source code, or in a function that is inlined at this place.
struct SitePlace {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string function;  ///< the inlined function; empty for the outermost place
};

/// An instruction of a loaded module.
struct Site {
  std::string function;     ///< mangled name
  std::string instruction;  ///< text of the instruction without its operands
  std::string module;       ///< the module's name
  std::uint32_t ptx_line = 0;
  std::uint32_t ptx_column = 0;
  std::vector<SitePlace> places;  ///< the innermost place first; empty if compiled without -lineinfo
  std::size_t user_place = 0;     ///< index in `places` of the innermost place outside system headers
  /// Returns the user_place, such as "app.cu:12". If there are no places, returns a text such as "kernel, line 40 of
  /// the PTX".
  std::string text() const;
};

/// A GPU that executes PTX modules on this computer's processor. Not thread safe.
class Device {
 public:
  explicit Device(std::uint64_t memory_capacity = std::uint64_t{16} << 30U);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device();

  Memory& memory();
  const Memory& memory() const;
  /// Sets the observer that receives all events; null removes it. The observer must outlive the device or be replaced.
  void set_observer(Observer* observer);
  ExecutionOptions& options();

  /// Loads a module and gives its variables addresses and initial values. A function is translated when a launch first
  /// needs it. Errors: an .extern variable or function without a definition (link modules first, see ptx/).
  Result<std::uint32_t> load(std::shared_ptr<const ptx::Module> module);

  const std::vector<Symbol>& symbols(std::uint32_t module) const;
  /// Returns null if the module has no such variable.
  const Symbol* find_symbol(std::uint32_t module, std::string_view name) const;
  /// Returns the names of all kernels, in the module's order.
  std::vector<std::string> kernels(std::uint32_t module) const;
  /// Returns null if the module has no such kernel.
  const KernelInfo* find_kernel(std::uint32_t module, std::string_view name) const;

  /// Executes a kernel to its end. Errors: an unknown kernel, invalid dimensions, parameters of the wrong size, an
  /// unsupported instruction in the kernel or in a function that it can call. If there is an error, no instruction has
  /// been executed.
  Result<LaunchReport> launch(const Launch& launch, Context& context);

  /// Returns the instruction with this number (WarpAccess::site).
  Site site(std::uint32_t number) const;
  /// Returns the number of instructions that have been translated so far. All sites are smaller than this number.
  std::uint32_t site_count() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ambit::virtual_gpu
