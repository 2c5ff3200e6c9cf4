#include "runner/cudart/function_names.h"

#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/demangled.h"
#include "runner/cudart/fat_binary.h"
#include "runner/shadow/watch.h"

namespace ambit::cudart {
namespace {

/// The functions of one file, including functions that the file does not export.
class Symbols {
 public:
  explicit Symbols(const std::string& path) {
    auto table = elf_section(path, ".symtab");
    auto names = elf_section(path, ".strtab");
    if (table.ok()) table_ = std::move(table.value());
    if (names.ok()) names_ = std::move(names.value());
  }
  std::optional<std::string> at(std::uint64_t address) const {
    for (std::size_t begin = 0; begin + sizeof(Elf64_Sym) <= table_.size(); begin += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, table_.data() + begin, sizeof symbol);
      const bool is_function = ELF64_ST_TYPE(symbol.st_info) == STT_FUNC;
      if (!is_function || address < symbol.st_value || address - symbol.st_value >= symbol.st_size) continue;
      if (symbol.st_name >= names_.size()) continue;
      const auto* name = reinterpret_cast<const char*>(names_.data()) + symbol.st_name;
      return std::string(name, strnlen(name, names_.size() - symbol.st_name));
    }
    return std::nullopt;
  }

 private:
  std::vector<std::byte> table_;
  std::vector<std::byte> names_;
};

/// Returns the functions of a file. Reads each file once. Requires the session's lock.
const Symbols& symbols_of(const std::string& path) {
  static std::map<std::string, std::unique_ptr<Symbols>>* const known =
      new std::map<std::string, std::unique_ptr<Symbols>>();  // NOLINT: lives as long as the process
  std::unique_ptr<Symbols>& symbols = (*known)[path];
  if (symbols == nullptr) symbols = std::make_unique<Symbols>(path);
  return *symbols;
}

/// Returns whether the address is in this library.
bool is_own(const void* address) {
  Dl_info info;
  Dl_info own;
  if (dladdr(address, &info) == 0 || dladdr(reinterpret_cast<const void*>(&is_own), &own) == 0) return false;
  return info.dli_fbase == own.dli_fbase;
}

std::string without_parameters(const std::string& name) {
  const std::string unnamed = "(anonymous namespace)";
  std::size_t at = name.find('(');
  while (at != std::string::npos && name.compare(at, unnamed.size(), unnamed) == 0) at = name.find('(', at + 1);
  return at == std::string::npos || at == 0 ? name : name.substr(0, at);
}

}  // namespace

std::string calling_function() {
  constexpr int kMostFrames = 12;
  void* frames[kMostFrames];
  const int count = backtrace(frames, kMostFrames);
  for (int i = 0; i < count; ++i) {
    if (is_own(frames[i])) continue;
    const std::string name = function_at(frames[i]);
    // Skips wrappers in CUDA's headers, such as cudaMalloc<int>(int**, unsigned long), which calls cudaMalloc.
    if (!name.starts_with("cudaError ") && !name.starts_with("cuda")) return without_parameters(name);
  }
  return {};
}

std::string function_at(const void* address) {
  Dl_info info;
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return {};
  if (info.dli_sname != nullptr) return demangled(info.dli_sname);
  const auto number = reinterpret_cast<std::uint64_t>(address);
  const std::uint64_t offset = number - reinterpret_cast<std::uint64_t>(info.dli_fbase);
  const std::string path = info.dli_fname;
  const Symbols& symbols = symbols_of(path);
  auto name = symbols.at(offset);
  if (!name) name = symbols.at(number);  // the program is linked at a fixed address
  if (name) return demangled(*name);
  return fmt::format("{}+{:#x}", path.substr(path.rfind('/') + 1), offset);
}

}  // namespace ambit::cudart
