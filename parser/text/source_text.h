#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>

#include "core/source.h"

namespace ambit::parser {

/// Largest file read (language.md).
inline constexpr std::size_t kMaxFileSize = std::size_t{1} << 20;

/// Reads a file, pipe or device whole. Errors: it cannot be read, is over kMaxFileSize, is not text (a NUL byte or
/// invalid UTF-8), or `cancelled` became true while nothing came.
Result<SourceFilePtr> read_source(const std::string& path, const std::atomic<bool>* cancelled = nullptr);

/// The error of a text that is not one: over kMaxFileSize, a NUL byte, invalid UTF-8. Nothing when it is well-formed.
std::optional<Diagnostic> check_text(const SourceFilePtr& source);

}  // namespace ambit::parser
