#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/trace.h"

namespace ambit::trace {

static_assert(std::endian::native == std::endian::little, "the binary format is written as the memory lies");

inline constexpr std::string_view kHeaderMagic = "AMBTRACE";
inline constexpr std::string_view kFooterMagic = "AMBT_END";
inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::uint32_t kCompressed = 1;   ///< flag in the header
inline constexpr std::uint32_t kHasChecksum = 2;  ///< flag in the header; files of older programs lack it
inline constexpr std::size_t kChecksumSize = 8;
inline constexpr std::size_t kHeaderSize = 64;
inline constexpr std::size_t kFooterSize = 48;
inline constexpr std::size_t kRecordSize = 40;

/// Appends numbers and strings to a buffer.
class ByteWriter {
 public:
  template <typename Number>
  void number(Number value) {
    static_assert(std::is_integral_v<Number>);
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }
  void text(std::string_view value) {
    number(static_cast<std::uint32_t>(value.size()));
    bytes.append(value);
  }
  std::string bytes;
};

/// Takes numbers and strings from a buffer; after the first one that is not whole, `ok` is false and all are 0.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <typename Number>
  Number number() {
    static_assert(std::is_integral_v<Number>);
    Number value = 0;
    if (bytes_.size() - at_ < sizeof value) {
      ok = false;
      at_ = bytes_.size();
      return 0;
    }
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string text() {
    const auto size = number<std::uint32_t>();
    if (bytes_.size() - at_ < size) {
      ok = false;
      return {};
    }
    std::string value(reinterpret_cast<const char*>(bytes_.data()) + at_, size);
    at_ += size;
    return value;
  }
  std::size_t at() const { return at_; }
  bool ok = true;

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

/// Tells a damaged file from a whole one: of the records as they are uncompressed, then of everything else. Each word
/// of a record has a sum of its own, so that a processor works on all five at a time; every step is one-to-one, so that
/// a change of one word always changes the sum.
class Checksum {
 public:
  void record(const std::byte* record) {
    for (std::size_t i = 0; i < kWords; ++i) {
      std::uint64_t word = 0;
      std::memcpy(&word, record + i * sizeof word, sizeof word);
      sums_[i] = mixed(sums_[i], word);
    }
  }
  /// Once, after the records: the sum of them and of `parts`.
  std::uint64_t finish(std::initializer_list<std::span<const std::byte>> parts) const;

 private:
  static constexpr std::size_t kWords = kRecordSize / sizeof(std::uint64_t);
  static std::uint64_t mixed(std::uint64_t sum, std::uint64_t word) {
    return std::rotl((sum ^ word) * 0x9e3779b97f4a7c15U, 29);  // by an odd number: one-to-one
  }
  std::array<std::uint64_t, kWords> sums_{1, 2, 3, 4, 5};  // so that no word of zeros leaves its sum as it is
};

/// An event as a record at `out`.
void encode(const TraceEvent& event, std::byte* out);
/// The event of a record. An error message when it is none, or names what the tables do not have.
std::optional<std::string> decode(const std::byte* record, const TraceTables& tables, TraceEvent& event);

void encode_tables(const TraceTables& tables, ByteWriter& out);
/// What is wrong with the names, without their place; empty: nothing. The launch must be set before, without a flaw.
std::string decode_tables(ByteReader& in, TraceTables& tables);

}  // namespace ambit::trace
