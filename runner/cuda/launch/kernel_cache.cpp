#include "runner/cuda/launch/kernel_cache.h"

#include <fmt/format.h>
#include <unistd.h>
#include <uuid/uuid.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace ambit::cuda {
namespace fs = std::filesystem;

std::string KernelCache::default_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    return (fs::path(cache) / "ambit" / "kernels").string();
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    return (fs::path(home) / ".cache" / "ambit" / "kernels").string();
  }
  return {};
}

std::string KernelCache::key(const std::string& source, const std::string& options) {
  const std::string all = options + '\n' + source;
  uuid_t space;
  uuid_t hash;
  uuid_generate_sha1(space, *uuid_get_template("oid"), "ambit kernel", 12);
  uuid_generate_sha1(hash, space, all.data(), all.size());
  std::array<char, 37> text{};
  uuid_unparse_lower(hash, text.data());
  return text.data();
}

std::string KernelCache::path(const std::string& key) const { return (fs::path(folder_) / (key + ".cubin")).string(); }

std::optional<std::string> KernelCache::find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  std::ifstream in(path(key), std::ios::binary);
  if (!in) return std::nullopt;
  std::string cubin{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!cubin.starts_with("\x7f"
                         "ELF"))
    return std::nullopt;
  return cubin;
}

void KernelCache::keep(const std::string& key, const std::string& cubin) const {
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  const std::string whole = path(key);
  const std::string part = fmt::format("{}.{}", whole, getpid());
  {
    std::ofstream out(part, std::ios::binary);
    out << cubin;
    if (!out) error = std::make_error_code(std::errc::io_error);
  }
  if (!error) fs::rename(part, whole, error);
  if (error) fs::remove(part, error);
}

}  // namespace ambit::cuda
