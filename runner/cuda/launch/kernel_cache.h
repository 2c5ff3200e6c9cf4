#pragma once

#include <optional>
#include <string>

namespace ambit::cuda {

/// Compiled kernels on disk, in the folder ambit/kernels of XDG_CACHE_HOME or of ~/.cache. The name of a file is a hash
/// of the compiler's inputs. Files are created atomically, so that several processes can share the cache.
class KernelCache {
 public:
  /// An empty folder disables the cache.
  explicit KernelCache(std::string folder) : folder_(std::move(folder)) {}
  /// Returns the folder of the user's cache; empty if there is no home directory.
  static std::string default_folder();

  /// Returns the name for a kernel: a version 5 UUID of all data that affect the compiled code.
  static std::string key(const std::string& source, const std::string& options);

  std::optional<std::string> find(const std::string& key) const;
  /// Stores a kernel. Ignores write errors, because the next run can compile the kernel again.
  void keep(const std::string& key, const std::string& cubin) const;

 private:
  std::string path(const std::string& key) const;
  std::string folder_;
};

}  // namespace ambit::cuda
