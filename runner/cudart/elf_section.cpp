#include <elf.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "runner/cudart/fat_binary.h"

namespace ambit::cudart {
namespace {

Diagnostic wrong(const std::string& path, const std::string& what) {
  return {nullptr, {}, path + ": " + what, "expected a program for 64-bit Linux"};
}

}  // namespace

Result<std::vector<std::byte>> elf_section(const std::string& path, const std::string& section) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Diagnostic{nullptr, {}, path + ": cannot be opened", "check the path"};
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  const auto fits = [&](std::uint64_t offset, std::uint64_t size) {
    return offset <= bytes.size() && size <= bytes.size() - offset;
  };
  Elf64_Ehdr header;
  if (!fits(0, sizeof header)) return wrong(path, "is not an ELF file");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) {
    return wrong(path, "is not a 64-bit ELF file");
  }
  if (header.e_shoff == 0) return std::vector<std::byte>();
  if (header.e_shentsize != sizeof(Elf64_Shdr) ||
      !fits(header.e_shoff, std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr)) ||
      header.e_shstrndx >= header.e_shnum) {
    return wrong(path, "the section table is damaged");
  }
  const auto section_header = [&](std::size_t number) {
    Elf64_Shdr one;
    std::memcpy(&one, bytes.data() + header.e_shoff + number * sizeof one, sizeof one);
    return one;
  };
  const Elf64_Shdr names = section_header(header.e_shstrndx);
  if (!fits(names.sh_offset, names.sh_size)) return wrong(path, "the section table is damaged");
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr one = section_header(i);
    const std::uint64_t end = std::uint64_t{one.sh_name} + section.size() + 1;
    if (end > names.sh_size || one.sh_type == SHT_NOBITS) continue;
    if (bytes.compare(names.sh_offset + one.sh_name, section.size() + 1, section.c_str(), section.size() + 1) != 0) {
      continue;
    }
    if (!fits(one.sh_offset, one.sh_size)) return wrong(path, "section " + section + " is cut off");
    const auto* begin = reinterpret_cast<const std::byte*>(bytes.data()) + one.sh_offset;
    return std::vector<std::byte>(begin, begin + one.sh_size);
  }
  return std::vector<std::byte>();
}

}  // namespace ambit::cudart
