#pragma once

#include <optional>
#include <string>

namespace ambit::cuda {

/// Compiled kernels on disk, each in a file named by what it was made from: in ambit/kernels of XDG_CACHE_HOME, or of
/// ~/.cache. Files appear whole or not at all, so that several processes can share it.
class KernelCache {
 public:
  /// No folder: nothing is kept and nothing is found.
  explicit KernelCache(std::string folder) : folder_(std::move(folder)) {}
  /// The user's cache; empty when there is no home.
  static std::string default_folder();

  /// The name for a kernel: a version 5 UUID of everything that the compiled code depends on.
  static std::string key(const std::string& source, const std::string& options);

  std::optional<std::string> find(const std::string& key) const;
  /// Best effort: a cache that cannot be written is a slower one.
  void keep(const std::string& key, const std::string& cubin) const;

 private:
  std::string path(const std::string& key) const;
  std::string folder_;
};

}  // namespace ambit::cuda
