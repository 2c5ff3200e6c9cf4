#include "runner/cudart/decompress.h"

#include <algorithm>

#ifdef AMBIT_HAS_ZSTD
#include <zstd.h>
#endif

namespace ambit::cudart {

#ifdef AMBIT_HAS_ZSTD
bool has_zstd() { return true; }

std::optional<std::string> from_zstd(std::span<const std::byte> packed, std::uint64_t size) {
  std::string text(size, '\0');
  const std::size_t found = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
  if (ZSTD_isError(found) != 0 || found != size) return std::nullopt;
  return text;
}
#else
bool has_zstd() { return false; }
std::optional<std::string> from_zstd(std::span<const std::byte>, std::uint64_t) { return std::nullopt; }
#endif

namespace {

/// Reads the bytes of an LZ4 block.
class Lz4Input {
 public:
  explicit Lz4Input(std::span<const std::byte> bytes) : bytes_(bytes) {}
  bool has(std::size_t count) const { return bytes_.size() - at_ >= count; }
  bool is_at_end() const { return at_ == bytes_.size(); }
  unsigned next() { return std::to_integer<unsigned>(bytes_[at_++]); }
  /// If `length` is 15, reads the additional bytes of the length and adds them to `length`. The additional bytes end
  /// with the first byte that is not 255. Returns false if the input ends.
  bool lengthen(std::size_t& length) {
    if (length != 15) return true;
    unsigned more = 255;
    while (more == 255) {
      if (!has(1)) return false;
      more = next();
      length += more;
    }
    return true;
  }
  void copy(std::size_t count, std::string& to) {
    to.append(reinterpret_cast<const char*>(bytes_.data()) + at_, count);
    at_ += count;
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::string> from_lz4(std::span<const std::byte> packed, std::uint64_t size) {
  constexpr std::size_t kShortestMatch = 4;
  std::string text;
  Lz4Input input(packed);
  while (!input.is_at_end()) {
    const unsigned token = input.next();
    std::size_t literals = token >> 4U;
    if (!input.lengthen(literals) || !input.has(literals) || text.size() + literals > size) return std::nullopt;
    input.copy(literals, text);
    if (input.is_at_end()) break;  // the last sequence has no match
    if (!input.has(2)) return std::nullopt;
    const std::size_t low = input.next();
    const std::size_t distance = low | std::size_t{input.next()} << 8U;
    std::size_t match = token & 15U;
    if (!input.lengthen(match)) return std::nullopt;
    match += kShortestMatch;
    if (distance == 0 || distance > text.size() || text.size() + match > size) return std::nullopt;
    for (std::size_t i = 0; i < match; ++i) text.push_back(text[text.size() - distance]);
  }
  if (text.size() != size) return std::nullopt;
  return text;
}

}  // namespace ambit::cudart
