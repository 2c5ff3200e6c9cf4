#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/source.h"

namespace ambit::cudart {

// Fat binaries: the format in which nvcc stores the device code of a program. NVIDIA publishes no description; the
// layout is known from the output of `nvcc -fatbin` (versions 11 to 13) and from the descriptions of free tools that
// read it.

/// The contents of an entry of a fat binary.
enum class FatEntryKind : std::uint16_t { Ptx = 1, MachineCode = 2, Other = 0xffff };

/// One entry of a fat binary.
struct FatEntry {
  FatEntryKind kind = FatEntryKind::Other;
  std::uint32_t architecture = 0;  ///< 90: sm_90
  std::string name;                ///< of the source file; empty: not known
  std::string text;                ///< PTX, without the zeros at its end; empty for machine code
};

/// Returns the size of the container at `data`, header included; 0: no container begins there. Reads 16 bytes.
std::uint64_t fat_binary_size(const void* data);

/// Reads consecutive containers in `bytes` (skips zeros between them). PTX is decompressed (Zstandard, or LZ4 of older
/// compilers). Errors: a wrong magic number, a length that does not fit, damaged data; the message names `name` and the
/// byte.
Result<std::vector<FatEntry>> read_fat_binaries(std::span<const std::byte> bytes, const std::string& name);

/// Returns the PTX of the highest architecture among `entries`, at most once for each source file. Errors: there is
/// only machine code, or nothing; the hint names the flag of nvcc.
Result<std::vector<FatEntry>> ptx_of(std::vector<FatEntry> entries, const std::string& name);

/// Returns a container with the PTX as its only entry, not compressed.
std::string fat_binary_of(const std::string& ptx);

/// Returns the bytes of a section of an ELF file (64 bit, little endian); empty: the file has no such section. Errors:
/// no file, not an ELF file, lengths that do not fit.
Result<std::vector<std::byte>> elf_section(const std::string& path, const std::string& section);

}  // namespace ambit::cudart
