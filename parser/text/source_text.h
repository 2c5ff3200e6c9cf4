#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>

#include "base/source.h"

namespace ambit::parser {

/// The size of the largest file that Ambit reads (docs/reference/language.md).
inline constexpr std::size_t kMaxFileSize = std::size_t{1} << 20;
/// The size of the largest PTX module (.ptx) that Ambit reads. A PTX module may exceed kMaxFileSize, because compilers
/// write large files.
inline constexpr std::size_t kMaxModuleSize = std::size_t{64} << 20;

/// Reads a whole file, pipe or device. Errors: the file cannot be read; it is larger than the limit; it is not text (it
/// has a NUL byte or invalid UTF-8); `cancelled` became true while Ambit waited for input.
Result<SourceFilePtr> read_source(const std::string& path, const std::atomic<bool>* cancelled = nullptr);

/// Checks a text. Returns an error if the text is too large, or has a NUL byte or invalid UTF-8; otherwise, nothing.
std::optional<Diagnostic> check_text(const SourceFilePtr& source);

}  // namespace ambit::parser
