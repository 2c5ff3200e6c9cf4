#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/source.h"

namespace ambit::cudart {

// Fat binaries: the format in which nvcc stores the device code of a program. NVIDIA has not published a description of
// the format. The layout here follows the output of `nvcc -fatbin` (versions 11 to 13) and the descriptions of free
// tools.

/// The contents of an entry of a fat binary.
enum class FatEntryKind : std::uint16_t { Ptx = 1, MachineCode = 2, Other = 0xffff };

/// One entry of a fat binary.
struct FatEntry {
  FatEntryKind kind = FatEntryKind::Other;
  std::uint32_t architecture = 0;  ///< 90 means sm_90
  std::string name;                ///< name of the source file; empty if unknown
  std::string text;                ///< PTX without the zeros at its end; empty for machine code
};

/// Returns the size of the container at `data`, including its header. Returns 0 if `data` is not the beginning of a
/// container. Reads 16 bytes.
std::uint64_t fat_binary_size(const void* data);

/// Reads consecutive containers in `bytes`, and skips zeros between them. Decompresses PTX (newer compilers use
/// Zstandard, older compilers LZ4). Errors: a wrong magic number, a length that does not fit, damaged data. The message
/// contains `name` and the offset of the byte.
Result<std::vector<FatEntry>> read_fat_binaries(std::span<const std::byte> bytes, const std::string& name);

/// Returns the PTX of the highest architecture among `entries`, one entry for each source file. Errors: there is only
/// machine code, or there are no entries. The hint names the flag of nvcc.
Result<std::vector<FatEntry>> ptx_of(std::vector<FatEntry> entries, const std::string& name);

/// Returns a container whose only entry is the PTX, uncompressed.
std::string fat_binary_of(const std::string& ptx);

/// Returns the bytes of a section of an ELF file (64 bit, little endian); empty if the file does not have the section.
/// Errors: a missing file, a file of another format, lengths that do not fit.
Result<std::vector<std::byte>> elf_section(const std::string& path, const std::string& section);

}  // namespace ambit::cudart
