#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace ambit::cudart {

/// Returns whether this build can read Zstandard.
bool has_zstd();
/// Returns the text of one Zstandard frame (RFC 8878). Returns nothing if the frame is damaged or its text does not
/// have `size` bytes.
std::optional<std::string> from_zstd(std::span<const std::byte> packed, std::uint64_t size);
/// Returns the text of one LZ4 block (lz4.org's block format). Returns nothing if the block is damaged or its text does
/// not have `size` bytes.
std::optional<std::string> from_lz4(std::span<const std::byte> packed, std::uint64_t size);

}  // namespace ambit::cudart
