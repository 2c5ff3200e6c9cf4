#include "runner/cudart/fat_binary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "runner/cudart/decompress.h"

namespace ambit::cudart {
namespace {

constexpr std::uint32_t kMagic = 0xba55ed50;
constexpr std::size_t kContainerHeader = 16;
constexpr std::size_t kSmallestEntryHeader = 64;
constexpr std::uint64_t kIsLz4 = 0x2000;
constexpr std::uint64_t kIsZstd = 0x8000;
/// Limit on the bytes of PTX text, because a damaged length must not cause a huge allocation.
constexpr std::uint64_t kMostText = std::uint64_t{1} << 32U;

/// The header of an entry, with the fields in the order in which the compiler writes them.
struct EntryHeader {
  std::uint16_t kind;
  std::uint16_t version;
  std::uint32_t header_size;
  std::uint64_t payload_size;  ///< includes the padding at the payload's end
  std::uint32_t compressed_size;
  std::uint32_t reserved;
  std::uint16_t minor;
  std::uint16_t major;
  std::uint32_t architecture;
  std::uint32_t name_offset;  ///< offset from the beginning of the header
  std::uint32_t name_size;
  std::uint64_t flags;
  std::uint64_t reserved_too;
  std::uint64_t text_size;  ///< size of compressed text after decompression
};
static_assert(sizeof(EntryHeader) == kSmallestEntryHeader);

template <typename T>
T read_as(std::span<const std::byte> bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

Diagnostic damaged(const std::string& name, std::uint64_t byte, const std::string& what) {
  return {nullptr, {}, fmt::format("{}: damaged fat binary at byte {}: {}", name, byte, what), "compile it again"};
}

/// The bytes of a file that are still unread, and the current position.
struct Input {
  std::span<const std::byte> rest;
  std::uint64_t position = 0;

  std::span<const std::byte> take(std::uint64_t size) {
    const auto taken = rest.first(size);
    rest = rest.subspan(size);
    position += size;
    return taken;
  }
};

std::string text_without_zeros(std::string text) {
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

Result<std::string> text_of(const EntryHeader& header, std::span<const std::byte> payload, const std::string& name,
                            std::uint64_t position) {
  const bool is_zstd = (header.flags & kIsZstd) != 0;
  const bool is_lz4 = (header.flags & kIsLz4) != 0;
  if (!is_zstd && !is_lz4) {
    return text_without_zeros(std::string(reinterpret_cast<const char*>(payload.data()), payload.size()));
  }
  if (header.compressed_size > payload.size() || header.text_size > kMostText) {
    return damaged(name, position, "the length of the compressed text does not fit");
  }
  const auto packed = payload.first(header.compressed_size);
  if (is_zstd && !has_zstd()) {
    return Diagnostic{nullptr,
                      {},
                      name + ": the PTX is compressed, and this build of ambit lacks libzstd",
                      "compile with nvcc --no-compress"};
  }
  auto text = is_zstd ? from_zstd(packed, header.text_size) : from_lz4(packed, header.text_size);
  if (!text) return damaged(name, position, "the compressed text cannot be read");
  return text_without_zeros(std::move(*text));
}

Result<FatEntry> read_entry(Input& input, const std::string& name) {
  const std::uint64_t begin = input.position;
  if (input.rest.size() < kSmallestEntryHeader) return damaged(name, begin, "an entry is cut off");
  const auto whole = input.rest;
  const auto header = read_as<EntryHeader>(whole);
  if (header.header_size < kSmallestEntryHeader || header.header_size > whole.size() ||
      header.payload_size > whole.size() - header.header_size) {
    return damaged(name, begin, "the length of an entry does not fit");
  }
  input.take(header.header_size);
  const auto payload = input.take(header.payload_size);
  FatEntry entry;
  entry.architecture = header.architecture;
  entry.kind = header.kind == 1   ? FatEntryKind::Ptx
               : header.kind == 2 ? FatEntryKind::MachineCode
                                  : FatEntryKind::Other;
  if (header.name_offset != 0 && std::uint64_t{header.name_offset} + header.name_size <= header.header_size) {
    entry.name = text_without_zeros(
        std::string(reinterpret_cast<const char*>(whole.data()) + header.name_offset, header.name_size));
  }
  if (entry.kind != FatEntryKind::Ptx) return entry;
  auto text = text_of(header, payload, name, begin);
  if (!text.ok()) return text.errors();
  entry.text = std::move(text.value());
  return entry;
}

}  // namespace

std::uint64_t fat_binary_size(const void* data) {
  const auto bytes = std::span(static_cast<const std::byte*>(data), kContainerHeader);
  if (read_as<std::uint32_t>(bytes) != kMagic) return 0;
  return read_as<std::uint16_t>(bytes.subspan(6)) + read_as<std::uint64_t>(bytes.subspan(8));
}

Result<std::vector<FatEntry>> read_fat_binaries(std::span<const std::byte> bytes, const std::string& name) {
  std::vector<FatEntry> entries;
  Input input{bytes};
  while (!input.rest.empty()) {
    if (input.rest.front() == std::byte{0}) {
      input.take(1);
      continue;
    }
    if (input.rest.size() < kContainerHeader || fat_binary_size(input.rest.data()) == 0) {
      return damaged(name, input.position, fmt::format("expected the magic number {:#x}", kMagic));
    }
    const auto header_size = read_as<std::uint16_t>(input.rest.subspan(6));
    const auto size = read_as<std::uint64_t>(input.rest.subspan(8));
    if (header_size < kContainerHeader || header_size > input.rest.size() || size > input.rest.size() - header_size) {
      return damaged(name, input.position, "the length of the container does not fit");
    }
    input.take(header_size);
    Input content{input.rest.first(size), input.position};
    input.take(size);
    while (!content.rest.empty()) {
      auto entry = read_entry(content, name);
      if (!entry.ok()) return entry.errors();
      entries.push_back(std::move(entry.value()));
    }
  }
  return entries;
}

Result<std::vector<FatEntry>> ptx_of(std::vector<FatEntry> entries, const std::string& name) {
  const bool has_code =
      std::ranges::any_of(entries, [](const FatEntry& e) { return e.kind == FatEntryKind::MachineCode; });
  std::erase_if(entries, [](const FatEntry& entry) { return entry.kind != FatEntryKind::Ptx || entry.text.empty(); });
  if (entries.empty()) {
    return Diagnostic{
        nullptr,
        {},
        name + (has_code ? ": the program holds machine code only, no PTX" : ": the program contains no PTX"),
        "compile with nvcc -arch=sm_90, or add -gencode arch=compute_90,code=compute_90"};
  }
  std::uint32_t highest = 0;
  for (const FatEntry& entry : entries) highest = std::max(highest, entry.architecture);
  std::erase_if(entries, [&](const FatEntry& entry) { return entry.architecture != highest; });
  return entries;
}

std::string fat_binary_of(const std::string& ptx) {
  constexpr std::uint32_t kVersionAndHeader = 0x00100001;  // version 1, 16 bytes of header
  EntryHeader header{};
  header.kind = static_cast<std::uint16_t>(FatEntryKind::Ptx);
  header.version = 0x101;
  header.header_size = sizeof header;
  header.payload_size = ptx.size() + 1;  // the text ends with a zero
  header.minor = 8;
  header.major = 1;
  header.flags = 0x11;  // 64 bits, Linux
  std::string bytes;
  const auto append = [&](const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);  // NOLINT: copies the bytes of the value
  };
  append(kMagic);
  append(kVersionAndHeader);
  append(std::uint64_t{sizeof header + header.payload_size});
  append(header);
  return bytes + ptx + '\0';
}

}  // namespace ambit::cudart
