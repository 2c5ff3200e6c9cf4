#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parser/cuda/launch/device_code.h"
#include "parser/cuda/launch/host_arrays.h"
#include "parser/cuda/launch/host_function.h"
#include "parser/cuda/launch/host_uses.h"
#include "parser/cuda/launch/host_values.h"
#include "parser/cuda/syntax/token.h"
#include "parser/cuda/syntax/unit.h"
#include "parser/text/reporter.h"

namespace ambit::parser::cuda {

/// The memory that a host function allocates and passes to a launch, and the contents of this memory at the launch.
class HostMemory {
 public:
  HostMemory(const HostFunction& function, const HostUses& uses, HostValues& values, const Unit& unit,
             DeviceCode& device, Reporter& reporter)
      : function_(function),
        uses_(uses),
        values_(values),
        arrays_(function, uses, values, device),
        unit_(unit),
        device_(device),
        reporter_(reporter) {}

  /// Starts to declare the memory of the launch at `name`. The launch's arguments end at `end`.
  void begin_launch(std::size_t name, std::size_t end);
  /// Sets the stream of the launch. The host must wait for writes in other streams before the launch.
  void set_stream(const Tokens& stream);

  /// Declares the memory that a host pointer points to. The pointer is declared at `declared` and passed to a kernel as
  /// `name`. Errors: the pointer has no allocation or several allocations; a use of the pointer between its declaration
  /// and the launch is not supported.
  void declare(const Token& name, std::size_t declared, const Pieces& parameter);

  /// Returns the declarations `__device__ T d[(bytes) / sizeof(T)] = {...};` of all declared memory.
  Pieces take() { return std::move(memory_); }
  /// Returns whether an error was reported.
  bool failed() const { return failed_; }

 private:
  /// The pointer whose memory is being declared.
  struct Pointer {
    std::string name;
    std::size_t declared = 0;
    Pieces type;                  ///< the type of an element
    std::size_t allocation = 0;   ///< index of cudaMalloc
    Tokens bytes;                 ///< the allocated size
    std::optional<Pieces> holds;  ///< initial values; zeros if not set
    bool repeats = false;         ///< whether the remaining elements equal the last value in `holds`
    bool is_opaque = false;       ///< whether Ambit ignores the contents, because the type is floating-point
  };

  bool is_kept(const Token& name, std::size_t declared, const Pieces& parameter);
  bool find_allocation(const Token& name, Pointer& pointer);
  void emit(const Token& name, const Pointer& pointer);
  bool read_use(std::size_t place, Pointer& pointer);
  bool read_call(const HostArgument& call, Pointer& pointer);
  bool memory_set(const HostArgument& call, Pointer& pointer);
  bool memory_copy(const HostArgument& call, Pointer& pointer);
  bool check_write(const HostArgument& call, const Pointer& pointer);
  bool has_nonblocking_streams() const;
  bool is_waited_for(const HostArgument& call) const;
  std::optional<std::size_t> copied_variable(const HostArgument& call) const;
  Tokens measure(std::size_t declared, SourceSpan span);
  bool has_elements_of(std::size_t declared, const Pointer& pointer);
  bool is_same_size(const Tokens& a, std::size_t at_a, const Tokens& b, std::size_t at_b);
  std::vector<Tokens> arguments(const HostArgument& call) const;
  bool calls_any_of(const HostArgument& call, std::initializer_list<std::string_view> names) const;
  bool fail(SourceSpan span, std::string message, std::string hint = std::string(kLaunchForm));

  const HostFunction& function_;
  const HostUses& uses_;
  HostValues& values_;
  HostArrays arrays_;
  std::size_t end_ = 0;  ///< index of the launch
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  std::vector<Range> launches_;  ///< tokens of the launches so far, including arguments
  const Unit& unit_;
  std::string stream_ = "0 ";
  DeviceCode& device_;
  Reporter& reporter_;
  Pieces memory_;
  /// Maps the declaration of a host variable to the first launch that receives the variable.
  std::map<std::size_t, std::size_t> declared_;
  bool failed_ = false;
};

}  // namespace ambit::parser::cuda
