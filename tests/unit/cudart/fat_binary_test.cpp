#include "runner/cudart/fat_binary.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "runner/cudart/decompress.h"

namespace ambit::cudart {
namespace {

using Bytes = std::vector<std::byte>;

template <typename T>
void append(Bytes& bytes, T value) {
  const auto* begin = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof value);
}

void append(Bytes& bytes, const std::string& text) {
  for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
}

/// Returns an entry of a fat binary in the form that nvcc writes.
Bytes entry(std::uint16_t kind, std::uint32_t architecture, const std::string& payload, std::uint64_t flags = 0x11,
            std::uint32_t compressed = 0, std::uint64_t size = 0) {
  Bytes bytes;
  append(bytes, kind);
  append(bytes, std::uint16_t{0x101});
  append(bytes, std::uint32_t{72});
  append(bytes, std::uint64_t{payload.size()});
  append(bytes, compressed);
  append(bytes, std::uint32_t{0});
  append(bytes, std::uint16_t{8});
  append(bytes, std::uint16_t{1});
  append(bytes, architecture);
  append(bytes, std::uint32_t{64});
  append(bytes, std::uint32_t{4});
  append(bytes, flags);
  append(bytes, std::uint64_t{0});
  append(bytes, size);
  append(bytes, std::string("a.cu\0\0\0\0", 8));
  append(bytes, payload);
  return bytes;
}

Bytes container(const std::vector<Bytes>& entries) {
  Bytes content;
  for (const Bytes& one : entries) content.insert(content.end(), one.begin(), one.end());
  Bytes bytes;
  append(bytes, std::uint32_t{0xba55ed50});
  append(bytes, std::uint16_t{1});
  append(bytes, std::uint16_t{16});
  append(bytes, std::uint64_t{content.size()});
  bytes.insert(bytes.end(), content.begin(), content.end());
  return bytes;
}

TEST(FatBinary, ReadsEntriesOfAllKinds) {
  Bytes bytes = container({entry(2, 90, "machine"), entry(1, 90, std::string(".version 8.0\0\0\0", 15))});
  EXPECT_EQ(fat_binary_size(bytes.data()), bytes.size());
  bytes.resize(bytes.size() + 8);  // zeros between containers
  const Bytes second = container({entry(1, 75, ".version 7.0")});
  bytes.insert(bytes.end(), second.begin(), second.end());
  const auto read = read_fat_binaries(bytes, "app");
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read.value().size(), 3U);
  EXPECT_EQ(read.value()[0].kind, FatEntryKind::MachineCode);
  EXPECT_EQ(read.value()[1].text, ".version 8.0");
  EXPECT_EQ(read.value()[1].name, "a.cu");
  const auto ptx = ptx_of(read.value(), "app");
  ASSERT_TRUE(ptx.ok());
  ASSERT_EQ(ptx.value().size(), 1U);
  EXPECT_EQ(ptx.value()[0].architecture, 90U);
}

TEST(FatBinary, DecompressesLz4) {
  // The packed form of "abcabcabcabcX": three literals, a match of nine bytes at distance 3, and one literal.
  const std::string packed(
      "\x35"
      "abc\x03\x00\x10X",
      8);
  const auto read = read_fat_binaries(container({entry(1, 90, packed, 0x2011, 8, 13)}), "app");
  ASSERT_TRUE(read.ok()) << render(read.errors());
  EXPECT_EQ(read.value()[0].text, "abcabcabcabcX");
}

TEST(FatBinary, DecompressesZstandard) {
  if (!has_zstd()) GTEST_SKIP();
  // A Zstandard frame with one raw block (RFC 8878, 3.1.1). Its flags are: single segment, content size 5.
  const std::string packed("\x28\xb5\x2f\xfd\x20\x05\x29\x00\x00hello", 14);
  const auto read = read_fat_binaries(container({entry(1, 90, packed, 0x8011, 14, 5)}), "app");
  ASSERT_TRUE(read.ok()) << render(read.errors());
  EXPECT_EQ(read.value()[0].text, "hello");
}

TEST(FatBinary, MachineCodeAloneNamesTheFlag) {
  const auto read = read_fat_binaries(container({entry(2, 90, "machine")}), "app");
  const auto ptx = ptx_of(read.value(), "app");
  ASSERT_FALSE(ptx.ok());
  EXPECT_EQ(ptx.errors().front().message, "app: the program holds machine code only, no PTX");
  EXPECT_NE(ptx.errors().front().hint.find("-arch=sm_90"), std::string::npos);
}

// If a file is cut or a byte changes, the reader returns an error or valid entries, and never crashes.
TEST(FatBinary, SurvivesDamage) {
  const std::string packed(
      "\x35"
      "abc\x03\x00\x10X",
      8);
  const Bytes whole = container({entry(2, 90, "machine"), entry(1, 90, packed, 0x2011, 8, 13)});
  for (std::size_t size = 1; size < whole.size(); ++size) {
    EXPECT_FALSE(read_fat_binaries(std::span(whole).first(size), "app").ok()) << size;
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int value : {0, 1, 0x7f, 0xff}) {
      Bytes changed = whole;
      changed[at] = static_cast<std::byte>(value);
      static_cast<void>(read_fat_binaries(changed, "app").ok());
    }
  }
}

TEST(FatBinary, ElfSections) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const auto text = elf_section(self, ".text");
  ASSERT_TRUE(text.ok());
  EXPECT_FALSE(text.value().empty());
  EXPECT_TRUE(elf_section(self, "__nv_relfatbin").value().empty());
  EXPECT_FALSE(elf_section("/no/such/file", ".text").ok());
  EXPECT_FALSE(elf_section("/proc/self/maps", ".text").ok());
}

TEST(FatBinary, WrittenBinariesCanBeRead) {
  const std::string ptx = ".version 8.0\n.target sm_80\n.address_size 64\n";
  const std::string written = fat_binary_of(ptx);
  EXPECT_EQ(fat_binary_size(written.data()), written.size());
  const auto read = read_fat_binaries(std::as_bytes(std::span(written)), "made");
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read.value().size(), 1U);
  EXPECT_EQ(read.value().front().kind, FatEntryKind::Ptx);
  EXPECT_EQ(read.value().front().text, ptx);
}

}  // namespace
}  // namespace ambit::cudart
