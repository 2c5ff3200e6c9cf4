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

static_assert(std::endian::native == std::endian::little,
              "the binary format has the memory layout of a little-endian machine");

inline constexpr std::string_view kHeaderMagic = "AMBTRACE";
inline constexpr std::string_view kFooterMagic = "AMBT_END";
inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::uint32_t kCompressed = 1;   ///< flag in the header
inline constexpr std::uint32_t kHasChecksum = 2;  ///< flag in the header; absent in files of older versions
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

/// Reads numbers and strings from a buffer. After the first incomplete number or string, `ok` is false and all results
/// are 0.
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

/// The checksum of a file. The checksum covers the uncompressed records, then all other bytes. A record has five words,
/// and each word has a separate sum, so that a processor can compute the five sums in parallel. Each step of a sum is a
/// bijection. Therefore every change of a single word changes the checksum.
class Checksum {
 public:
  void record(const std::byte* record) {
    for (std::size_t i = 0; i < kWords; ++i) {
      std::uint64_t word = 0;
      std::memcpy(&word, record + i * sizeof word, sizeof word);
      sums_[i] = mixed(sums_[i], word);
    }
  }
  /// Returns the checksum of the records and of `parts`. Must be called once, after all records.
  std::uint64_t finish(std::initializer_list<std::span<const std::byte>> parts) const;

 private:
  static constexpr std::size_t kWords = kRecordSize / sizeof(std::uint64_t);
  static std::uint64_t mixed(std::uint64_t sum, std::uint64_t word) {
    return std::rotl((sum ^ word) * 0x9e3779b97f4a7c15U, 29);  // one-to-one, because the factor is odd
  }
  std::array<std::uint64_t, kWords> sums_{1, 2, 3, 4, 5};  // not 0, so that words of zeros change the sums
};

/// Writes an event as a record at `out`.
void encode(const TraceEvent& event, std::byte* out);
/// Reads the event of a record. Returns an error message if the record is malformed or refers to missing table entries.
std::optional<std::string> decode(const std::byte* record, const TraceTables& tables, TraceEvent& event);

/// Writes a launch as ten numbers of four bytes each.
void encode_launch(const LaunchGeometry& launch, ByteWriter& out);
/// Reads the output of encode_launch(). Returns false if the last number, a flag, is neither 0 nor 1. launch_flaw()
/// checks the other numbers.
bool decode_launch(ByteReader& in, LaunchGeometry& launch);

/// For each kind of name, the number of names that a reader already has.
struct KnownNames {
  std::size_t threads = 0;
  std::size_t objects = 0;
  std::size_t locations = 0;
  std::size_t sites = 0;

  static KnownNames of(const TraceTables& tables) {
    return {tables.threads().size(), tables.objects().size(), tables.locations().size(), tables.sites().size()};
  }
  friend bool operator==(const KnownNames&, const KnownNames&) = default;
};

/// Writes the names that a reader does not yet have.
void encode_tables(const TraceTables& tables, ByteWriter& out, const KnownNames& known = {});
/// Reads names that encode_tables() wrote, and adds them to `tables`. The launch of `tables` must be set and valid.
/// Returns an error message without a place, or an empty text.
std::string decode_tables(ByteReader& in, TraceTables& tables);

}  // namespace ambit::trace
