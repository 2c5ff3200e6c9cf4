#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/rules/rules.h"
#include "model/verdict/verdict.h"
#include "tests/compiled_kernels/random_kernel.h"

namespace ambit::compiled_kernels {

/// Splits the PTX of many kernels into modules with one kernel each.
class KernelModules {
 public:
  /// `text` is the PTX of random kernels from nvcc -lineinfo.
  explicit KernelModules(std::string text);

  /// Returns a module with the named kernel and its variables; empty if the kernel does not exist.
  std::string module_of(const std::string& kernel) const;

 private:
  std::vector<std::string> lines_;
  std::size_t first_kernel_ = 0;
  std::size_t tail_ = 0;  ///< position of .file, after which no kernel follows
};

/// A kernel, and the line where it begins in a source of many kernels. The PTX has the line numbers of that source.
struct PlacedKernel {
  RandomKernel kernel;
  unsigned line = 1;  ///< line where RandomKernel::text begins
};
/// Returns the kernels of `count` consecutive seeds.
std::vector<PlacedKernel> random_kernels(std::uint64_t seed, std::uint64_t count);
/// Returns the source of the kernels.
std::string source_of(const std::vector<PlacedKernel>& kernels);

struct Options {
  unsigned runs = 60;       ///< number of runs on the virtual GPU
  unsigned timeout = 3000;  ///< milliseconds for each check
};

struct Comparison {
  enum class Kind {
    Agreed,
    Refused,    ///< the reader of compiled kernels refuses the kernel
    Skipped,    ///< a check takes too long, or the source reader refuses the kernel
    Explained,  ///< a known difference: the compiler changed racing accesses, or barracuda's rules differ from PTX
    Disagreed
  } kind = Kind::Agreed;
  std::string what;
};

/// Under the model ptx, compares a kernel's source with its compiled form, and both with runs on the virtual GPU. The
/// source must have every outcome of the compiled form. The compiled form must race if and only if the source races.
/// The compiled form must also have the outcome of every run on the virtual GPU, and every race that barracuda reports
/// in these runs.
class KernelComparer {
 public:
  explicit KernelComparer(Options options);

  Comparison compare(const PlacedKernel& placed, const std::string& module);

 private:
  struct Reading;
  Reading read(const PlacedKernel& placed, const std::string& module);

  Options options_;
  std::shared_ptr<const rules::Rules> ptx_;
  verdict::Checker checker_;
};

}  // namespace ambit::compiled_kernels
