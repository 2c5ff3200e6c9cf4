#include "trace/compression.h"

#include "base/assert.h"

#ifdef AMBIT_HAS_ZSTD
#include <zstd.h>
#endif

namespace ambit::trace {

std::string compressed(std::string_view text) {
#ifdef AMBIT_HAS_ZSTD
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), ZSTD_CLEVEL_DEFAULT);
  AMBIT_ASSERT(ZSTD_isError(size) == 0);
  bytes.resize(size);
  return bytes;
#else
  static_cast<void>(text);
  AMBIT_ASSERT(false && "has_compression()");
  return {};
#endif
}

}  // namespace ambit::trace
